"""JSON with the two things that the standard library leaves out: repeated keys are refused, and places have lines."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from sekisho.adapters.files.content import Content, failure
from sekisho.adapters.files.lines import pieces
from sekisho.adapters.files.values import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


class Record(NamedTuple):
    """One record of a file.

    Attributes:
        fields: Name to value.
        content: The file.
        number: The line on which it begins; its index, where the file is one JSON array.
        in_array: Whether the file is one JSON array.
    """

    fields: dict[str, object]
    content: Content
    number: int
    in_array: bool = False

    @property
    def line(self) -> int:
        """The line on which the record begins; searched for, in an array, only when an error asks."""
        return line_of(self.content.text, self.number) if self.in_array else self.number


class _RepeatedKeyError(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _ConstantError(Exception):
    pass


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RepeatedKeyError(key)
            seen.add(key)
    return found


def _constant(text: str) -> NoReturn:
    raise _ConstantError(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def parse(content: Content, text: str | None = None, line: int | None = None) -> object:
    """Return the value of a JSON text: of the whole file, or of one line of it.

    Raises:
        InputFileError: Not JSON, a key repeated in one object, NaN or Infinity, half a surrogate pair, or too deep.
    """
    whole = text is None
    text = content.text if text is None else text
    try:
        value: object = _DECODER.decode(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as problem:
        raise failure("json_syntax", content.name, line or problem.lineno, problem.colno, reason=problem.msg) from None
    except _RepeatedKeyError as problem:
        place = line or (line_of_repeated_key(text, problem.key) if whole else None)
        raise failure("repeated_key", content.name, place, key=problem.key) from None
    except _ConstantError as problem:
        place = line or text[: max(text.find(str(problem)), 0)].count("\n") + 1
        raise failure("not_finite", content.name, place, value=str(problem)) from None
    except UnicodeEncodeError:
        found = _SURROGATE.search(text)
        raise failure(
            "surrogate", content.name, line or text[: found.start() if found else 0].count("\n") + 1
        ) from None
    except RecursionError:
        raise failure("json_deep", content.name, line) from None
    except ValueError as problem:  # an integer of more digits than Python converts
        raise failure(
            "json_syntax", content.name, line or 1, 1, reason=str(problem).split(";", maxsplit=1)[0]
        ) from None
    return value


def kind_of(value: object) -> str:
    """Return the name of a JSON value's type, as JSON calls it."""
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


def is_lines(text: str) -> bool:
    """Tell whether text that begins with a brace is JSON Lines: a first line complete by itself and more after it."""
    first, _, rest = text.strip().partition("\n")
    if not rest.strip():
        return False
    try:
        _DECODER.decode(first)
    except (ValueError, RecursionError, _ConstantError):
        return rest.lstrip().startswith("{") and first.rstrip().endswith("}")
    except _RepeatedKeyError:
        pass
    return True


def records(content: Content, *, lines: bool) -> Iterator[Record]:
    """Yield the records of JSON Lines, or of a JSON array of objects.

    Raises:
        InputFileError: As :func:`parse`, or a record that is not an object.
    """
    if lines:
        for begins, texts in pieces(content, comments=False):
            for number, text in enumerate(texts, begins):
                if not text.strip():
                    continue
                yield _record(content, parse(content, text, number), number)
        return
    value = parse(content)
    for number, item in enumerate(value if isinstance(value, list) else [value]):
        if isinstance(item, dict):
            yield Record(item, content, number, in_array=True)
        else:
            raise failure(
                "record_type", content.name, line_of(content.text, number), found=kind_of(item), value=shown(item)
            )


def _record(content: Content, value: object, line: int) -> Record:
    if not isinstance(value, dict):
        raise failure("record_type", content.name, line, found=kind_of(value), value=shown(value))
    return Record(value, content, line)


def line_of(text: str, *path: str | int) -> int:
    """Return the line on which the value at ``path`` (keys and indices) begins; 1 where there is none."""
    if "\n" not in text:
        return 1
    return text.count("\n", 0, place_of(text, *path)) + 1


def place_of(text: str, *path: str | int) -> int:
    """Return the index at which the value at ``path`` (a member: its key) begins; 0 where there is none."""
    wanted = list(path)
    return next((place for found, place in _walk(text) if found == wanted), 0)


def line_of_repeated_key(text: str, key: str) -> int:
    """Return the line of the first key ``key`` that an object of ``text`` holds for the second time."""
    if "\n" not in text:
        return 1
    return text.count("\n", 0, place_of_repeated_key(text, key)) + 1


def place_of_repeated_key(text: str, key: str) -> int:
    """Return the index of the first key ``key`` that an object of ``text`` holds for the second time; 0 without one."""
    seen: set[tuple[str, ...]] = set()
    for path, place in _walk(text):
        if path and path[-1] == key:
            names = tuple(map(repr, path))
            if names in seen:
                return place
            seen.add(names)
    return 0


def _walk(text: str) -> Iterator[tuple[list[str | int], int]]:
    """Yield the path of each member and element of a JSON text with the place where it begins (a member: its key)."""
    path: list[str | int] = []
    starts_item = False
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign in "{[":
            if starts_item and path and isinstance(path[-1], int):
                yield list(path), token.start()
            path.append("" if sign == "{" else 0)
            starts_item = True
            continue
        if sign in "}]":
            path = path[:-1]
            starts_item = False
        elif sign == ",":
            if path and isinstance(path[-1], int):
                path[-1] += 1
            starts_item = True
        elif starts_item and path and sign != ":":
            if isinstance(path[-1], str):
                path[-1] = str(json.loads(sign, strict=False)) if sign[0] == '"' else sign
            yield list(path), token.start()
            starts_item = False
