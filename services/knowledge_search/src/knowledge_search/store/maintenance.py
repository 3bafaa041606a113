"""What some strategies need beside the passages: indexes, signs, trees. Run it after an ingest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from knowledge_search.search.raptor import CLUSTER, Leaf, build_tree
from knowledge_search.search.tokens import BigramTokenizer
from knowledge_search.store.indexes import MINIMUM_ROWS, IndexKind, build_index, write_signs
from knowledge_search.store.space import claim
from knowledge_search.store.visible import unscoped
from knowledge_search.store.writing import lock_all_sources

if TYPE_CHECKING:
    import numpy.typing as npt

    from knowledge_search.ports import Embedder, Tokenizer
    from knowledge_search.search.raptor import Node
    from knowledge_search.settings import Strategy
    from knowledge_search.store.connections import Connection
    from knowledge_search.store.database import Database

_DRIFT: Final = 1.5
"""The corpus mean is taken anew once this many times as many passages, or as few, are stored."""
_ROWS: Final = unscoped("SELECT count(*) FROM <chunk_vector>")
_MEAN: Final = unscoped("UPDATE embedder SET mean = (SELECT avg(embedding) FROM <chunk_vector>), mean_rows = %s")
_WITHOUT_TREE: Final = unscoped(
    "SELECT department, version FROM <department_stat> s WHERE chunks > %s AND NOT EXISTS"
    " (SELECT 1 FROM <tree_node> n WHERE n.department = s.department) ORDER BY department"
)
_LEAVES: Final = unscoped(
    "SELECT c.id, c.text, v.embedding FROM <chunk> c JOIN <chunk_vector> v ON v.chunk_id = c.id"
    " WHERE c.department = %s ORDER BY c.id"
)
_VERSION: Final = unscoped("SELECT version FROM <department_stat> WHERE department = %s FOR UPDATE")


@dataclass(frozen=True, kw_only=True)
class MaintenanceReport:
    """What was made.

    Attributes:
        index: The approximate index that stands now; None where there is none.
        signs: Whether the signs were taken anew.
        trees: Departments whose tree was built now.
    """

    index: IndexKind | None = None
    signs: bool = False
    trees: tuple[str, ...] = ()


class Maintenance:
    """Keeps up what a strategy needs; searches stay right without it, only slower or like exact search.

    Args:
        database: Open.
        embedder: Made the vectors; embeds the summaries.
        tokenizer: Chooses the sentences of summaries.
        minimum_rows: Fewer vectors are not indexed.
    """

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        *,
        tokenizer: Tokenizer | None = None,
        minimum_rows: int = MINIMUM_ROWS,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._tokenizer: Tokenizer = tokenizer or BigramTokenizer()
        self._minimum_rows = minimum_rows

    def run(self, strategy: Strategy) -> MaintenanceReport:
        """Make what ``strategy`` needs, and refresh the planner's statistics.

        Raises:
            EmbedderError: The store was made with another embedder or tokenizer.
        """
        with self._database.writing() as connection:
            claim(connection, self._embedder, self._tokenizer)
        report = MaintenanceReport()
        if strategy == "ivfflat" or strategy == "hnsw":  # noqa: PLR1714 - mypy narrows only this form
            report = MaintenanceReport(index=self.index(strategy))
        elif strategy == "two_stage":
            report = MaintenanceReport(signs=self.signs())
        elif strategy == "raptor":
            report = MaintenanceReport(trees=self.trees())
        self.analyze()
        return report

    def analyze(self) -> None:
        """Refresh the planner's statistics of the tables that an ingest fills."""
        with self._database.writing() as connection:
            connection.execute("ANALYZE document, chunk, chunk_vector, chunk_bits, posting, tree_node")

    def index(self, kind: IndexKind) -> IndexKind | None:
        """Build an approximate index where there are enough vectors; documents cannot change meanwhile."""
        with self._database.writing() as connection:
            built = build_index(
                connection, kind, vectors="chunk_vector", dimensions=self._embedder.dimensions,
                minimum_rows=self._minimum_rows,
            )  # fmt: skip
        return kind if built else None

    def signs(self) -> bool:
        """Take corpus mean and signs anew where the corpus has grown or shrunk much since; say whether they were."""
        with self._database.writing() as connection:
            lock_all_sources(connection)
            row = connection.execute("SELECT mean_rows FROM embedder FOR UPDATE").fetchone()
            rows = (connection.execute(_ROWS).fetchone() or (0,))[0]
            if row is None or not rows or (row[0] and 1 / _DRIFT < rows / row[0] < _DRIFT):
                return False
            connection.execute(_MEAN, [rows])
            write_signs(connection, vectors="chunk_vector", bits="chunk_bits", mean="SELECT mean FROM embedder")
        return True

    def trees(self) -> tuple[str, ...]:
        """Build the tree of each department that has none; one that changes meanwhile waits for the next run."""
        with self._database.writing() as connection:
            missing = connection.execute(_WITHOUT_TREE, [CLUSTER]).fetchall()
        return tuple(department for department, version in missing if self._tree(department, version))

    def _tree(self, department: str, version: int) -> bool:
        with self._database.writing() as connection:
            rows = connection.execute(_LEAVES, [department]).fetchall()
        if not rows:
            return False
        nodes = build_tree(
            [Leaf(id=row[0], text=row[1]) for row in rows],
            np.stack([_array(row[2]) for row in rows]),
            embed=self._embedder.embed_passages,
            tokenizer=self._tokenizer,
        )
        with self._database.writing() as connection:
            claim(connection, self._embedder, self._tokenizer)
            now = connection.execute(_VERSION, [department]).fetchone()
            if now is None or now[0] != version:
                return False
            _write(connection, department, nodes)
        return True


def _write(connection: Connection, department: str, nodes: list[Node]) -> None:
    connection.execute("DELETE FROM tree_node WHERE department = %s", [department])
    connection.cursor().executemany(
        "INSERT INTO tree_node (department, level, ordinal, text, leaf_ids, embedding) VALUES (%s, %s, %s, %s, %s, %s)",
        [(department, node.level, node.ordinal, node.text, list(node.leaf_ids), node.embedding) for node in nodes],
    )


def _array(vector: object) -> npt.NDArray[np.float32]:
    return np.asarray(vector.to_numpy() if hasattr(vector, "to_numpy") else vector, dtype=np.float32)
