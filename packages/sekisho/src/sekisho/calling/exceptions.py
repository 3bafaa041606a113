"""Exceptions of the system under test as records: whatever they do, what is kept of them is text of bounded size."""

from __future__ import annotations

import re
import traceback
from typing import TYPE_CHECKING, Any, Final

from sekisho.calling.records import CaseError
from sekisho.core.errors import SekishoError
from sekisho.core.messages import LANGUAGES, Note, note
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

LONGEST_TEXT = 2_000
LONGEST_TRACEBACK = 20_000
MOST_CAUSES = 8
"""Beyond these an exception is cut: a report is read by people, and a target may raise megabytes for every case."""
_OWN_FOLDER = __file__.rpartition("exceptions")[0]
"""Frames of this folder at the head of a traceback that say nothing about the target."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{8,16}\b")
_SLOTS: Final[Mapping[str, Any]] = vars(BaseException)
"""The attributes of an exception as the interpreter keeps them, which a property of its class may hide."""
_LEFT_OUT = "\n[…]\n"
_DIRECT = "\nThe above exception was the direct cause of the following exception:\n\n"
_DURING = "\nDuring handling of the above exception, another exception occurred:\n\n"


def raised(error: BaseException) -> CaseError:
    """Return the record of an exception that the target let out, with its traceback from the target's frame on."""
    own = own_sentence(error)
    record = CaseError(
        kind="raised",
        reason=note("calling.raised", text=described(error)) if own is None else own,
        traceback=traceback_of(error) if own is None else "",
    )
    _SLOTS["__traceback__"].__set__(error, None)  # one object raised for every case would gather their frames
    return record


def own_sentence(error: BaseException) -> Note | None:
    """Return the sentence of an error of this package, which stands in both languages; None for any other error."""
    if not isinstance(error, SekishoError) or type(error).__module__ != SekishoError.__module__:
        return None
    try:
        sentence = Note(error.code, dict(error.values))
        return sentence if all(sentence.render(language) for language in LANGUAGES) else None
    except Exception:  # noqa: BLE001  a code or a value of the target's own
        return None


def described(error: BaseException) -> str:
    """Return the type and text of an exception in one line."""
    try:
        text = " ".join(shorten(str(error), LONGEST_TEXT).split())
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  an exception of the target may even fail to describe itself
        text = "<str() failed>"
    name = type(error).__name__
    return without_addresses(shorten(f"{name}: {text}" if text else name, LONGEST_TEXT))


def traceback_of(error: BaseException) -> str:
    """Return the traceback of an exception and of what caused it, oldest first, the middle of a long one left out."""
    try:
        text = "".join(reversed(list(_chain(error))))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  as above
        text = f"{described(error)}\n"
    return without_addresses(_middle_left_out(text))


def without_addresses(text: str) -> str:
    """Return text without the addresses of objects, so that two runs give the same."""
    return _ADDRESS.sub("0x…", text)


def _middle_left_out(text: str) -> str:
    half = (LONGEST_TRACEBACK - len(_LEFT_OUT)) // 2
    return text if len(text) <= LONGEST_TRACEBACK else text[:half] + _LEFT_OUT + text[-half:]


def _chain(error: BaseException) -> Iterator[str]:
    """Yield the exception, then what it came from, and how the two hang together before each of these."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None:
        if id(link) in seen or len(seen) > MOST_CAUSES:
            yield _LEFT_OUT
            return
        seen.add(id(link))
        cause, context = (_SLOTS[name].__get__(link) for name in ("__cause__", "__context__"))
        yield _alone(link)
        if cause is None and _SLOTS["__suppress_context__"].__get__(link):
            return
        if cause is not None or context is not None:
            yield _DIRECT if cause is not None else _DURING
        link = context if cause is None else cause


def _alone(error: BaseException) -> str:
    """Return the traceback of one exception without what it came from, which could go on without end."""
    trace = _from_target_on(_SLOTS["__traceback__"].__get__(error))
    kept = {name: _SLOTS[name].__get__(error) for name in ("__cause__", "__context__", "__suppress_context__")}
    try:
        _SLOTS["__cause__"].__set__(error, None)
        _SLOTS["__context__"].__set__(error, None)
        last = traceback.format_exception_only(type(error), error)
    finally:
        for name, value in kept.items():
            _SLOTS[name].__set__(error, value)
    head = ["Traceback (most recent call last):\n", *traceback.format_tb(trace)] if trace else []
    return _middle_left_out("".join([*head, *last]))


def _from_target_on(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OWN_FOLDER):
        trace = trace.tb_next
    return trace
