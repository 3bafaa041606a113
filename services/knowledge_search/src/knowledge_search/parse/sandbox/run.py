"""Starts the child process, waits for it no longer than allowed, and takes no more from it than allowed."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, Literal

from knowledge_search.domain import DocumentError
from knowledge_search.parse.sandbox.records import RawDocument, document_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge_search.parse.sandbox.limits import Limits

_PLACES: Final = threading.BoundedSemaphore(max(2, os.cpu_count() or 1))
"""Children at once: more would not be faster, and each may take all of its memory. The time of others starts later."""
_CHILD: Final = "knowledge_search.parse.sandbox.child"
_BYTES_PER_CHARACTER: Final = 6
"""UTF-8 has at most four; JSON writes a control as six."""
_BYTES_PER_PAGE: Final = 1024
_READ: Final = 1 << 16
_OUT_OF_TIME: Final = frozenset({-signal.SIGXCPU, -signal.SIGALRM})


def read(
    content: bytes, reader: Literal["pdfium", "pypdf", "html"], limits: Limits, *, pages: Sequence[int] = ()
) -> RawDocument:
    """Return what ``reader`` finds in ``content``, read in a process of its own.

    The child is an isolated Python with an empty environment that limits itself before it looks at the first byte.

    Args:
        content: The file.
        reader: Which library reads it.
        limits: What this attempt may cost.
        pages: Numbers from 1; none means all.

    Raises:
        DocumentError: The file cannot be read; ``timed_out`` and ``crashed`` name what became of the child.
    """
    with _PLACES:
        return _read(content, reader, limits, pages)


def _read(content: bytes, reader: str, limits: Limits, pages: Sequence[int]) -> RawDocument:
    arguments = [sys.executable, "-I", "-B", "-m", _CHILD, reader, json.dumps(asdict(limits)), json.dumps(list(pages))]
    with tempfile.TemporaryFile() as given:
        given.write(content)
        given.seek(0)
        child = subprocess.Popen(  # noqa: S603 - our own module, our own interpreter
            arguments, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={}, cwd="/",
            start_new_session=True,
        )  # fmt: skip
    try:
        output, in_time = _output(child, limits)
    finally:
        child.kill()
        code = child.wait()
        if child.stdout:
            child.stdout.close()
    if not in_time or code in _OUT_OF_TIME:
        raise DocumentError("timed_out", f"{reader} needed more than {limits.wall_s:g} s or {limits.cpu_s} CPU-s")
    document = document_of(output, limits)
    if document is None:
        raise DocumentError("crashed", f"{reader} ended with code {code}")
    return document


def _output(child: subprocess.Popen[bytes], limits: Limits) -> tuple[bytes, bool]:
    """Return what the child wrote, and whether it was done within its time."""
    assert child.stdout is not None  # noqa: S101 - it is a pipe
    deadline = time.monotonic() + limits.wall_s
    most = limits.characters * _BYTES_PER_CHARACTER + limits.pages * _BYTES_PER_PAGE
    output = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            if not selector.select(left):
                continue
            part = os.read(child.stdout.fileno(), _READ)
            if not part:
                return bytes(output), _ended(child, deadline)
            output += part
            if len(output) > most:
                raise DocumentError("too_large", f"more than {limits.characters} characters of text")
    return bytes(output), False


def _ended(child: subprocess.Popen[bytes], deadline: float) -> bool:
    """Wait for a child that has said all, no longer than it may run."""
    try:
        child.wait(max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        return False
    return True
