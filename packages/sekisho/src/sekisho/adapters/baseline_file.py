"""``sekisho.baseline.json``: one line a case, so that a diff of it can be read; written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

import msgspec

from sekisho.adapters.files.content import read_content
from sekisho.adapters.writing import write_whole
from sekisho.compare.baseline import AccessBaseline, AnswersBaseline, RetrievalBaseline, SuiteBaseline
from sekisho.core.errors import BaselineError, Location

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sekisho.adapters.files.content import Content

SCHEMA = "sekisho.baseline/1"
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)", re.MULTILINE)
_STEERING = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Control characters, zero-width ones and marks of direction: a diff has to show what is there, each case on a line."""
_SUITE = re.compile(r'"check"\s*:\s*"[0-9a-f]{16}"\s*,\s*"content"\s*:\s*\{')
_NAME = re.compile(r'("(?:[^"\\]|\\.)*")\s*:\s*\{\s*\Z')
_LONGEST_NAME = 4_000
"""The line that a suite begins with, where the file is laid out as it was written."""
_DIGITS = 16
_KINDS: dict[str, type[SuiteBaseline]] = {
    "retrieval": RetrievalBaseline, "answers": AnswersBaseline, "access": AccessBaseline,
}  # fmt: skip


class _Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    check: str
    content: msgspec.Raw


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: str
    suites: dict[str, _Suite]


def read_baseline(path: Path) -> dict[str, SuiteBaseline]:
    """Return the accepted suites of a file by name.

    Raises:
        BaselineError: It holds conflict markers, comes from a newer version, was edited by hand, or is none at all.
        InputFileError: It cannot be read as text.
    """
    content = read_content(path)
    where = Location(content.name)
    if found := _CONFLICT.search(content.text):
        raise BaselineError("compare.file_conflict", where=_at(content, found))
    _refuse_repeated(content)
    try:
        head = msgspec.json.decode(content.text, type=dict[str, msgspec.Raw])
        schema = msgspec.json.decode(head.get("schema", msgspec.Raw(b'""')), type=str)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BaselineError("compare.file_unreadable", where=where, reason=str(error)) from None
    if schema != SCHEMA:
        code = "compare.file_newer" if schema.startswith(SCHEMA.partition("/")[0] + "/") else "compare.file_other_file"
        raise BaselineError(code, where=where, schema=schema or "-", known=SCHEMA)
    try:
        file = msgspec.json.decode(content.text, type=_File)
        return {name: _suite(name, suite, where) for name, suite in file.suites.items()}
    except (msgspec.DecodeError, RecursionError) as error:
        raise BaselineError("compare.file_unreadable", where=where, reason=str(error)) from None


def _refuse_repeated(content: Content) -> None:
    """Raise where a suite stands in the file twice, as after a merge: a decoder would take the last without a word."""
    seen = set()
    for found in _SUITE.finditer(content.text):
        before = content.text[max(found.start() - _LONGEST_NAME, 0) : found.start()]
        named = _NAME.search(before[before.rfind("{", 0, before.rfind("{")) + 1 :])
        name = named[1] if named else '""'
        if name in seen:
            raise BaselineError("compare.file_repeated", where=_at(content, found), name=json.loads(name))
        seen.add(name)


def _at(content: Content, found: re.Match[str]) -> Location:
    return Location(content.name, content.text.count("\n", 0, found.start()) + 1)


def write_baseline(path: Path, suites: Mapping[str, SuiteBaseline]) -> None:
    """Write accepted suites, sorted by name, whole or not at all.

    Raises:
        OSError: The file cannot be written; what was there is unchanged.
    """
    write_whole(path, encoded(suites))


def encoded(suites: Mapping[str, SuiteBaseline]) -> bytes:
    """Return the bytes of a baseline file: the same for the same suites, in whatever order they come."""
    return "".join(f"{line}\n" for line in _lines(suites)).encode()


def _suite(name: str, suite: _Suite, where: Location) -> SuiteBaseline:
    kind = msgspec.json.decode(suite.content, type=dict[str, msgspec.Raw]).get("kind", msgspec.Raw(b'""'))
    known = _KINDS.get(msgspec.json.decode(kind, type=str))
    if known is None:
        raise BaselineError("compare.file_unreadable", where=where, reason=f"kind of {name!r}")
    found: SuiteBaseline = msgspec.json.decode(suite.content, type=known)
    if suite.check != _check(found):
        raise BaselineError("compare.file_edited", where=where, name=name)
    return found


def _check(suite: SuiteBaseline) -> str:
    """Return what changes with every change of a suite; it guards against slips of the hand, not against intent."""
    return hashlib.sha256(msgspec.json.encode(suite, order="deterministic")).hexdigest()[:_DIGITS]


def _as_read(suite: SuiteBaseline) -> SuiteBaseline:
    """Return a suite as it will be read: a whole number where a record says float is a float from here on."""
    return msgspec.json.decode(msgspec.json.encode(suite), type=type(suite))


def _lines(suites: Mapping[str, SuiteBaseline]) -> Iterator[str]:
    yield "{"
    yield f'  "schema": "{SCHEMA}",'
    yield '  "suites": {'
    names = sorted(suites)
    for name in names:
        suite = _as_read(suites[name])
        yield f"    {_json(name)}: {{"
        yield f'      "check": "{_check(suite)}",'
        yield '      "content": {'
        plain = msgspec.to_builtins(suite, order="deterministic")
        parts = list(plain)
        for part in parts:
            value = plain[part]
            comma = "" if part == parts[-1] else ","
            if part == "cases":
                yield f'        "{part}": ['
                yield from _listed([_json(entry) for entry in value])
                yield f"        ]{comma}"
            elif isinstance(value, dict) and part != "accepted":
                yield f'        "{part}": {{'
                yield from _listed([f"{_json(key)}: {_json(item)}" for key, item in value.items()])
                yield f"        }}{comma}"
            else:
                yield f'        "{part}": {_json(value)}{comma}'
        yield "      }"
        yield "    }" + ("" if name == names[-1] else ",")
    yield "  }"
    yield "}"


def _listed(items: list[str]) -> Iterator[str]:
    for number, item in enumerate(items, start=1):
        yield f"          {item}" + ("" if number == len(items) else ",")


def _json(value: object) -> str:
    """Return JSON on one line, with a space after colons and commas."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
