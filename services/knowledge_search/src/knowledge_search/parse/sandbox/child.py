"""The child process: limits itself, reads standard input, writes one JSON object a line. Started by ``run.read``.

Arguments: the reader, its limits as JSON, the numbers of the pages that are wanted as a JSON list (empty: all).
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import resource
import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_READERS: Final = {"pdfium": "pdfium_reader", "pypdf": "pypdf_reader", "html": "html_reader"}
_OPEN_FILES: Final = 32
_NO_NEW_PRIVILEGES: Final = 38
"""``PR_SET_NO_NEW_PRIVS`` of prctl(2)."""


class ReadError(Exception):
    """A failure with its status, for the parent."""

    def __init__(self, status: str, detail: str = "") -> None:
        super().__init__(status, detail)
        self.status = status
        self.detail = detail


def limit_itself(memory_bytes: int, cpu_s: int, wall_s: float) -> None:
    """Give up memory, time, files and new processes beyond what the task needs."""
    for name, most in (
        ("RLIMIT_AS", memory_bytes), ("RLIMIT_FSIZE", 0), ("RLIMIT_CORE", 0),
        ("RLIMIT_NOFILE", _OPEN_FILES), ("RLIMIT_NPROC", 0),
    ):  # fmt: skip
        if hasattr(resource, name):
            resource.setrlimit(getattr(resource, name), (most, most))
    # The soft limit ends with SIGXCPU, which tells the parent why; at the hard one the kernel sends SIGKILL.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    # Ends the child also where the parent is gone; a handler in Python would wait for the library to return.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(math.ceil(wall_s) + 1)


def write(record: dict[str, object]) -> None:
    """Write one record and hand it over at once, so that a crash loses nothing that was said."""
    line = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def _records(
    reader: str, content: bytes, wanted: Sequence[int], limits: dict[str, float]
) -> Iterator[dict[str, object]]:
    module = import_module(f"knowledge_search.parse.sandbox.{_READERS[reader]}")
    characters = 0
    for record in module.records(content, wanted=wanted, most_pages=int(limits["pages"])):
        text = record.get("text")
        characters += len(text) if isinstance(text, str) else 0
        if characters > limits["characters"]:
            raise ReadError("too_large", f"more than {limits['characters']:.0f} characters of text")
        yield record


def main(arguments: Sequence[str]) -> None:
    """Read the file on standard input and report it."""
    reader, limits, wanted = arguments[0], json.loads(arguments[1]), json.loads(arguments[2])
    limit_itself(limits["memory_bytes"], limits["cpu_s"], limits["wall_s"])
    try:
        for record in _records(reader, sys.stdin.buffer.read(), wanted, limits):
            write(record)
        write({"end": True})
    except ReadError as error:
        write({"error": error.status, "detail": error.detail})
    except MemoryError:
        write({"error": "too_large", "detail": f"{reader} needed more than {limits['memory_bytes'] >> 20} MiB"})
    except Exception as error:  # noqa: BLE001 - a reader may fail in any way; the parent learns which
        write({"error": "malformed", "detail": f"{reader}: {type(error).__name__}"})
    # Without the interpreter's tidying up: destructors of a broken document have been seen to crash.
    os._exit(0)


if __name__ == "__main__":
    # Run with -m, this module is __main__; readers import it by its name, and raise that one's ReadError.
    import_module("knowledge_search.parse.sandbox.child").main(sys.argv[1:])
