from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from sekisho.retrievers import FusionRetriever
from sekisho.retrievers.rank_fusion import fused

if TYPE_CHECKING:
    import numpy.typing as npt

RANKINGS = st.lists(
    st.tuples(st.lists(st.sampled_from("abcdefgh"), unique=True), st.sampled_from([0.25, 1.0, 2.0])), max_size=4
)


@dataclass(frozen=True)
class Fixed:
    """Finds the same ids for every query."""

    ids: tuple[str, ...]

    def retrieve(self, query: npt.ArrayLike) -> list[str]:  # noqa: ARG002  a retriever that does not look
        """Return the ids."""
        return list(self.ids)


def test_equals_the_formula() -> None:
    """b: 1/62 + 2/61, c: 2/62, a: 1/61; d: 1/63."""
    assert fused([["a", "b", "d"], ["b", "c"]], [1.0, 2.0], 60.0) == ["b", "c", "a", "d"]


@given(rankings=RANKINGS, data=st.data())
def test_the_order_of_the_rankings_changes_nothing(
    rankings: list[tuple[list[str], float]], data: st.DataObject
) -> None:
    """A ranking that takes its weight along may stand anywhere."""
    turned = data.draw(st.permutations(rankings))

    assert fused(*_apart(rankings), 60.0) == fused(*_apart(turned), 60.0)


@given(rankings=RANKINGS, data=st.data())
def test_moving_up_in_one_ranking_never_moves_down_in_the_result(
    rankings: list[tuple[list[str], float]], data: st.DataObject
) -> None:
    """What any search likes better, the fusion likes no less."""
    rankings = [(ids, weight) for ids, weight in rankings if len(ids) > 1]
    if not rankings:
        return
    chosen = data.draw(st.integers(0, len(rankings) - 1))
    place = data.draw(st.integers(1, len(rankings[chosen][0]) - 1))
    ids, weight = rankings[chosen]
    raised = [*ids[: place - 1], ids[place], ids[place - 1], *ids[place + 1 :]]
    better = [*rankings[:chosen], (raised, weight), *rankings[chosen + 1 :]]

    before, after = fused(*_apart(rankings), 60.0), fused(*_apart(better), 60.0)

    assert after.index(ids[place]) <= before.index(ids[place])


@given(rankings=RANKINGS)
def test_equals_the_sum_in_fractions(rankings: list[tuple[list[str], float]]) -> None:
    """Scores that differ as fractions are never in the wrong order."""
    sums: dict[str, Fraction] = {}
    for ids, weight in rankings:
        for rank, name in enumerate(ids, start=1):
            sums[name] = sums.get(name, Fraction(0)) + Fraction(weight) / (60 + rank)

    found = fused(*_apart(rankings), 60.0)

    assert sorted(found) == sorted(sums)
    assert [sums[name] for name in found] == sorted(sums.values(), reverse=True)


def test_ties_go_to_the_lower_id() -> None:
    """Two searches that contradict each other evenly leave it to the ids."""
    assert fused([["b", "a"], ["a", "b"]], [1.0, 1.0], 60.0) == ["a", "b"]


def test_a_repeated_id_counts_at_its_first_place() -> None:
    """A faulty search gains nothing by repeating itself, and its later places stay taken by nobody."""
    assert fused([["a", "a", "b"], ["b"]], [1.0, 1.0], 60.0) == fused([["a", "b"], ["b"]], [1.0, 1.0], 60.0)


def test_a_weight_of_0_adds_no_ids() -> None:
    """What counts for nothing does not fill up the end either."""
    assert fused([["a"], ["b"]], [0.0, 1.0], 60.0) == ["b"]


def test_any_retriever_can_be_fused() -> None:
    """One that takes single queries only is asked row by row; depth and k cut both ends."""
    retriever = FusionRetriever((Fixed(("a", "b", "c")), Fixed(("c", "d"))), (1.0, 1.0), depth=2, k=3)

    assert retriever.retrieve([0.0]) == ["a", "c", "b"]
    assert retriever.retrieve_many([[0.0], [1.0]]) == [["a", "c", "b"]] * 2


def _apart(rankings: list[tuple[list[str], float]]) -> tuple[list[list[str]], list[float]]:
    return [ids for ids, _ in rankings], [weight for _, weight in rankings]
