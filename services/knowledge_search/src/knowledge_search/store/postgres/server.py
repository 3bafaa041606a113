"""The embedded server, as its users see it."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

import psycopg
from psycopg import sql

from knowledge_search.domain import StoreError
from knowledge_search.store.postgres import supervisor
from knowledge_search.store.postgres.account import account
from knowledge_search.store.postgres.binaries import find_binaries, shared_copy
from knowledge_search.store.postgres.cluster import (
    SUPERUSER,
    check_cluster,
    clear_leftovers,
    make_cluster,
    server_environment,
    tail,
)
from knowledge_search.store.postgres.folders import data_folder, locate, remove, socket_folder, system_folder
from knowledge_search.store.postgres.locks import FileLock
from knowledge_search.store.postgres.options import PORT, server_options
from knowledge_search.store.postgres.refusals import explained
from knowledge_search.store.postgres.waiting import Patience

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from knowledge_search.store.postgres.account import Account
    from knowledge_search.store.postgres.binaries import Binaries
    from knowledge_search.store.postgres.folders import Folders

SYSTEM_DIR = Path("/var/lib/knowledge-search")
_LOG_LIMIT_BYTES = 8 * 2**20
_CONNECT_TIMEOUT_S = 10
_ROUNDS = 3
_SEEN_OTHERS = 3
_LEAVING_S = 2.0


def _silent(_message: str) -> None:
    """Say nothing."""


class EmbeddedServer:
    """A PostgreSQL server with pgvector in a folder of its own, shared by every process that names that folder.

    The first user starts it; a later one, also in another process, attaches; the last one stops it, by ``stop``, by
    ending, or by being killed. It is reached on a unix socket in a folder that only its own user can enter. A killed
    server is started again. One object may be used by many threads; a child made by ``fork`` can use its connections'
    address, but neither keeps the server nor stops it.

    Args:
        data_dir: Made where it is lacking, with mode 0700; as root with 0710, for the service user to pass.
        durable: False for a throwaway database: a crash of the machine loses it, a crash of the server does not.
        timeout_s: How long a start may take; the recovery after a crash can take minutes.
        stop_timeout_s: How long a clean stop may take before the server is ended at once, which loses nothing that was
            acknowledged, but makes the next start recover.
        progress: Told that a new database is made, and what is waited for whenever that takes more than 2 s.
        system_dir: Root's own folder; used only as root, for the programs' copy and for data that cannot stay.
        options: Settings of PostgreSQL in addition to, or in place of, ours; used by whoever starts the server.

    Raises:
        StoreError: In ``start`` and ``stop``; the message says what to do.
    """

    def __init__(
        self,
        data_dir: Path | str,
        *,
        durable: bool = True,
        timeout_s: float = 300.0,
        stop_timeout_s: float = 60.0,
        progress: Callable[[str], None] = _silent,
        system_dir: Path = SYSTEM_DIR,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self._asked = Path(data_dir)
        self._durable = durable
        self._timeout_s = timeout_s
        self._stop_timeout_s = stop_timeout_s
        self._progress = progress
        self._system_dir = system_dir
        self._options = dict(options or {})
        self._mutex = threading.RLock()
        self._users: FileLock | None = None
        self._folders: Folders | None = None
        self._sockets = ""
        self._attached = False
        self._pid = os.getpid()
        _living.add(self)

    def __repr__(self) -> str:
        return f"EmbeddedServer({str(self._asked)!r})"

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def attached(self) -> bool:
        """Whether the server was already running when this object was started."""
        return self._attached

    @property
    def folders(self) -> Folders:
        """Where its data, log and locks are; known once it has been started."""
        if self._folders is None:
            raise StoreError(f"The server of {self._asked} is not started; call start() first.")
        return self._folders

    def url(self, database: str = "postgres", *, user: str = SUPERUSER) -> str:
        """Return how psycopg connects to ``database`` as ``user``; no password, since the socket is private."""
        if not self._sockets:
            raise StoreError(f"The server of {self._asked} is not started; call start() first.")
        host = quote(self._sockets, safe="")
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?host={host}&port={PORT}"

    def start(self) -> Self:
        """Start the server, or attach to it; also starts again what was given up after repeated crashes.

        Raises:
            StoreError: It cannot; the last lines of the server's log are in the message.
        """
        if self._pid != os.getpid():
            self._mutex, self._users, self._pid = threading.RLock(), None, os.getpid()
        with self._mutex:
            if self._users is None or not self.running():
                try:
                    self._start(Patience(self._timeout_s, self._progress))
                except BaseException:
                    self._let_go()
                    raise
            return self

    def supervised(self) -> bool:
        """Return whether a process looks after the server; False once it has ended for good or was given up."""
        probe = FileLock(self.folders.locks / "server")
        try:
            return not probe.try_shared()
        finally:
            probe.close()

    def running(self) -> bool:
        """Return whether a connection succeeds now."""
        return bool(self._sockets) and _connects(self.url())

    def stop(self) -> None:
        """Let go of the server, and where this was its last user wait until it has stopped."""
        if self._pid != os.getpid():  # in a forked child, where another thread's lock would stay for ever
            return
        with self._mutex:
            if self._users is None:
                return
            users, folders = self._users, self.folders
            try:
                users.release()
                self._await_stop(users, folders)
            finally:
                self._let_go()

    def create_database(self, name: str) -> str:
        """Make the database ``name`` where it is lacking, and return its address."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
                faster = (psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation)  # another process was
                with suppress(*faster):
                    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def destroy(self) -> None:
        """Stop the server and delete its data.

        Raises:
            StoreError: Another process still uses it.
        """
        with self._mutex:
            folders = self.folders
            self.stop()
            users = FileLock(folders.locks / "users")
            patience = Patience(_LEAVING_S, _silent)
            try:
                while not users.try_alone():
                    patience.step(f"another process still uses {folders.data_dir}, so it is not deleted")
                remove(folders)
            finally:
                users.close()
            self._folders = None

    def _start(self, patience: Patience) -> None:
        binaries, owner = find_binaries(), account()
        if owner.dropped:
            binaries = shared_copy(binaries, system_folder(self._system_dir))
        data_dir = data_folder(self._asked)
        with explained("use the locks of", data_dir):
            if self._users is None:
                self._users = FileLock(data_dir / "locks" / "users")
            while not self._users.try_shared():
                patience.step("waiting for the server to finish stopping")
            starter, lock = FileLock(data_dir / "locks" / "start"), FileLock(data_dir / "locks" / "server")
        try:
            while not starter.try_alone():
                patience.step("waiting for another process to start the server")
            self._folders = locate(data_dir, owner, self._system_dir, self._progress)
            self._attach_or_launch(lock, owner, binaries, patience)
        finally:
            starter.close()
            lock.close()

    def _attach_or_launch(self, lock: FileLock, owner: Account, binaries: Binaries, patience: Patience) -> None:
        for _ in range(_ROUNDS):
            launched = lock.try_alone()
            offset = self._launch(lock, owner, binaries, patience) if launched else 0
            self._sockets = self.folders.read_state().get("sockets", "")
            probe = FileLock(self.folders.locks / "server")
            try:
                ready = self._await_ready(probe, patience)
            finally:
                probe.close()
            if ready:
                self._attached = not launched
                check_locale(self.url())
                return
            if launched:
                raise StoreError(self._why_it_failed(offset))
        raise StoreError(f"The server of {self._asked} ends again and again; look at {self.folders.log}.")

    def _launch(self, lock: FileLock, owner: Account, binaries: Binaries, patience: Patience) -> int:
        """Start a supervisor, which takes over ``lock``, and return where its part of the log begins, in bytes."""
        folders = self.folders
        sockets, temporary = socket_folder(folders, owner, self._system_dir)
        if not folders.cluster.exists() and not folders.cluster.is_symlink():
            self._progress(f"making a new database in {folders.home}")
            make_cluster(folders.cluster, owner, binaries, durable=self._durable)
        check_cluster(folders.cluster, owner, binaries)
        clear_leftovers(folders.cluster, sockets, stop_timeout_s=self._stop_timeout_s, wait=patience.step)
        options = server_options(sockets, durable=self._durable) | self._options
        plan = supervisor.Plan(
            argv=[
                str(binaries.folder / "postgres"), "-D", str(folders.cluster),
                *(f"--{name}={value}" for name, value in options.items()),
            ],
            cluster=str(folders.cluster), identity=dict(owner.identity), environment=server_environment(),
            log=str(folders.log), log_limit_bytes=_LOG_LIMIT_BYTES, users=str(folders.locks / "users"), lock_fd=lock.fd,
            state=str(folders.state), sockets=str(sockets), sockets_temporary=temporary,
            stop_timeout_s=self._stop_timeout_s,
        )  # fmt: skip
        with explained("write the state of the server in", folders.data_dir):
            offset = supervisor.shorten_log(folders.log)
            supervisor.write_state(str(folders.state), sockets=str(sockets), outcome="running", detail="")
        _spawn(plan)
        lock.close()  # the supervisor has inherited it
        return offset

    def _await_ready(self, probe: FileLock, patience: Patience) -> bool:
        """Wait for a connection; False where the supervisor ended first."""
        while not _connects(self.url()):
            if probe.try_shared():
                return False
            patience.step("waiting for the server to start; after a crash it recovers first")
        return True

    def _await_stop(self, users: FileLock, folders: Folders) -> None:
        patience = Patience(self._stop_timeout_s + 30.0, self._progress)
        probe = FileLock(folders.locks / "server")
        others = 0
        try:
            while not probe.try_shared() and others < _SEEN_OTHERS:
                if users.try_alone():  # the supervisor has not seen yet that we have gone
                    others = 0
                elif users.try_shared():
                    others += 1
                users.release()
                patience.step("waiting for the server to stop")
        finally:
            probe.close()
        if others < _SEEN_OTHERS and folders.read_state().get("outcome") == "killed":
            self._progress(
                f"The server did not stop within {self._stop_timeout_s:.0f} s and was ended at once. Nothing "
                f"acknowledged is lost; the next start recovers."
            )

    def _let_go(self) -> None:
        if self._users is not None:
            self._users.close()
        self._users, self._sockets, self._attached = None, "", False

    def _why_it_failed(self, offset: int) -> str:
        detail = self.folders.read_state().get("detail", "")
        try:
            with self.folders.log.open("rb") as log:
                log.seek(offset)
                lines = tail(log.read().decode(errors="replace"))
        except OSError:
            lines = ""
        said = f"The last lines of its log:\n{lines}" if lines else "It left no word; is the disk full?"
        detail += " " if detail else ""
        return f"The server of {self._asked} did not start. {detail}{said}\nIts log: {self.folders.log}"


def check_locale(url: str) -> None:
    """Check that letters are letters in Japanese too.

    Raises:
        StoreError: Trigram search or lower case would silently do nothing.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET client_min_messages = error")
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        row = connection.execute("SELECT cardinality(show_trgm('経費')), lower('Ａ') = 'ａ'").fetchone()
    if row is None or not row[0] or not row[1]:
        raise StoreError(
            "The database was made with a locale in which Japanese has no letters, so its search would silently find "
            "nothing. Move its folder away and ingest the documents again."
        )


def _connects(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=_CONNECT_TIMEOUT_S).close()
    except psycopg.OperationalError:
        return False
    return True


def _spawn(plan: supervisor.Plan) -> None:
    if not sys.executable:
        raise StoreError("This Python does not know its own program, which supervises the server; set DATABASE_URL.")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    program = Path(sys.executable)
    with explained("run", program), os.fdopen(supervisor.open_log(Path(plan["log"])), "ab") as log:
        subprocess.run(  # noqa: S603 - our own words only
            [program, "-I", "-S", "-W", "ignore", supervisor.__file__], input=json.dumps(plan).encode(),
            stdout=log, stderr=log, env=environment, cwd="/", pass_fds=[plan["lock_fd"]], check=True, umask=0o077,
        )  # fmt: skip


_living: weakref.WeakSet[EmbeddedServer] = weakref.WeakSet()


def _stop_all() -> None:
    for server in list(_living):
        server.stop()


atexit.register(_stop_all)
