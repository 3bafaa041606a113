"""The database as its users see it: reading within a scope, writing as the owner."""

from __future__ import annotations

import shutil
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import psycopg
from psycopg import IsolationLevel
from psycopg_pool import ConnectionPool, PoolTimeout

from knowledge_search.domain import EmbedderError, StoreError, StoreFullError
from knowledge_search.store.connections import Connection, conninfo, prepare, unreachable
from knowledge_search.store.migrate import migrate
from knowledge_search.store.reading import Reading, begin
from knowledge_search.store.roles import check_reader
from knowledge_search.store.visible import READER, Locks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from knowledge_search.domain import Scope

_LOST = (psycopg.OperationalError, psycopg.InterfaceError)
_RECONNECT_S: Final = 5.0
"""The pool doubles its pause from try to try; after this long it begins anew, so that a server that was away for an
hour is found as soon as one that was away for a second."""
RESERVE_BYTES: Final = 64 * 2**20
"""Kept free on the disk of the embedded server: four files of its log, for the audit log and a recovery."""
T = TypeVar("T")


class Database:
    """Two pools on one database: readers as ``knowledge_app``, within a scope; writers as the owner.

    Use it as a context manager, or call :meth:`open` and :meth:`close`. Opening migrates the schema and refuses to go
    on when row-level security would not bind the readers.

    Args:
        url: Connection string of the owner.
        reader_url: Connection string of a log-in that is a member of ``knowledge_app``; without it the readers log in
            as the owner and switch to the role.
        readers: Connections for reading, at most; ``writers`` for writing.
        timeout_s: How long to wait for a connection, also while a server that was killed recovers.
        locks: For tests alone, see :class:`Locks`.
        folder: Where an embedded server keeps its data, for :meth:`check_room`.

    Raises:
        StoreError: From every method: the server cannot be reached.
    """

    def __init__(
        self,
        url: str,
        *,
        reader_url: str | None = None,
        readers: int = 8,
        writers: int = 4,
        timeout_s: float = 30.0,
        locks: Locks | None = None,
        folder: Path | None = None,
    ) -> None:
        self.locks = locks or Locks()
        self._folder = folder
        self._url = url
        self._timeout_s = timeout_s
        role = READER if self.locks.row_security else None
        self._readers = self._pool(conninfo(reader_url or url, role=role), readers, _prepare_reader)
        self._writers = self._pool(conninfo(url), writers, prepare)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.locks})"

    def _pool(self, dsn: str, size: int, configure: Any) -> ConnectionPool[Connection]:  # noqa: ANN401 - a callback
        return ConnectionPool(
            dsn, min_size=1, max_size=size, open=False, configure=configure, timeout=self._timeout_s, name="knowledge",
            reconnect_timeout=_RECONNECT_S,
        )  # fmt: skip

    def open(self) -> Self:
        """Migrate, connect, and prove that the locks hold.

        Raises:
            StoreError: The server is too old, newer than this code, or the reading role could bypass the locks.
        """
        migrate(self._url)
        self._readers.open()
        self._writers.open()
        try:
            self.check()
        except BaseException:
            self.close()
            raise
        return self

    def check(self) -> None:
        """Raise StoreError unless row-level security binds the readers; part of :meth:`open` and of ``doctor``."""
        if not self.locks.row_security:
            return
        with self._started(self._readers, lambda _: None) as (connection, _):
            check_reader(connection)

    def ping(self) -> None:
        """Return once the server answers a reader; raises StoreError where it does not."""
        with self._started(self._readers, ConnectionPool.check_connection):
            pass

    def check_room(self, wanted_bytes: int) -> None:
        """Raise StoreFullError where writing this much could fill the disk of the embedded server.

        PostgreSQL undoes what does not fit, unless it is its log of changes: then it ends, and cannot start again
        before there is space. So some is kept free.
        """
        if self._folder is None:
            return
        free, wanted = shutil.disk_usage(self._folder).free, wanted_bytes + RESERVE_BYTES
        if free < wanted:
            message = (
                f"the disk of the database is nearly full and nothing was changed: {free >> 20} MB are free, "
                f"{wanted >> 20} MB are needed; free some space and try again"
            )
            raise StoreFullError(message)

    def close(self) -> None:
        """Close both pools."""
        self._readers.close()
        self._writers.close()

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def reading(
        self, scope: Scope, *, fingerprint: str | None = None, settings: Mapping[str, str] | None = None
    ) -> Iterator[Reading]:
        """Read what ``scope`` may see, in one snapshot.

        Args:
            scope: Who asks.
            fingerprint: Of the embedder whose query vectors will be compared.
            settings: Of PostgreSQL for this transaction, such as ``hnsw.ef_search``.

        Raises:
            EmbedderError: The stored vectors were made by another embedder.
            StoreError: The server cannot be reached, or does not know a setting.
        """
        departments = scope.sorted

        def start(connection: Connection) -> str | None:
            return begin(connection, departments, settings or {})

        with self._started(self._readers, start) as (connection, stored):
            if fingerprint is not None and stored not in {None, fingerprint}:
                message = f"the stored vectors were made by another embedder ({stored}): run knowledge-search reembed"
                raise EmbedderError(message)
            yield Reading(connection, departments)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write as the owner, in one transaction that ends with the block: committed, or undone on an error."""
        with self._started(self._writers, ConnectionPool.check_connection) as (connection, _):
            yield connection

    @contextmanager
    def _started(
        self, pool: ConnectionPool[Connection], start: Callable[[Connection], T]
    ) -> Iterator[tuple[Connection, T]]:
        """Yield a connection on which ``start`` has run, and its result; one that broke in the pool is replaced."""
        connection, started = self._start(pool, start)
        try:
            with connection:
                yield connection, started
        except psycopg.errors.DiskFull as error:
            raise StoreFullError(self._explain(connection, error)) from error
        except _LOST as error:
            raise StoreError(self._explain(connection, error)) from error
        finally:
            pool.putconn(connection)

    def _start(self, pool: ConnectionPool[Connection], start: Callable[[Connection], T]) -> tuple[Connection, T]:
        until = time.monotonic() + self._timeout_s
        while True:
            try:
                connection = pool.getconn()
            except PoolTimeout as error:
                raise StoreError(unreachable(self._url, error)) from None
            try:
                return connection, start(connection)
            except _LOST as error:
                pool.putconn(connection)
                if not connection.closed or time.monotonic() > until:
                    raise StoreError(self._explain(connection, error)) from None
            except BaseException:
                pool.putconn(connection)
                raise

    def _explain(self, connection: Connection, error: Exception) -> str:
        if connection.closed:
            return unreachable(self._url, error)
        return f"PostgreSQL could not do it and nothing was changed: {' '.join(str(error).split())}"


def _prepare_reader(connection: Connection) -> None:
    prepare(connection)
    connection.isolation_level = IsolationLevel.REPEATABLE_READ
    connection.read_only = True
