"""The document of a report, taken apart for the store and put together again."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.core.errors import InputFileError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LEVEL = 6
"""Of zlib; 9 saves one byte in twenty-five on reports and takes three times as long."""
_LARGEST = 256_000_000
"""Bytes of one part, unpacked; beyond it a file was made to exhaust the memory."""
_DECIMALS = 3
"""Of the milliseconds of each case: to the microsecond; the digits beyond are noise that no compression reduces."""
_HEADLINES = {"answers": "passed", "access": "leaks"}
_PARTIAL = "report.partial"
"""The code of the warning that only some cases were selected."""


def packed(part: object) -> bytes:
    """Return a part of a document, compressed."""
    return compressed(plain(part))


def compressed(text: bytes) -> bytes:
    """Return a part that is JSON by now, compressed."""
    return zlib.compress(text, _LEVEL)


def plain(part: object) -> bytes:
    """Return a part of a document as JSON; half of a surrogate pair, which that cannot hold, is escaped."""
    try:
        return msgspec.json.encode(part)
    except UnicodeEncodeError:
        return msgspec.json.encode(_without_surrogates(msgspec.to_builtins(part)))


def unpacked(content: bytes, *, run: int, most: int = _LARGEST) -> dict[str, Any]:
    """Return a part of a document.

    Args:
        content: As packed.
        run: Whose it is, for the error.
        most: Bytes that it may have.

    Raises:
        InputFileError: What was kept of this run is damaged.
    """
    try:
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(content, most)
        if not unpacking.eof:
            raise InputFileError("history.broken_run", run=run)
        part: dict[str, Any] = msgspec.json.decode(text, type=dict[str, Any])
    except (zlib.error, msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise InputFileError("history.broken_run", run=run) from error
    return part


def digest_of(text: bytes) -> bytes:
    """Return what a content is found under."""
    return hashlib.blake2b(text, digest_size=16).digest()


def remainder_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document without its suites, with durations to the microsecond."""
    rest = {key: value for key, value in document.items() if key != "suites"}
    facts = rest.get("run")
    if isinstance(facts, dict) and isinstance(facts.get("elapsed_ms"), dict):
        elapsed = {suite: _rounded(times) for suite, times in facts["elapsed_ms"].items()}
        rest["run"] = {**facts, "elapsed_ms": elapsed}
    return rest


def put_together(rest: Mapping[str, Any], suites: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the whole document, its keys in the order of the report."""
    first = {key: rest[key] for key in ("schema", "verdict", "exit_code") if key in rest}
    return {**first, "suites": list(suites), **{key: value for key, value in rest.items() if key not in first}}


def headline_of(suite: Mapping[str, Any]) -> tuple[str | None, float | None, int | None]:
    """Return the metric that stands for a suite in a list, its value, and what it is counted out of."""
    metrics = suite.get("metrics") or {}
    name = _HEADLINES.get(suite["kind"]) or next((each for each in metrics if each.startswith("recall@")), None)
    if name not in metrics:
        name = next(iter(metrics), None)
    if name is None:
        return None, None, None
    return name, metrics[name], len(suite["cases"]) if suite["kind"] == "answers" else None


def is_partial(suite: Mapping[str, Any]) -> bool:
    """Tell whether only some cases of a suite were selected, so that its metrics mean something else."""
    return any(warning["code"] == _PARTIAL for warning in suite.get("warnings", ()))


def ruler_of(suite: Mapping[str, Any]) -> bytes | None:
    """Return a digest of what a suite was measured on, or None where it says nothing about that."""
    prints = suite.get("fingerprints")
    return digest_of(msgspec.json.encode(prints, order="sorted"))[:8] if prints else None


def _rounded(times: object) -> object:
    if not isinstance(times, dict):
        return times
    return {key: round(value, _DECIMALS) if isinstance(value, float) else value for key, value in times.items()}


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    return value
