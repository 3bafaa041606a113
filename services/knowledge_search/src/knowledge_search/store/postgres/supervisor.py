"""The process that owns the server: its parent, which restarts it when it is killed and stops it after its last user.

Run as a script of its own (``python -I -S supervisor.py``, the plan as JSON on its standard input), so it imports the
standard library alone. Each user of the server holds a shared lock on one file; the supervisor waits for that lock
alone, which the kernel grants as soon as the last user has let go or died, even by ``kill -9``. While it lives it holds
another lock, by which others know that there is a supervisor.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, TypedDict

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_EVENTS = {signal.SIGCHLD, signal.SIGALRM, signal.SIGUSR1, signal.SIGTERM, signal.SIGINT}
_LOG_CHECK_S = 10.0
_RESTARTS = 5
_RESTART_WINDOW_S = 60.0
_ORPHAN_S = 10.0


class Plan(TypedDict):
    """What the supervisor is to do.

    Attributes:
        argv: The server's command.
        cluster: Its data folder.
        identity: Arguments of ``Popen`` that change the user; empty where we are that user.
        environment: The server's environment.
        log: The server's standard error is appended to this file.
        log_limit_bytes: Beyond this the log moves to ``<log>.1``, in place of the older one.
        users: The file whose shared locks are the server's users.
        lock_fd: The inherited lock by which others know that this supervisor lives.
        state: Where ``outcome`` is kept, as JSON.
        sockets: The folder of the socket.
        sockets_temporary: Whether that folder goes with the server.
        stop_timeout_s: How long a clean stop may take.
    """

    argv: list[str]
    cluster: str
    identity: dict[str, Any]
    environment: dict[str, str]
    log: str
    log_limit_bytes: int
    users: str
    lock_fd: int
    state: str
    sockets: str
    sockets_temporary: bool
    stop_timeout_s: float


def processes_of(cluster: str) -> set[int]:
    """Return the live PostgreSQL processes whose data folder is ``cluster`` (each works in it); empty without /proc."""
    found = set()
    target = os.path.realpath(cluster)
    for name in os.listdir("/proc") if Path("/proc/self/cwd").exists() else ():  # noqa: PTH208 - names, not paths
        if not name.isdecimal():
            continue
        try:
            program = Path(f"/proc/{name}/exe").readlink().name.removesuffix(" (deleted)")
            if program == "postgres" and str(Path(f"/proc/{name}/cwd").readlink()) == target:
                found.add(int(name))
        except OSError:  # gone, a zombie, or not ours to look at: then it is not ours to mind
            continue
    return found


def end(cluster: str, signals: list[signal.Signals], *, each_s: float) -> bool:
    """Send the processes of ``cluster`` one signal after another, until none is left; False where some are."""
    for number in signals:
        for pid in processes_of(cluster):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
        deadline = time.monotonic() + each_s
        while time.monotonic() < deadline:
            if not processes_of(cluster):
                return True
            time.sleep(0.02)
    return not processes_of(cluster)


def write_state(path: str, **changes: object) -> None:
    """Merge ``changes`` into the state file, in one step."""
    try:
        state = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        state = {}
    fresh = Path(f"{path}.new")
    fresh.unlink(missing_ok=True)
    fresh.write_text(json.dumps(state | changes), encoding="utf-8")
    fresh.replace(path)


def shorten_log(log: Path, limit_bytes: int = 2**20) -> int:
    """Move a long log to ``<log>.1`` before a start, and return the length of what stays, in bytes."""
    try:
        size = log.stat().st_size
    except FileNotFoundError:
        return 0
    if size <= limit_bytes:
        return size
    log.replace(f"{log}.1")
    return 0


def open_log(log: Path) -> int:
    """Open the log to append to, readable by its owner alone, and return the file's number."""
    return os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def bound_log(log: Path, limit_bytes: int) -> None:
    """Copy a log that is too long to ``<log>.1`` and empty it in place: the server appends to the file it has open."""
    try:
        if log.stat().st_size > limit_bytes:
            shutil.copyfile(log, f"{log}.1")
            os.truncate(log, 0)
    except OSError:  # a full disk: then the older part is given up
        with suppress(OSError):
            os.truncate(log, 0)


class Supervisor:
    """Keeps one server running until nobody uses it."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._users = os.open(plan["users"], os.O_RDWR | os.O_NOFOLLOW)
        self._restarts: list[float] = []
        self._server = self._launch()

    def run(self) -> None:
        """Wait for events until the server is stopped or given up."""
        threading.Thread(target=self._await_last_user, daemon=True).start()
        signal.setitimer(signal.ITIMER_REAL, _LOG_CHECK_S, _LOG_CHECK_S)
        outcome = None
        while outcome is None:
            event = signal.sigwait(_EVENTS)
            if event == signal.SIGALRM:
                bound_log(Path(self._plan["log"]), self._plan["log_limit_bytes"])
            elif event != signal.SIGCHLD:
                outcome = self._stop()
            elif self._server.poll() is not None:
                outcome = self._server_ended(self._server.returncode)
        write_state(self._plan["state"], outcome=outcome)
        if self._plan["sockets_temporary"] and outcome != "failed":
            shutil.rmtree(self._plan["sockets"], ignore_errors=True)
        os.close(self._plan["lock_fd"])  # before the users' file, whose next holder looks at this lock
        os._exit(0)  # the thread may still wait

    def _launch(self) -> subprocess.Popen[bytes]:
        log = open_log(Path(self._plan["log"]))
        try:
            return subprocess.Popen(  # noqa: S603 - the plan comes from our own caller
                self._plan["argv"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", umask=0o077,
                env=self._plan["environment"], preexec_fn=_in_server, start_new_session=True, **self._plan["identity"],  # noqa: PLW1509 - the other thread only sleeps in flock
            )  # fmt: skip
        finally:
            os.close(log)

    def _await_last_user(self) -> None:
        fcntl.flock(self._users, fcntl.LOCK_EX)
        os.kill(os.getpid(), signal.SIGUSR1)

    def _server_ended(self, code: int) -> str | None:
        """Start a killed server again; one that ended by itself had its reason, which stands in its log."""
        now = time.monotonic()
        self._restarts = [at for at in self._restarts if now - at < _RESTART_WINDOW_S]
        if code >= 0 or len(self._restarts) >= _RESTARTS:
            return "failed"
        self._restarts.append(now)
        end(self._plan["cluster"], [signal.SIGQUIT, signal.SIGKILL], each_s=_ORPHAN_S)
        self._server = self._launch()
        return None

    def _stop(self) -> str:
        for number, seconds in ((signal.SIGINT, self._plan["stop_timeout_s"]), (signal.SIGQUIT, _ORPHAN_S)):
            if self._server.poll() is None:
                self._server.send_signal(number)
            try:
                self._server.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            return "stopped" if number == signal.SIGINT else "killed"
        self._server.kill()
        self._server.wait()
        end(self._plan["cluster"], [signal.SIGQUIT, signal.SIGKILL], each_s=_ORPHAN_S)
        return "killed"


def _in_server() -> None:
    """Prepare the server's process: no blocked signals, and a clean stop if the supervisor dies (Linux)."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, int(signal.SIGINT), 0, 0, 0)


_prctl = getattr(ctypes.CDLL(None), "prctl", None) if sys.platform == "linux" else None


def main() -> None:
    """Read the plan, leave the caller's session and terminal, and supervise."""
    plan: Plan = json.load(sys.stdin)
    if os.fork():
        os._exit(0)  # the caller waits for this process only
    os.setsid()
    os.chdir("/")
    os.umask(0o077)
    os.set_inheritable(plan["lock_fd"], False)  # noqa: FBT003 - the standard library's own signature
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    for number in _EVENTS:
        signal.signal(number, lambda *_: None)  # never runs: blocked below; but an ignored signal would not be pending
    signal.pthread_sigmask(signal.SIG_SETMASK, _EVENTS)
    try:
        Supervisor(plan).run()
    except BaseException as error:
        write_state(plan["state"], outcome="failed", detail=f"{type(error).__name__}: {error}")
        raise


if __name__ == "__main__":
    main()
