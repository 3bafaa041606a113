"""A recording as a file: JSON Lines, a head and then an exchange a line, in an order that does not depend on time."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.adapters.files.content import Content, names_memory, read_content
from sekisho.adapters.files.json_text import parse
from sekisho.adapters.model_recording.exchange import Exchange, Reply, keyed
from sekisho.adapters.writing import write_whole
from sekisho.core.errors import ConfigurationError, InputFileError, Location

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable
    from pathlib import Path

FORMAT = "sekisho.cassette/1"
_HEAD = {"format": str, "model": str, "samples": int, "min_pass_rate": float, "exchanges": int}
_LINE = {
    "suite": str, "case": str, "sample": int, "method": str, "path": str, "request": object, "is_json": bool,
    "number": int, "status": int, "content_type": str, "body": str, "is_base64": bool, "check": str,
}  # fmt: skip
_STATUSES = range(200, 600)
_STEERING = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Control characters that JSON need not escape, zero-width characters and marks of direction."""


class Cassette(msgspec.Struct, frozen=True, kw_only=True):
    """A recording.

    Attributes:
        model: The name that the target was given.
        samples: The most answers that were asked for, of each case.
        min_pass_rate: The share of them that had to pass, which decides where asking stopped.
        exchanges: In the order of the file.
    """

    model: str
    samples: int
    min_pass_rate: float
    exchanges: tuple[Exchange, ...] = ()

    def with_recorded(self, exchanges: Iterable[Exchange], *, recorded: Collection[tuple[str, str]]) -> Cassette:
        """Return the recording in which these exchanges stand for all that it had of the recorded suites and cases.

        Args:
            exchanges: Of this run; those of cases that are not among ``recorded`` are left out.
            recorded: Pairs of suite and case that were asked and measured.
        """
        kept = [each for each in self.exchanges if (each.suite, each.case) not in recorded]
        new = [each for each in exchanges if (each.suite, each.case) in recorded]
        ordered = sorted((*kept, *new), key=lambda each: each.place)
        return msgspec.structs.replace(self, exchanges=tuple(ordered))


def write_cassette(path: Path, cassette: Cassette) -> None:
    """Write a recording, whole or not at all.

    Raises:
        ConfigurationError: The file cannot be written.
    """
    head = {
        "format": FORMAT,
        "model": cassette.model,
        "samples": cassette.samples,
        "min_pass_rate": float(cassette.min_pass_rate),
        "exchanges": len(cassette.exchanges),
    }
    lines = [head, *map(_line, cassette.exchanges)]
    try:
        write_whole(path, "".join(_encoded(line) + "\n" for line in lines).encode())
    except OSError as error:
        raise ConfigurationError("app.cannot_write", path=str(path), reason=error.strerror or str(error)) from error


def _encoded(value: object) -> str:
    """Return a line of JSON that steers no terminal and reorders no text when the file is looked at."""
    text = json.dumps(value, ensure_ascii=False)
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _line(exchange: Exchange) -> dict[str, Any]:
    request, reply = exchange.request, exchange.reply
    body, is_base64 = _text_of(reply.body)
    line: dict[str, Any] = {
        "suite": exchange.suite,
        "case": exchange.case,
        "sample": exchange.sample,
        "method": request.method,
        "path": request.path,
        "request": request.body,
        "is_json": request.is_json,
        "number": exchange.number,
        "status": reply.status,
        "content_type": reply.content_type,
        "body": body,
        "is_base64": is_base64,
    }
    return {**line, "check": _check(line)}


def _text_of(body: bytes) -> tuple[str, bool]:
    try:
        return body.decode(), False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode(), True


def _check(line: dict[str, Any]) -> str:
    """Return what tells a line that was changed by hand, or by accident, from one that was recorded."""
    return hashlib.sha256(json.dumps(line, sort_keys=True).encode()).hexdigest()[:16]


@names_memory
def read_cassette(path: str | os.PathLike[str]) -> Cassette:
    """Return a recording.

    Raises:
        InputFileError: The file cannot be read, is no recording or one of another version, was cut off, or holds a line
            that is not as it was recorded; with its line.
    """
    content = read_content(path)
    lines = content.text.split("\n")
    head = _head(content, lines[0])
    if lines[-1]:
        raise _problem(content, len(lines), "models.cassette_cut", found=len(lines) - 2, told=head["exchanges"])
    exchanges = [_exchange(content, line, number) for number, line in enumerate(lines[1:-1], 2)]
    if len(exchanges) != head["exchanges"]:
        raise _problem(content, len(lines) - 1, "models.cassette_cut", found=len(exchanges), told=head["exchanges"])
    seen: set[tuple[object, ...]] = set()
    for number, exchange in enumerate(exchanges, 2):
        if exchange.place in seen:
            raise _problem(content, number, "models.cassette_twice")
        seen.add(exchange.place)
    return Cassette(
        model=head["model"],
        samples=head["samples"],
        min_pass_rate=head["min_pass_rate"],
        exchanges=tuple(exchanges),
    )


def _head(content: Content, line: str) -> dict[str, Any]:
    found = parse(content, line, 1)
    if not isinstance(found, dict) or not str(found.get("format", "")).startswith("sekisho.cassette/"):
        raise _problem(content, 1, "models.cassette_other")
    if found["format"] != FORMAT:
        raise _problem(content, 1, "models.cassette_version", found=str(found["format"]), known=FORMAT)
    if not _has_form(found, _HEAD) or found["samples"] < 1 or not 0 <= found["min_pass_rate"] <= 1:
        raise _problem(content, 1, "models.cassette_line")
    return found


def _exchange(content: Content, text: str, number: int) -> Exchange:
    line = parse(content, text, number)
    if not isinstance(line, dict) or not _has_form(line, _LINE) or line["status"] not in _STATUSES:
        raise _problem(content, number, "models.cassette_line")
    try:
        if line.pop("check") != _check(line):
            raise _problem(content, number, "models.cassette_changed")
        body = base64.b64decode(line["body"], validate=True) if line["is_base64"] else line["body"].encode()
        request = keyed(line["method"], line["path"], line["request"], is_json=line["is_json"])
    except (binascii.Error, RecursionError):
        raise _problem(content, number, "models.cassette_line") from None
    reply = Reply(line["status"], line["content_type"], body)
    return Exchange(line["suite"], line["case"], line["sample"], request, line["number"], reply)


def _has_form(line: dict[str, Any], form: dict[str, type]) -> bool:
    """Tell whether a line has these members and no others, each of its type; true is no whole number here."""
    return line.keys() == form.keys() and all(
        kind is object or (isinstance(line[name], kind) and isinstance(line[name], bool) == (kind is bool))
        for name, kind in form.items()
    )


def _problem(content: Content, line: int, code: str, **values: object) -> InputFileError:
    return InputFileError(code, where=Location(content.name, line), **values)
