"""Plain vectors in a table of their own, searched by the very statements that search the passages."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final, Generic, Self, TypeVar

from knowledge_search.domain import EVERYONE, Scope
from knowledge_search.store.indexes import build_index, write_signs
from knowledge_search.store.strategies.nearest import EXACT, Method, Nearest, Target

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    import numpy.typing as npt

    from knowledge_search.store.connections import Connection
    from knowledge_search.store.database import Database
    from knowledge_search.store.reading import Reading

Id = TypeVar("Id", int, str)
_SCOPE: Final = Scope.of()


class VectorTable(Generic[Id]):
    """A corpus of vectors inside PostgreSQL, for measuring a method apart from documents.

    The rows belong to the department ``all``, stand under row-level security and are read by the reading role, so the
    statement, its predicate and its transaction are those of a search. Use it as a context manager, or :meth:`close`
    it: the tables are dropped then.

    Args:
        database: Open.
        ids: One a vector, each once; equal distances are ordered by them.
        vectors: Shape ``(len(ids), dimensions)``.
        method: How to search: ``EXACT``, ``ivfflat()``, ``hnsw()`` or ``two_stage()``.
        k: How many ids ``retrieve`` returns.
        minimum_rows: Fewer vectors are not indexed.

    Raises:
        ValueError: Ids and vectors do not match, or an id comes twice.
    """

    def __init__(
        self,
        database: Database,
        ids: Sequence[Id],
        vectors: npt.NDArray[np.float32],
        *,
        method: Method = EXACT,
        k: int = 10,
        minimum_rows: int = 1,
    ) -> None:
        if vectors.ndim != 2 or len(ids) != len(vectors) or len(set(ids)) != len(ids):  # noqa: PLR2004 - rows, columns
            message = f"{len(ids)} ids, each once, need vectors of shape ({len(ids)}, dimensions), not {vectors.shape}"
            raise ValueError(message)
        self._database = database
        self._k = k
        self._name = f"vectors_{secrets.token_hex(6)}"
        order = sorted(range(len(ids)), key=ids.__getitem__)
        self._ids: list[Id] = [ids[at] for at in order]
        self._target = Target(
            vectors=self._name,
            bits=f"{self._name}_bits",
            mean=f"SELECT mean FROM {self._name}_mean",  # noqa: S608 - our own name
            dimensions=vectors.shape[1],
        )
        self._nearest = Nearest(method, self._target, database.locks)
        with database.writing() as connection:
            self._fill(connection, vectors[order], method, minimum_rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def topups(self) -> int:
        """How often exact search had to answer in place of the method."""
        return self._nearest.topups

    def retrieve(self, query: npt.NDArray[np.float32]) -> list[Id]:
        """Return the ids nearest to ``query`` (shape ``(dimensions,)``), nearest first."""
        with self._reading() as reading:
            return self._found(reading, query)

    def retrieve_many(self, queries: npt.NDArray[np.float32]) -> list[list[Id]]:
        """Return what :meth:`retrieve` returns for each row of ``queries``, in one transaction."""
        with self._reading() as reading:
            return [self._found(reading, query) for query in queries]

    def close(self) -> None:
        """Drop the tables."""
        with self._database.writing() as connection:
            tables = f"{self._name}, {self._name}_bits, {self._name}_mean"
            connection.execute(f"DROP TABLE IF EXISTS {tables}".encode())

    def _reading(self) -> AbstractContextManager[Reading]:
        method = self._nearest.method
        # A planner that finds a few thousand rows cheaper to scan would measure exact search under another name.
        forced = dict.fromkeys(("enable_seqscan", "enable_sort"), "off") if method.index else {}
        return self._database.reading(_SCOPE, settings={**method.settings, **forced})

    def _found(self, reading: Reading, query: npt.NDArray[np.float32]) -> list[Id]:
        return [self._ids[row[0]] for row in self._nearest.find(reading, query.astype("float32"), self._k)]

    def _fill(
        self, connection: Connection, vectors: npt.NDArray[np.float32], method: Method, minimum_rows: int
    ) -> None:
        name = self._name
        for statement in (
            f"CREATE UNLOGGED TABLE {name} (chunk_id bigint PRIMARY KEY, department text, embedding vector)",
            f"ALTER TABLE {name} ALTER COLUMN embedding SET STORAGE PLAIN",
            f"CREATE INDEX ON {name} (department)",
            f"CREATE UNLOGGED TABLE {name}_bits (chunk_id bigint PRIMARY KEY, department text, bits bit varying)",
            f"CREATE UNLOGGED TABLE {name}_mean (mean vector)",
            f"CALL guard('{name}')",
            f"CALL guard('{name}_bits')",
            f"GRANT SELECT ON {name}_mean TO knowledge_app",
        ):
            connection.execute(statement.encode())
        with connection.cursor().copy(f"COPY {name} FROM STDIN WITH (FORMAT BINARY)".encode()) as copy:
            copy.set_types(["int8", "text", "vector"])
            for at, vector in enumerate(vectors):
                copy.write_row((at, EVERYONE, vector.astype("float32")))
        if method.index is not None:
            build_index(connection, method.index, vectors=name, dimensions=vectors.shape[1], minimum_rows=minimum_rows)
        elif method.name == "two_stage":
            connection.execute(f"INSERT INTO {name}_mean SELECT avg(embedding) FROM {name}".encode())  # noqa: S608 - our own name
            write_signs(connection, vectors=name, bits=self._target.bits, mean=self._target.mean)
        connection.execute(f"ANALYZE {name}, {name}_bits".encode())
