"""Runs found again: by what they are, by their number, by their commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.core.errors import ConfigurationError
from sekisho.history.finding import Filter, list_runs
from sekisho.history.opening import opened
from sekisho.history.references import find_run
from sekisho.history.trends import trend_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import SimpleNamespace

    from sekisho.core.history import KeptRun

COMMITS = ("aaaa1111", "aaaa2222", "12345678", "aaaa1111")


@pytest.fixture
def history(file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace) -> Path:
    """Return a history of four runs, the second of which began before the first."""
    kept(made.document(made.retrieval({"q": 0.9}), commit=COMMITS[0]), time="2026-01-05T10:00:00Z")
    kept(made.document(made.answers({"a": "ng"}), commit=COMMITS[1]), time="2026-01-04T23:59:59Z", branch="feature/x")
    kept(made.document(made.retrieval({"q": 0.1}), commit=COMMITS[2]), time="2026-01-06T00:00:00Z", branch=None)
    kept(made.document(made.retrieval({"q": 0.8}), commit=COMMITS[3]), time="2026-01-06T10:00:00Z")
    return file


def numbers(file: Path, limit: int = 100, **filters: str) -> list[int]:
    """Return the numbers of the runs that a filter lets through."""
    with opened(file, writing=False) as connection:
        return [run.number for run in list_runs(connection, Filter(**filters), limit=limit).runs]


def test_runs_are_ordered_by_when_they_were_kept(history: Path) -> None:
    """A clock that went backwards changes nothing."""
    assert numbers(history) == [4, 3, 2, 1]


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({"suite": "search"}, [4, 3, 1]),
        ({"branch": "feature/x"}, [2]),
        ({"verdict": "failed"}, [3, 2]),
        ({"since": "2026-01-05"}, [4, 3, 1]),
        ({"before": "2026-01-06"}, [2, 1]),
        ({"since": "2026-01-05", "before": "2026-01-06"}, [1]),
        ({"suite": "search", "branch": "main", "verdict": "passed"}, [4, 1]),
        ({"suite": "policies", "branch": "main"}, []),
    ],
)
def test_filters_let_through_what_meets_all_of_them(history: Path, filters: dict[str, str], wanted: list[int]) -> None:
    """By suite, branch, verdict and day."""
    assert numbers(history, **filters) == wanted


def test_a_limit_keeps_the_newest_and_counts_all(history: Path) -> None:
    """With the suites of those that are left."""
    with opened(history, writing=False) as connection:
        listed = list_runs(connection, Filter(verdict="passed"), limit=1)

    assert (listed.matching, [run.number for run in listed.runs]) == (2, [4])
    assert [suite.value for suite in listed.runs[0].suites] == [0.8]


@pytest.mark.parametrize(
    ("filters", "code", "meant"),
    [
        ({"suite": "serch"}, "history.unknown_suite_meant", "search"),
        ({"suite": "zzz"}, "history.unknown_suite", None),
        ({"branch": "mian"}, "history.unknown_branch_meant", "main"),
        ({"branch": "'; DROP TABLE runs; --"}, "history.unknown_branch", None),
    ],
)
def test_an_unknown_name_is_refused(history: Path, filters: dict[str, str], code: str, meant: str | None) -> None:
    """With the one that was probably meant."""
    with pytest.raises(ConfigurationError) as caught:
        numbers(history, **filters)

    assert (caught.value.code, caught.value.values["meant"]) == (code, meant)


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("1", 1), ("last", 4), ("last-1", 3), ("last-3", 1), ("aaaa2", 2), ("AAAA1111", 4), ("12345678", 3), ("1234", 3)],
)
def test_a_run_is_named_in_several_ways(history: Path, word: str, wanted: int) -> None:
    """By number, from the end, or by its commit: of several runs the newest; a number before a commit of digits."""
    with opened(history, writing=False) as connection:
        assert find_run(connection, word) == wanted


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("0", "history.unknown_number"),
        ("99", "history.unknown_number"),
        ("last-4", "history.not_so_many_runs"),
        ("last-999999999999999", "history.not_so_many_runs"),
        ("lst", "history.unknown_run_meant"),
        ("aaaa1112", "history.unknown_run_meant"),
        ("aaaa", "history.several_commits"),
        ("%", "history.unknown_run"),
        ("９９", "history.unknown_run"),
        ("-1", "history.unknown_run"),
        ("1" * 60, "history.unknown_run"),
    ],
)
def test_a_word_that_names_no_run_is_refused(history: Path, word: str, code: str) -> None:
    """Each kind with its own sentence."""
    with opened(history, writing=False) as connection, pytest.raises(ConfigurationError) as caught:
        find_run(connection, word)

    assert caught.value.code == code
    assert caught.value.render("ja") != caught.value.render("en")


def test_a_trend_is_one_metric_oldest_first(history: Path) -> None:
    """Runs without the suite are not in it."""
    with opened(history, writing=False) as connection:
        trend = trend_of(connection, "search", "recall@10", branch=None, limit=100)
        on_main = trend_of(connection, "search", "recall@10", branch="main", limit=1)

    assert [(point.run, point.value) for point in trend.points] == [(1, 0.9), (3, 0.1), (4, 0.8)]
    assert [(point.run, point.value) for point in on_main.points] == [(4, 0.8)]
    assert on_main.step is None


def test_runs_of_selected_cases_are_no_part_of_a_trend(
    file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace
) -> None:
    """Their mean is over other cases; they are counted."""
    kept(made.document(made.retrieval({"q": 0.9})))
    part = made.retrieval({"q": 0.1})
    part["warnings"] = [{"code": "report.partial", "message": "1 of 120"}]
    run = kept(made.document(part))

    with opened(file, writing=False) as connection:
        trend = trend_of(connection, "search", "recall@10", branch=None, limit=100)

    assert [suite.partial for suite in run.suites] == [True]
    assert ([point.run for point in trend.points], trend.left_out) == ([1], 1)


def test_a_trend_says_where_something_else_was_measured(
    file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace
) -> None:
    """Another corpus makes values that do not compare."""
    for corpus in ("c1", "c1", "c2", "c2", "c1"):
        kept(made.document(made.retrieval({"q": 0.9, "r": None}, corpus=corpus)))

    with opened(file, writing=False) as connection:
        trend = trend_of(connection, "search", "recall@10", branch=None, limit=100)

    assert trend.rulers_changed == (3, 5)


def test_a_run_that_measured_nothing_leaves_a_gap(
    file: Path, kept: Callable[..., KeptRun], made: SimpleNamespace
) -> None:
    """It is a point without a value."""
    kept(made.document(made.retrieval({"q": None})))
    kept(made.document(made.retrieval({"q": 0.5})))

    with opened(file, writing=False) as connection:
        trend = trend_of(connection, "search", "recall@10", branch=None, limit=100)

    assert [point.value for point in trend.points] == [None, 0.5]
    assert [point.run for point in trend.measured] == [2]


@pytest.mark.parametrize(
    ("suite", "metric", "code"),
    [
        ("search", "recall", "history.unknown_metric_meant"),
        ("search", "zzz", "history.unknown_metric"),
        ("policies", "recall@10", "history.unknown_metric"),
        ("polices", "passed", "history.unknown_suite_meant"),
    ],
)
def test_an_unknown_metric_is_refused(history: Path, suite: str, metric: str, code: str) -> None:
    """A metric belongs to its suite."""
    with opened(history, writing=False) as connection, pytest.raises(ConfigurationError) as caught:
        trend_of(connection, suite, metric, branch=None, limit=100)

    assert caught.value.code == code
