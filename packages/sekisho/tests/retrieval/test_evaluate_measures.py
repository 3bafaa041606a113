from __future__ import annotations

import math
from collections import deque
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.core.errors import RankingError, RetrievalError
from sekisho.core.messages import LANGUAGES
from sekisho.retrieval import EvalCase, EvalReport, Finding, Neighbours, evaluate_retrieval

if TYPE_CHECKING:
    from collections.abc import Iterator


def case(relevant: Any = ("a",), *, id_: str = "c1", query: object = "q", **more: Any) -> EvalCase:  # noqa: ANN401  whatever a test gives
    """Return a case with these relevant ids."""
    return EvalCase(id_, query, relevant, **more)


def evaluate_one(result: object, relevant: Any = ("a",), **options: Any) -> EvalReport:  # noqa: ANN401  as above
    """Evaluate one case for which the target returns ``result``."""
    return evaluate_retrieval([case(relevant)], lambda _query: result, **options)


def test_numbers_of_one_case_are_those_of_the_hand_example() -> None:
    """Two of three relevant ids at ranks 2 and 4, one of them behind the cut-off."""
    report = evaluate_one(["x", "a", "y", "b"], ["a", "b", "c"], k=3)

    (result,) = report.cases
    assert result.recall == 1 / 3
    assert result.precision == 1 / 3
    assert result.reciprocal_rank == 1 / 2
    assert result.average_precision == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert result.ndcg == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3) + 1 / log2(4)))
    assert result.overlap is None
    assert result.retrieved == ("x", "a", "y", "b")
    assert result.relevant == ("a", "b", "c")
    assert result.missed == ("b", "c")
    assert result.ranks == {"a": 2, "b": 4}
    assert result.error is None
    assert result.elapsed_ms >= 0
    assert (report.k, report.mean_recall, report.mrr) == (3, 1 / 3, 1 / 2)
    assert list(report.metrics) == ["recall@3", "precision@3", "mrr", "map", "ndcg@3"]


def test_grades_below_the_threshold_gain_but_are_not_relevant() -> None:
    """The default threshold is 1; nDCG uses every positive grade whatever the threshold is."""
    grades = {"a": 3, "b": 1, "c": 0.5, "d": 0, "e": -1}

    (default,) = evaluate_one(["c", "b", "a"], grades, k=2).cases
    (strict,) = evaluate_one(["c", "b", "a"], grades, k=2, relevance_threshold=2).cases

    assert default.relevant == ("a", "b")
    assert default.recall == 1 / 2
    assert default.missed == ("a",)
    assert strict.relevant == ("a",)
    assert strict.recall == 0
    assert strict.reciprocal_rank == 1 / 3
    assert default.ndcg == strict.ndcg == pytest.approx((0.5 + 1 / log2(3)) / (3 + 1 / log2(3)))


def test_an_id_that_comes_twice_counts_at_its_first_place_only() -> None:
    """Its later place stays taken, so that b is out of the first two."""
    report = evaluate_one(["a", "a", "b"], ["a", "b"], k=2)

    (result,) = report.cases
    assert result.recall == 1 / 2
    assert result.precision == 1 / 2
    assert result.average_precision == pytest.approx((1 + 2 / 3) / 2)
    assert result.ranks == {"a": 1, "b": 3}
    assert report.structure.duplicate == (Finding(case_id="c1", ids=("a",), count=3),)


def test_scores_are_sorted_by_score_and_then_by_id_both_descending() -> None:
    """The rule of trec_eval; the order of the mapping has no effect."""
    (result,) = evaluate_one({"a": 1, "c": 2.0, "b": 1, "B": np.float32(1)}).cases

    assert result.retrieved == ("c", "b", "a", "B")


@pytest.mark.parametrize(
    ("result", "named"),
    [
        (None, "NoneType"),
        ("abc", "str"),
        (b"abc", "bytes"),
        (7, "int"),
        ({"a", "b"}, "set"),
        (np.array(["a", "b"]), "ndarray"),
        (iter(["a"]), "list_iterator"),
        ((id_ for id_ in "ab"), "generator"),
        ([1, 2], "int"),
        (["a", None], "NoneType"),
        ([("a", 0.5)], "tuple"),
        ({"a": math.nan}, "'a'"),
        ({"a": "0.5"}, "'a'"),
        ({1: 0.5}, "1"),
    ],
)
def test_a_result_of_the_wrong_type_is_an_error_of_its_case(result: object, named: str) -> None:
    """It is neither a score of zero nor an end of the evaluation, and the message names what came."""
    results = {"bad": result, "good": ["a"]}

    report = evaluate_retrieval([case(id_=name, query=name) for name in results], results.__getitem__)

    bad, good = report.cases
    assert bad.error is not None
    assert bad.error.kind == "wrong_type"
    assert named in bad.error.message
    assert "\n" not in bad.error.message
    assert bad.recall is bad.precision is bad.ndcg is bad.reciprocal_rank is bad.average_precision is None
    assert bad.missed == ("a",)
    assert good.recall == 1
    assert report.mean_recall == 1
    assert report.errors == (bad,)


def test_any_sequence_of_text_is_a_ranking() -> None:
    """Tuples and deques are, and numpy's text becomes plain text, as reports show it."""
    results = [("a", "b"), deque(["a", "b"]), [np.str_("a"), np.str_("b")], {np.str_("b"): 1, np.str_("a"): 2}]

    report = evaluate_retrieval([case(id_=str(n), query=n) for n in range(4)], results.__getitem__)

    assert {result.retrieved for result in report.cases} == {("a", "b")}
    assert {type(id_) for result in report.cases for id_ in result.retrieved} == {str}


def test_a_lazy_sequence_that_fails_is_an_error_of_its_case() -> None:
    """A result may be computed only when it is read."""

    class Lazy(deque[str]):
        def __iter__(self) -> Iterator[str]:
            raise OSError("connection lost")

    (result,) = evaluate_one(Lazy()).cases

    assert result.error is not None
    assert (result.error.kind, result.error.message) == ("raised", "OSError: connection lost")


def test_means_are_over_measured_cases_with_fsum() -> None:
    """Adding up ten times 0.1 one by one would give 0.9999999999999999."""
    cases = [case([f"{n}" for n in range(10)], id_=str(n), query=n) for n in range(11)]

    report = evaluate_retrieval(cases, lambda n: ["0"] if n < 10 else None)

    assert report.mean_recall == 0.1
    assert report.mean_precision == 0.1
    assert report.mrr == 1
    assert len(report.errors) == 1


def test_where_no_case_is_measured_there_is_no_mean() -> None:
    """A crash is never a score."""
    report = evaluate_one(None)

    assert report.mean_recall is None
    assert set(report.metrics.values()) == {None}
    assert report.structure.empty == ()


def test_overlap_is_the_share_of_the_exact_neighbours() -> None:
    """Measured on the cases that know their neighbours at this depth; its mean is over these alone."""
    cases = [
        case(id_="known", query=["x", "y"], neighbours=Neighbours(k=2, ids=("x", "z", "y2"))),
        case(id_="not known", query=["x"]),
    ]

    report = evaluate_retrieval(cases, lambda ids: ids, k=2)

    assert [result.overlap for result in report.cases] == [1 / 2, None]
    assert report.metrics["overlap@2"] == 1 / 2
    assert report.warnings == ()


def test_warns_where_the_neighbours_are_known_at_another_depth_only() -> None:
    """Their overlap at this depth is another number."""
    neighbours = Neighbours(k=10, ids=("x",))

    report = evaluate_retrieval([case(neighbours=neighbours)], lambda _: ["a"], k=5)

    assert report.mean_overlap is None
    assert [(note.code, note.values) for note in report.warnings] == [
        ("retrieval.no_neighbours_at_k", {"k": 5, "depth": 10})
    ]


def test_a_case_without_relevant_ids_counts_zero_and_is_named() -> None:
    """Grades below the threshold are none; no more than a few names are listed."""
    cases = [case({"a": 0}, id_=f"n{n}") for n in range(7)]

    report = evaluate_retrieval(cases, lambda _: ["a"])

    assert report.mean_recall == 0
    (warning,) = report.warnings
    assert warning.values == {"count": 7, "cases": "n0, n1, n2, n3, n4, …"}
    assert all("n4, …" in warning.render(language) for language in LANGUAGES)


def test_says_that_recall_and_precision_are_one_number_where_k_is_the_number_of_relevant() -> None:
    """With one case of another size they differ."""
    same = evaluate_one(["a"], ["a", "b"], k=2)
    differs = evaluate_retrieval([case(["a", "b"]), case(id_="c2")], lambda _: ["a"], k=2)

    assert [note.code for note in same.warnings] == ["retrieval.recall_is_precision"]
    assert differs.warnings == ()


def test_unknown_ids_can_be_told_only_where_the_documents_are_known() -> None:
    """Each is named once; documents may be any collection, also one that can be read only once."""
    results = ["a", "x", "x", "y"]

    blind = evaluate_one(results, k=4)
    known = [evaluate_one(results, k=4, documents=documents) for documents in (["a"], {"a": 1}, {"a"}, iter(["a"]))]

    assert blind.structure.unknown == ()
    assert {report.structure.unknown for report in known} == {(Finding(case_id="c1", ids=("x", "y"), count=4),)}


def test_an_empty_result_is_a_finding_and_scores_zero() -> None:
    """Empty is not short as well: one finding a cause."""
    for nothing in ([], {}, ()):
        report = evaluate_one(nothing, documents=["a", "b"])

        assert report.structure.empty == (Finding(case_id="c1"),)
        assert report.structure.short == ()
        assert report.mean_recall == 0


@pytest.mark.parametrize(
    ("result", "documents", "short"),
    [
        (["a", "b"], ["a", "b", "c"], True),
        (["a", "b", "c"], ["a", "b", "c", "d"], False),
        (["a", "b"], ["a", "b"], False),
        (["a", "a", "b"], ["a", "b", "c"], False),
        (["x", "y"], None, True),
        (["a", "y"], None, False),
    ],
)
def test_short_means_fewer_than_k_although_more_exist(
    result: list[str],
    documents: list[str] | None,
    short: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    """Without the documents, more are known to exist where a relevant one is missing."""
    report = evaluate_one(result, k=3, documents=documents)

    assert report.structure.short == ((Finding(case_id="c1", count=2),) if short else ())


def test_no_case_is_refused() -> None:
    """Nothing measured is never a pass; cases may also come from a generator."""
    with pytest.raises(RetrievalError) as refusal:
        evaluate_retrieval([], lambda _: [])
    assert refusal.value.code == "retrieval.no_cases"

    report = evaluate_retrieval((case(id_=id_) for id_ in "xy"), lambda _: ["a"])  # type: ignore[arg-type]  # on purpose

    assert [result.id for result in report.cases] == ["x", "y"]


def test_a_repeated_case_id_is_refused_before_anything_is_asked() -> None:
    """The message names it."""
    asked: list[object] = []

    with pytest.raises(RetrievalError, match="'twice'"):
        evaluate_retrieval([case(id_="twice"), case(id_="twice")], asked.append)

    assert asked == []


@pytest.mark.parametrize("name", ["k", "concurrency"])
@pytest.mark.parametrize("value", [0, -1, 1.0, True, "3", None, math.nan])
def test_counts_that_are_not_whole_numbers_from_one_are_refused(name: str, value: object) -> None:
    """True is not 1: it is a mistake."""
    with pytest.raises(RetrievalError) as refusal:
        evaluate_one(["a"], **{name: value})

    assert refusal.value.code == "retrieval.not_positive"
    assert all(name in refusal.value.render(language) for language in LANGUAGES)


@pytest.mark.parametrize("value", [0, -0.5, math.nan, math.inf, True, "1"])
def test_time_limits_that_are_not_seconds_above_zero_are_refused(value: object) -> None:
    """An infinite limit is none: leave it out."""
    with pytest.raises(RetrievalError) as refusal:
        evaluate_one(["a"], timeout_s=value)

    assert refusal.value.code == "retrieval.not_positive_seconds"


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_a_threshold_that_is_no_number_above_zero_is_refused(value: float) -> None:
    """With 0 every judged document would be relevant, also one judged not to be."""
    with pytest.raises(RankingError) as refusal:
        evaluate_one(["a"], relevance_threshold=value)

    assert refusal.value.code == "ranking.threshold"


@pytest.mark.parametrize("relevant", ["a", b"a", 5, None, [1], {"a": math.nan}, {"a": "high"}, {1: 1}, iter(["a"])])
def test_relevant_ids_that_could_never_be_found_are_refused(relevant: object) -> None:
    """Text would be read letter by letter, and numbers never equal the ids that come back."""
    asked: list[object] = []

    with pytest.raises(RetrievalError, match="'c1'"):
        evaluate_retrieval([case(relevant)], asked.append)

    assert asked == []


def test_a_target_that_cannot_be_called_is_refused() -> None:
    """It is neither a function nor has it a method of that name."""
    with pytest.raises(RetrievalError) as refusal:
        evaluate_retrieval([case()], object())

    assert refusal.value.values == {"kind": "object"}


IDS = st.sampled_from("abcdef")


@given(
    rankings=st.lists(st.lists(IDS, max_size=8) | st.dictionaries(IDS, st.floats(allow_nan=False)), min_size=1),
    relevant=st.lists(IDS) | st.dictionaries(IDS, st.sampled_from([-1, 0, 0.5, 1, 3])),
    documents=st.none() | st.sets(IDS),
    k=st.integers(1, 9),
)
def test_metrics_stay_in_their_range_and_findings_fit_the_results(
    rankings: list[list[str] | dict[str, float]],
    relevant: list[str] | dict[str, float],
    documents: set[str] | None,
    k: int,
) -> None:
    """Whatever comes back, in any order and any number of times."""
    cases = [case(relevant, id_=str(n), query=result) for n, result in enumerate(rankings)]

    report = evaluate_retrieval(cases, lambda result: result, k=k, documents=documents)

    assert all(value is not None and 0 <= value <= 1 for value in report.metrics.values())
    found = {
        kind: {finding.case_id: finding for finding in getattr(report.structure, kind)}
        for kind in ("unknown", "duplicate", "empty", "short")
    }
    for result in report.cases:
        ids = result.retrieved
        hits = set(ids[:k]) & set(result.relevant)
        assert result.recall == (len(hits) / len(result.relevant) if result.relevant else 0)
        assert result.precision == len(hits) / k
        assert set(result.missed) == set(result.relevant) - hits
        assert result.ranks == {id_: ids.index(id_) + 1 for id_ in result.relevant if id_ in ids}
        assert (result.id in found["empty"]) == (not ids)
        assert (result.id in found["duplicate"]) == (len(set(ids)) < len(ids))
        assert (result.id in found["unknown"]) == (documents is not None and not set(ids) <= documents)
        assert not (result.id in found["short"] and (not ids or len(ids) >= k))
        if result.id in found["duplicate"]:
            assert all(ids.count(id_) > 1 for id_ in found["duplicate"][result.id].ids)


@pytest.mark.parametrize(
    ("pair", "told"), [(("a", 0.5), True), (["a", np.float32(1)], True), (("a", "b"), False), ((1, 0.5), False)]
)
def test_ids_with_their_scores_are_told_how_to_return_them(pair: object, *, told: bool) -> None:
    """A list of pairs is one call away from a mapping."""
    (result,) = evaluate_one([pair]).cases

    assert result.error is not None
    assert ("return dict(pairs)" in result.error.message) == told


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"a": 1.0, "b": 0.5, "c": 0.5}, None),
        ({"x": 1.0, "a": 0.5, "b": 0.5}, "between 0.0000 and 1.0000"),
    ],
)
def test_ties_are_a_warning_only_where_they_move_recall(scores: dict[str, float], said: str | None) -> None:
    """Of documents that are all irrelevant, any order is as good."""
    report = evaluate_retrieval([case(["a"])], lambda _query: scores, k=2)

    ties = [str(warning) for warning in report.warnings if warning.code == "retrieval.ties"]
    assert len(ties) == (said is not None)
    assert said is None or said in ties[0]
