"""Cases in JSON: an array of objects, or an object whose ``cases`` is one, so that ``$schema`` can stand beside it."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sekisho.adapters.case_files.json_mistakes import mistake
from sekisho.adapters.case_files.source import KEYS, MOST_PROBLEMS, FieldPath, Number, Source, line_column, problem
from sekisho.adapters.files.json_text import place_of, place_of_repeated_key
from sekisho.core.errors import InputFileError
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from sekisho.adapters.files.content import Content

_BLANKS = re.compile(r"[ \t\n\r]*+")
_MOST_REPEATED = 5  # in one value: each is searched for from its beginning
_LIST_KEY, _SCHEMA_KEY = "cases", "$schema"


class Span(NamedTuple):
    """A value and where in the text it stands."""

    value: object
    begins: int
    ends: int


class JsonArray(NamedTuple):
    """What a JSON file holds.

    Attributes:
        spans: The elements of the array, in order.
        ends: Index of the bracket that closes the array; -1 where reading did not come so far.
        problems: What is wrong with it.
    """

    spans: list[Span]
    ends: int
    problems: list[InputFileError]


class _SyntaxError(Exception):
    def __init__(self, place: int, expected: str) -> None:
        super().__init__(expected)
        self.place = place
        self.expected = expected


class Decoder:
    """Decodes values of one text and keeps account of keys that an object holds twice."""

    def __init__(self) -> None:
        self.repeated: list[str] = []
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=Number, parse_float=Number, parse_constant=Number
        )
        self.decode = self._decoder.raw_decode

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            self.repeated += [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
        return found


class _Reader:
    def __init__(self, content: Content) -> None:
        self.name, self.text = content
        self.decoder = Decoder()
        self.spans: list[Span] = []
        self.problems: list[InputFileError] = []
        self.ends = -1

    def complain(self, code: str, place: int, **values: object) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem(code, self.name, *line_column(self.text, place), **values))

    def skip(self, place: int) -> int:
        found = _BLANKS.match(self.text, place)
        return found.end() if found else place

    def sign(self, place: int) -> str:
        return self.text[place : place + 1]

    def value(self, place: int) -> Span:
        """Return the value that begins at ``place``; keys that it holds twice become problems."""
        try:
            value, ends = self.decoder.decode(self.text, place)
        except json.JSONDecodeError as error:
            raise _SyntaxError(error.pos, error.msg) from None
        if self.decoder.repeated:
            inside = self.text[place:ends]
            for key in self.decoder.repeated[:_MOST_REPEATED]:
                self.complain("repeated_key", place + place_of_repeated_key(inside, key), key=key)
            self.decoder.repeated.clear()
        return Span(value, place, ends)

    def array(self, place: int) -> int:
        """Read the elements of the array that begins at ``place``; return the index after it."""
        place = self.skip(place + 1)
        if self.sign(place) == "]":
            self.ends = place
            return place + 1
        while True:
            span = self.value(place)
            self.spans.append(span)
            place = self.skip(span.ends)
            if self.sign(place) == "]":
                self.ends = place
                return place + 1
            if self.sign(place) != ",":
                raise _SyntaxError(place, "Expecting ',' delimiter")
            place = self.skip(place + 1)

    def object(self, place: int) -> int:
        """Read the object that begins at ``place``; return the index after it."""
        seen: dict[str, int] = {}
        place = self.skip(place + 1)
        while self.sign(place) != "}" or seen:
            if self.sign(place) != '"':
                raise _SyntaxError(place, "Expecting property name")
            key = self.value(place)
            name = str(key.value)
            if name in seen:
                self.complain("repeated_key", place, key=name)
            seen.setdefault(name, place)
            place = self.skip(key.ends)
            if self.sign(place) != ":":
                raise _SyntaxError(place, "Expecting ':' delimiter")
            place = self.skip(self.member(name, self.skip(place + 1)))
            if self.sign(place) == "}":
                break
            if self.sign(place) != ",":
                raise _SyntaxError(place, "Expecting ',' delimiter")
            place = self.skip(place + 1)
        self.check_names(seen)
        return place + 1

    def member(self, name: str, place: int) -> int:
        if name == _LIST_KEY and self.sign(place) == "[":
            return self.array(place)
        if name == _LIST_KEY:
            self.complain("not_a_list", place, key=name)
        return self.value(place).ends

    def check_names(self, seen: dict[str, int]) -> None:
        if _LIST_KEY not in seen and not seen.keys().isdisjoint(KEYS):
            self.complain("json_one_object", self.skip(0))
            return
        for name, place in seen.items():
            if name not in {_LIST_KEY, _SCHEMA_KEY}:
                meant = did_you_mean(name, [_LIST_KEY])
                self.complain("unknown_top_key_meant" if meant else "unknown_top_key", place, key=name, meant=meant)
        if _LIST_KEY not in seen and len(seen) <= (_SCHEMA_KEY in seen):
            self.complain("no_case", self.skip(0))

    def read(self) -> None:
        place = self.skip(0)
        if self.sign(place) == "[":
            place = self.array(place)
        elif self.sign(place) == "{":
            place = self.object(place)
        else:
            self.value(place)
            self.complain("json_other", place)
            return
        place = self.skip(place)
        if place < len(self.text):
            self.complain("json_more", place)


def read_array(content: Content) -> JsonArray:
    """Return the elements of a JSON file with their places, and all mistakes up to the first that ends reading."""
    reader = _Reader(content)
    try:
        reader.read()
    except _SyntaxError as error:
        found = mistake(content.text, error.place, error.expected)
        reader.complain(found.code, found.place, **found.values)
    except RecursionError:
        place = reader.spans[-1].ends if reader.spans else 0
        reader.problems.append(problem("deep", content.name, *line_column(content.text, place)))
    return JsonArray(reader.spans, reader.ends, reader.problems)


def read_json(content: Content) -> Source:
    """Return the cases of a JSON file."""
    name, text = content
    spans, _, problems = read_array(content)
    lines, line, counted = [], 1, 0
    for span in spans:
        line += text.count("\n", counted, span.begins)
        counted = span.begins
        lines.append(line)

    def locate(index: int, path: FieldPath) -> tuple[int, int | None]:
        span = spans[index]
        return line_column(text, span.begins + (place_of(text[span.begins : span.ends], *path) if path else 0))

    return Source(name, "json", [span.value for span in spans], lines, locate, problems)


def read_lines(content: Content) -> Source:
    """Return the cases of a JSON Lines file: one object a line."""
    name, text = content
    decoder = Decoder()
    values: list[object] = []
    lines: list[int] = []
    problems: list[InputFileError] = []
    texts = text.split("\n")
    for number, line in enumerate(texts, 1):
        begins = len(line) - len(line.lstrip())
        if begins == len(line):
            continue
        if len(problems) >= MOST_PROBLEMS:
            break
        try:
            value, ends = decoder.decode(line, begins)
        except json.JSONDecodeError as error:
            found = mistake(line, error.pos, error.msg)
            code = "lines_not_closed" if found.code == "json_not_closed" else found.code
            problems.append(problem(code, name, number, found.place + 1, **found.values))
            continue
        except RecursionError:
            problems.append(problem("deep", name, number, 1))
            continue
        if (rest := line[ends:].lstrip()).strip():
            problems.append(problem("lines_more", name, number, len(line) - len(rest) + 1))
        problems += [
            problem("repeated_key", name, number, place_of_repeated_key(line, key) + 1, key=key)
            for key in decoder.repeated[:_MOST_REPEATED]
        ]
        decoder.repeated.clear()
        values.append(value)
        lines.append(number)

    def locate(index: int, path: FieldPath) -> tuple[int, int | None]:
        line = texts[lines[index] - 1]
        return lines[index], (place_of(line, *path) if path else len(line) - len(line.lstrip())) + 1

    return Source(name, "lines", values, lines, locate, problems)
