"""Metrics as values: ``recall@10`` is parsed, printed, compared, hashed and computed by its name."""

from __future__ import annotations

from sekisho.ranking.frozen import Frozen
from sekisho.ranking.inputs import checked_cutoff
from sekisho.ranking.metrics import (
    average_precision,
    ndcg_at_k,
    overlap_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
    success_at_k,
)
from sekisho.ranking.refusal import refusal

TYPE_CHECKING = False  # see refusal.py
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

METRIC_NAMES: tuple[str, ...] = ("recall", "precision", "mrr", "map", "ndcg", "success", "overlap")
"""The names without their cut-off, in the order in which reports show them."""

UNCUT_NAMES = frozenset({"mrr", "map"})
"""Names that may stand without a cut-off: over the whole ranking."""

# The names in trec_eval's output, without and with a cut-off; None where it has none.
_TREC_EVAL: dict[str, tuple[str | None, str | None]] = {
    "recall": (None, "recall_{k}"),
    "precision": (None, "P_{k}"),
    "mrr": ("recip_rank", None),
    "map": ("map", "map_cut_{k}"),
    "ndcg": (None, "ndcg_cut_{k}"),
    "success": (None, "success_{k}"),
    "overlap": (None, None),
}
_LONGEST_CUTOFF = 9


class Metric(Frozen):
    """One metric with its cut-off: immutable, hashable, sorted in the order of reports.

    ``str(metric)`` and :meth:`parse` are inverse to each other.

    Attributes:
        name: One of :data:`METRIC_NAMES`.
        k: The cut-off, or None for the whole ranking (``mrr`` and ``map`` only).

    Raises:
        RankingError: An unknown name, a missing cut-off, or one that is not a whole number of at least 1.
    """

    __slots__ = ("k", "name")

    name: str
    k: int | None

    def __init__(self, name: str, k: int | None = None) -> None:
        if name not in METRIC_NAMES:
            raise _unknown(name)
        if k is not None:
            checked_cutoff(k)
        elif name not in UNCUT_NAMES:
            raise refusal("ranking.metric_needs_cutoff", name=name)
        super().__init__(name=name, k=k)

    @classmethod
    def parse(cls, text: str) -> Metric:
        """Return the metric that ``text`` names: ``recall@10``, ``mrr``, ``map@100``.

        Strict: lower case, no spaces, the cut-off in plain digits without sign or leading zeros. What is written as in
        trec_eval or another library is refused with the name it has here.

        Raises:
            RankingError: No such metric, or its cut-off is missing or malformed.
        """
        if not isinstance(text, str):
            raise _unknown(text)
        name, at, digits = text.partition("@")
        if name not in METRIC_NAMES:
            raise _unknown(text)
        if not at:
            return cls(name)
        if not (digits.isascii() and digits.isdigit() and digits[0] != "0" and len(digits) <= _LONGEST_CUTOFF):
            raise refusal("ranking.metric_cutoff", text=text, name=name)
        return cls(name, int(digits))

    @property
    def trec_eval(self) -> str | None:
        """The name in trec_eval's output; None for ``overlap@k``, and for ``mrr@k``: ``recip_rank`` under ``-M k``."""
        template = _TREC_EVAL[self.name][self.k is not None]
        return template and template.format(k=self.k)

    def compute(
        self,
        retrieved: Iterable[Hashable],
        relevant: Mapping[str, float] | Iterable[Hashable],
        *,
        relevance_threshold: float | None = None,
    ) -> float:
        """Return the value for one ranking; for arguments, range and errors see :mod:`sekisho.ranking.metrics`.

        For ``overlap@k``, ``relevant`` are the exact nearest neighbours; like nDCG it has no threshold.
        """
        if self.k is None or self.name in UNCUT_NAMES:
            whole = reciprocal_rank if self.name == "mrr" else average_precision
            return whole(retrieved, relevant, self.k, relevance_threshold=relevance_threshold)
        if self.name in _WITHOUT_THRESHOLD:
            return _WITHOUT_THRESHOLD[self.name](retrieved, relevant, self.k)
        return _CUT[self.name](retrieved, relevant, self.k, relevance_threshold=relevance_threshold)

    def __str__(self) -> str:
        return self.name if self.k is None else f"{self.name}@{self.k}"

    def __repr__(self) -> str:
        return f"Metric.parse({str(self)!r})"

    def __lt__(self, other: Metric) -> bool:
        return self._place() < other._place()

    def __reduce__(self) -> tuple[object, ...]:
        return Metric, (self.name, self.k)

    def _place(self) -> tuple[int, int]:
        return METRIC_NAMES.index(self.name), self.k or 0


_WITHOUT_THRESHOLD: dict[str, Callable[[Iterable[Hashable], Iterable[Hashable], int], float]] = {
    "ndcg": ndcg_at_k,
    "overlap": overlap_at_k,
}
_CUT: dict[str, Callable[..., float]] = {
    "recall": recall_at_k,
    "precision": precision_at_k,
    "success": success_at_k,
}


def parse_metric(text: str | Metric) -> Metric:
    """Return the metric that ``text`` names, or ``text`` itself where it is one; see :meth:`Metric.parse`."""
    return text if isinstance(text, Metric) else Metric.parse(text)


def _unknown(text: object) -> Exception:
    from sekisho.ranking.foreign_names import suggested_name  # noqa: PLC0415  needed only where a name is wrong

    suggestion = suggested_name(text) if isinstance(text, str) else None
    if suggestion is None:
        return refusal("ranking.metric_unknown", text=text)
    return refusal("ranking.metric_misspelt", text=text, suggestion=suggestion)
