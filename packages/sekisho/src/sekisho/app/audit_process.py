"""Starting a process of an audit, listening to it, and ending it whatever happens."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from sekisho.core.messages import Note, note

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sekisho.app.audit_child import Request
    from sekisho.compare.determinism import Observations

_START = "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); from sekisho.app.audit_child import main; main()"
_GRACE_S = 2.0
"""How long a process may take to end once it has given its results, or was asked to end."""
_LAST_WORDS = 2000


def measured_in_child(
    request: Request,
    *,
    path: Sequence[str],
    environment: Mapping[str, str],
    limit_s: float,
    on_progress: Callable[[str, int, int], None],
) -> Observations | Note:
    """Return what a fresh process saw, or why it saw nothing.

    Args:
        request: What it runs.
        path: Where it imports from.
        environment: Variables that it has beside those of this process.
        limit_s: Seconds after which it is ended.
        on_progress: Told the suite and how many of how many cases are done.
    """
    command = [sys.executable, *["-O"] * sys.flags.optimize, "-c", _START, json.dumps(list(path))]
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(  # noqa: S603  this interpreter, with a fixed program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, **environment},
                start_new_session=True,  # so that what the target forks can be ended with it
            )
        except OSError as error:
            return note("audit.not_started", reason=error.strerror or str(error))
        with process:
            return _results_of(process, request, errors=errors, limit_s=limit_s, on_progress=on_progress)


def _results_of(
    process: subprocess.Popen[bytes],
    request: Request,
    *,
    errors: IO[bytes],
    limit_s: float,
    on_progress: Callable[[str, int, int], None],
) -> Observations | Note:
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018  they are pipes
    late = threading.Event()

    def end_late() -> None:
        late.set()
        _kill(process)

    timer = threading.Timer(limit_s, end_late)
    timer.daemon = True
    timer.start()
    has_spoken = False
    try:
        with suppress(BrokenPipeError), process.stdin:
            pickle.dump(request, process.stdin)
        said = _last_line(process.stdout, on_progress)
        has_spoken = said is not None
    finally:
        timer.cancel()
        _end(process, ask=not has_spoken)
    if late.is_set():
        return note("audit.late", limit_s=f"{limit_s:g}")
    if said is None:
        return _without_results(process.returncode, errors, redacted=_holds_secrets(request))
    return _understood(said, redacted=_holds_secrets(request))


def _last_line(lines: IO[bytes], on_progress: Callable[[str, int, int], None]) -> list[Any] | None:
    """Return the line with the results, or None where the process ends without one."""
    for line in lines:
        try:
            said = json.loads(line)
        except ValueError:
            return None
        match said:
            case ["progress", str(suite), int(done), int(total)]:
                on_progress(suite, done, total)
            case ["results", dict()] | ["refused", str(), dict()]:
                return list(said)
            case _:  # the target has found the pipe
                return None
    return None


def _understood(said: list[Any], *, redacted: bool) -> Observations | Note:
    if said[0] == "results":
        seen: Observations = said[1]
        return seen
    return note("audit.refused_redacted") if redacted else note("audit.refused", reason=Note(said[1], said[2]))


def _without_results(code: int, errors: IO[bytes], *, redacted: bool) -> Note:
    errors.seek(max(0, errors.seek(0, os.SEEK_END) - _LAST_WORDS))
    lines = [line.strip() for line in errors.read().decode("utf-8", "replace").splitlines() if line.strip()]
    if lines and not redacted:
        return note("audit.ended_with", code=code, words=lines[-1])
    return note("audit.ended", code=code)


def _holds_secrets(request: Request) -> bool:
    return bool(request.hidden) or any(suite.redact for suite in request.suites)


def _end(process: subprocess.Popen[bytes], *, ask: bool) -> None:
    """Wait until a process has ended, and end it where it does not by itself."""
    try:
        if ask:
            process.terminate()
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        pass
    finally:
        if process.poll() is None:
            _kill(process)
            process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it has forked."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
