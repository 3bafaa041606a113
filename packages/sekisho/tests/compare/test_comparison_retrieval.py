"""A retrieval suite beside its baseline: what is compared, what is not, and what gold rot is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.compare.baseline import Accepted, AccessBaseline, RetrievalBaseline, RetrievalEntry
from sekisho.compare.comparison import compare_suites
from sekisho.compare.records import Difference, SuiteComparison

if TYPE_CHECKING:
    from collections.abc import Mapping

ACCEPTED = Accepted(reason="first", time="2000-01-01T00:00:00+00:00")
RULER = {"k": "2", "gate": "min_recall 0.6"}


def entry(id_: str, ranks: Mapping[str, int], **changes: Any) -> RetrievalEntry:  # noqa: ANN401  of an entry
    """Return the entry of a case; its first results are told by the ranks."""
    hits = sum(0 < rank <= 2 for rank in ranks.values())
    return RetrievalEntry(**{"id": id_, "asked": "q", "hits": hits, "ranks": dict(ranks), "top": str(ranks), **changes})


def suite(*cases: RetrievalEntry, **changes: Any) -> RetrievalBaseline:  # noqa: ANN401  of a suite
    """Return a suite at k = 2."""
    ids = {id_ for case in cases for id_ in case.ranks}
    documents = {id_: f"text of {id_}" for id_ in sorted(ids)}
    fields = {"accepted": ACCEPTED, "made_of": {"target": "t"}, "ruler": RULER, "k": 2, "documents": documents}
    return RetrievalBaseline(**{**fields, "cases": cases, **changes})


def rulers(comparison: SuiteComparison) -> dict[str, tuple[float, float]]:
    """Return the means before and now."""
    return {each.name: (each.comparison.mean_before, each.comparison.mean_after) for each in comparison.rulers}


def changes(comparison: SuiteComparison) -> list[tuple[str, str]]:
    """Return kind and id of each change, in their order."""
    return [(change.kind, change.id) for change in comparison.changes]


def test_a_suite_beside_itself_differs_in_nothing() -> None:
    """Whatever its cases hold."""
    same = suite(entry("c1", {"a": 1, "b": 0}), entry("c2", {"a": 2}, near=(1, 2)))

    found = compare_suites(same, same)

    assert found == SuiteComparison(accepted=ACCEPTED, common=2, rulers=found.rulers)
    assert [ruler.name for ruler in found.rulers] == ["recall@2", "ndcg@2", "overlap@2"]
    assert {ruler.comparison.mean_difference for ruler in found.rulers} == {0.0}


def test_worst_first_with_the_ranks_that_moved() -> None:
    """What lost most, then what only changed places, then what gained."""
    before = suite(
        entry("gain", {"a": 0}), entry("half", {"a": 1, "b": 2}), entry("all", {"a": 1}), entry("order", {"a": 1})
    )
    now = suite(
        entry("gain", {"a": 1}), entry("half", {"a": 1, "b": 7}), entry("all", {"a": 0}), entry("order", {"a": 2})
    )

    found = compare_suites(before, now)

    assert changes(found) == [("worse", "all"), ("worse", "half"), ("reordered", "order"), ("better", "gain")]
    moves = [change.details[0].values["moves"] for change in found.changes]
    assert moves == ["a @1 → -", "b @2 → @7", "a @1 → @2", "a - → @1"]
    assert found.lists_changed == 4


def test_a_swap_is_visible() -> None:
    """One broke, one recovered, the mean is the same."""
    before = suite(entry("c1", {"a": 1}), entry("c2", {"a": 0}))
    now = suite(entry("c1", {"a": 0}), entry("c2", {"a": 1}))

    found = compare_suites(before, now)

    recall = found.rulers[0].comparison
    assert (recall.mean_difference, recall.wins, recall.losses) == (0.0, 1, 1)
    assert changes(found) == [("worse", "c1"), ("better", "c2")]


def test_lost_neighbours_are_named_where_recall_and_order_stay() -> None:
    """The third metric of the rule has to name its cases, too."""
    before, now = suite(entry("c1", {"a": 1}, near=(2, 2))), suite(entry("c1", {"a": 1}, near=(1, 2)))

    found = compare_suites(before, now)

    assert rulers(found)["overlap@2"] == (1.0, 0.5)
    assert changes(found) == [("worse", "c1")]
    assert found.changes[0].reason.values["name"] == "overlap@2"


def test_a_change_beyond_rank_k_changes_no_case() -> None:
    """Only the first k count; that lists changed at all is a number."""
    before, now = suite(entry("c1", {"a": 1, "b": 5})), suite(entry("c1", {"a": 1, "b": 9}))

    found = compare_suites(before, now)

    assert (found.changes, found.lists_changed) == ((), 1)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ({"k": "2"}, {"k": "3"}, ("k", "2", "3")),
        ({"corpus.seed": "1"}, {"corpus.seed": "2"}, ("corpus.seed", "1", "2")),
        ({}, {"corpus.noise": "0.5"}, ("corpus.noise", "", "0.5")),
        ({"gate": "min_recall 0.6"}, {"gate": "none"}, ("gate", "min_recall 0.6", "none")),
        ({"manual": "true"}, {}, ("manual", "true", "")),
    ],
)
def test_another_ruler_is_shown_and_nothing_else_compared(
    before: dict[str, str], now: dict[str, str], expected: tuple[str, str, str]
) -> None:
    """Two lengths on different rulers say nothing; new and removed cases are still listed."""
    old = suite(entry("c1", {"a": 1}), entry("c2", {"a": 1}), ruler=before)
    new = suite(entry("c1", {"a": 0}), entry("c3", {"a": 1}), ruler=now)

    found = compare_suites(old, new)

    assert found.ruler_changes == (Difference(name=expected[0], before=expected[1], now=expected[2]),)
    assert (found.rulers, found.changes, found.common, found.gold) == ((), (), 0, ())
    assert (found.new, found.removed) == (("c3",), ("c2",))


@pytest.mark.parametrize(
    "change",
    [
        {"asked": "another question"},
        {"ranks": {"a": 1}},
        {"ranks": {"a": 1, "b": 0, "c": 1}},
        {"grades": {"b": 2.0}},
        {"near": (2, 3)},
        {"near": None},
    ],
    ids=["question", "a judgment less", "a judgment more", "another grade", "other neighbours", "no neighbours"],
)
def test_what_a_case_asks_or_expects_is_a_part_of_the_ruler(change: dict[str, Any]) -> None:
    """Recall also rises where somebody strikes out what search does not find."""
    old = entry("c1", {"a": 1, "b": 0}, near=(1, 2))
    new = msgspec.structs.replace(old, **change)

    found = compare_suites(suite(old), suite(new, documents=suite(old).documents))

    assert [each.name for each in found.ruler_changes] == ["case.c1"]
    assert found.ruler_changes[0].before != found.ruler_changes[0].now
    assert found.rulers == ()


def test_another_kind_is_another_ruler() -> None:
    """Under the same name."""
    access = AccessBaseline(accepted=ACCEPTED, made_of={}, ruler={}, cases=())

    found = compare_suites(suite(entry("c1", {"a": 1})), access)

    assert found.ruler_changes == (Difference(name="kind", before="retrieval", now="access"),)


def test_another_target_is_told_and_compared() -> None:
    """That is what comparing is for."""
    found = compare_suites(suite(entry("c1", {"a": 1})), suite(entry("c1", {"a": 2}), made_of={"target": "u"}))

    assert found.made_of_changes == (Difference(name="target", before="t", now="u"),)
    assert changes(found) == [("reordered", "c1")]


def test_new_and_removed_cases_are_listed_and_the_common_ones_compared() -> None:
    """Their means are over the common cases alone."""
    before = suite(entry("c1", {"a": 1}), entry("c2", {"a": 1}), entry("gone", {"a": 0}))
    now = suite(entry("c1", {"a": 0}), entry("c2", {"a": 1}), entry("new", {"a": 1}))

    found = compare_suites(before, now)

    assert (found.new, found.removed, found.common) == (("new",), ("gone",), 2)
    assert rulers(found)["recall@2"] == (1.0, 0.5)


def test_cases_that_did_not_run_or_were_not_measured_are_not_removed() -> None:
    """A part of a suite is no smaller suite."""
    before = suite(*(entry(f"c{number}", {"a": 1}) for number in range(9)))
    left_out, unmeasured = {f"c{number}" for number in range(2, 9)}, {"c1"}

    found = compare_suites(before, suite(entry("c0", {"a": 1})), left_out=left_out, unmeasured=unmeasured)

    assert (found.removed, found.ruler_changes, found.common) == ((), (), 1)


@pytest.mark.parametrize(("left", "whole"), [(5, True), (4, False), (1, False), (0, False)])
def test_less_than_half_of_the_cases_is_another_ruler(left: int, whole: bool) -> None:  # noqa: FBT001  a parameter
    """A file cut down to what passes, or all ids renamed, does not pass unseen."""
    before = suite(*(entry(f"c{number}", {"a": 1}) for number in range(10)))
    now = suite(*(entry(f"c{number}", {"a": 1}) for number in range(left)), entry("x", {"a": 1}))

    found = compare_suites(before, now)

    expected = () if whole else (Difference(name="cases", before="10", now=str(left)),)
    assert found.ruler_changes == expected
    assert bool(found.rulers) is whole


def test_ids_that_only_look_alike_are_two_cases() -> None:
    """One of them is new, the other removed; none takes the other's place."""
    before = suite(entry("\u00e9", {"a": 1}), entry("x", {"a": 1}))
    now = suite(entry("e\u0301", {"a": 1}), entry("x", {"a": 1}))

    found = compare_suites(before, now)

    assert (found.new, found.removed) == (("e\u0301",), ("\u00e9",))


def rotten(texts: Mapping[str, str], *now: RetrievalEntry) -> SuiteComparison:
    """Return three cases, each with two documents, beside themselves on another corpus."""
    before = suite(entry("c1", {"a": 1, "b": 2}), entry("c2", {"c": 1, "d": 2}), entry("c3", {"e": 1, "f": 2}))
    after = {case.id: case for case in (*before.cases, *now)}
    return compare_suites(before, suite(*after.values()), texts={**before.documents, **texts})


def test_a_lost_document_is_a_finding_of_its_own_and_no_lower_recall() -> None:
    """Also where its judgments went with it; what stood behind it in the old ranking moves up."""
    before = suite(entry("c1", {"a": 1, "b": 3}), entry("c2", {"a": 1}), entry("c3", {"e": 1}))
    now = suite(entry("c1", {"b": 2}), entry("c3", {"e": 1}))

    found = compare_suites(before, now, texts={"b": "text of b", "e": "text of e"})

    assert [(each.id, each.kind, each.cases) for each in found.gold] == [("a", "missing", ("c1", "c2"))]
    assert found.ruler_changes == ()
    assert found.changes == ()
    assert rulers(found)["recall@2"] == (1.0, 1.0)


def test_a_document_with_another_text_is_left_out_on_both_sides() -> None:
    """That it is found no more says nothing about search."""
    found = rotten({"a": "another text"}, entry("c1", {"a": 0, "b": 1}))

    assert [(each.id, each.kind, each.cases) for each in found.gold] == [("a", "changed", ("c1",))]
    assert rulers(found)["recall@2"] == (1.0, 1.0)
    assert found.changes == ()


def test_a_real_loss_stands_beside_gold_rot() -> None:
    """In another case, and in the same one."""
    found = rotten({"a": "another text"}, entry("c1", {"a": 0, "b": 0}), entry("c2", {"c": 1, "d": 9}))

    assert [each.id for each in found.gold] == ["a"]
    assert changes(found) == [("worse", "c1"), ("worse", "c2")]
    assert rulers(found)["recall@2"] == (1.0, 0.5)


def test_a_case_all_of_whose_documents_changed_is_not_compared() -> None:
    """There is nothing left that it could be measured by."""
    found = rotten({"a": "x", "b": "y"}, entry("c1", {"a": 0, "b": 0}))

    assert rulers(found)["recall@2"] == (1.0, 1.0)
    assert found.rulers[0].comparison.cases == 2


def test_gold_rot_of_most_cases_is_another_ruler() -> None:
    """Else whoever touches every document is never measured again."""
    found = rotten({"a": "x", "b": "y", "c": "x", "d": "y"}, entry("c1", {"a": 0, "b": 0}))

    assert found.ruler_changes == (Difference(name="cases", before="3", now="1"),)
    assert len(found.gold) == 4
    assert found.rulers == ()


def test_a_judgment_struck_out_is_no_gold_rot_while_the_document_is_there() -> None:
    """Only the corpus can lose a document."""
    before = suite(entry("c1", {"a": 1, "b": 0}))

    found = compare_suites(before, suite(entry("c1", {"a": 1})), texts=before.documents)

    assert [each.name for each in found.ruler_changes] == ["case.c1"]
    assert found.gold == ()


def test_vectors_have_no_gold_that_could_rot() -> None:
    """Without texts there is nothing to compare."""
    case = entry("c1", {"a": 1})

    assert compare_suites(suite(case, documents={}), suite(case, documents={})).gold == ()


RANKS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 4), min_size=4, max_size=4)
CASES = st.lists(st.tuples(RANKS, RANKS, st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=8)


@given(CASES, st.sampled_from([{}, {"a": 2.0}, {"a": 3.0, "b": 0.5}]))
def test_exchanging_the_sides_mirrors_everything(
    cases: list[tuple[dict[str, int], dict[str, int], int, int]], grades: dict[str, float]
) -> None:
    """Differences change their sign, wins are losses, and worse is better."""
    numbered = [(f"c{number}", *case) for number, case in enumerate(cases)]
    a = suite(*(entry(id_, ranks, near=(near, 2), grades=grades) for id_, ranks, _, near, _ in numbered))
    b = suite(*(entry(id_, ranks, near=(near, 2), grades=grades) for id_, _, ranks, _, near in numbered))

    there, back = compare_suites(a, b), compare_suites(b, a)

    for one, other in zip(there.rulers, back.rulers, strict=True):
        assert one.comparison.mean_difference == -other.comparison.mean_difference
        assert (one.comparison.wins, one.comparison.losses) == (other.comparison.losses, other.comparison.wins)
        assert one.comparison.p_drop == other.comparison.p_rise
    mirrored = {"worse": "better", "better": "worse", "reordered": "reordered"}
    assert {(mirrored[change.kind], change.id, -change.weight) for change in there.changes} == {
        (change.kind, change.id, change.weight) for change in back.changes
    }
    assert there.lists_changed == back.lists_changed


@given(st.permutations(range(6)))
def test_the_order_of_the_cases_changes_nothing(order: list[int]) -> None:
    """To the last bit."""
    before = [entry(f"c{number}", {"a": number, "b": 3}) for number in range(6)]
    now = [entry(f"c{number}", {"a": 5 - number, "b": 1}) for number in range(6)]

    found = compare_suites(suite(*(before[place] for place in order)), suite(*(now[5 - place] for place in order)))

    assert found == compare_suites(suite(*before), suite(*now))
