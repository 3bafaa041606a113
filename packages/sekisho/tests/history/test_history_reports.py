"""The reports of the history, as a person reads them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.core.history import KeptRun, KeptSuite, RunList, Step, Trend, TrendPoint
from sekisho.core.messages import LANGUAGES
from sekisho.core.text import display_width
from sekisho.history.details import detail_of
from sekisho.history.differences import compare_runs
from sekisho.history.steps import find_step
from sekisho.reports.history_chart import draw
from sekisho.reports.history_compare import write_run_comparison
from sekisho.reports.history_json import comparison_document, list_document, trend_document
from sekisho.reports.history_report import write_list
from sekisho.reports.history_show import write_run_detail
from sekisho.reports.history_trend import write_trend
from sekisho.reports.json_report import encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace

    from sekisho.core.messages import Language

HOSTILE = "\x1b[2J\u202e{0}{braces}\x00\n%s" + "x" * 5000
TIME = "2026-01-05T10:00:59Z"


def run_of(number: int, verdict: str = "passed", *, suites: tuple[KeptSuite, ...] = (), name: str = "main") -> KeptRun:
    """Return a run."""
    return KeptRun(number, TIME, "3f2a9c1d5e", name, verdict, 0, 65_000.0, suites)


def suite_of(name: str, verdict: str = "passed", value: float | None = 0.9) -> KeptSuite:
    """Return a suite of a run."""
    return KeptSuite(name, "retrieval", verdict, "recall@10", value, None, partial=False)


def trend_over(
    values: list[float | None], metric: str = "recall@10", *, rulers_changed: tuple[int, ...] = (), left_out: int = 0
) -> Trend:
    """Return a trend of these values, a run each, from run 3 on."""
    points = tuple(TrendPoint(place + 3, TIME, "3f2a9c1d5e", value) for place, value in enumerate(values))
    step = find_step([value for value in values if value is not None])
    return Trend(
        suite="search", metric=metric, points=points, step=step, rulers_changed=rulers_changed, left_out=left_out
    )


def everything(made: SimpleNamespace, name: str = "q1") -> dict[str, Any]:
    """Return a document in which every kind of suite has something to say."""
    return made.document(
        made.retrieval({name: 0.25, "q2": None, "q3": 1.0}, name=f"s-{name}"),
        made.answers({name: "ng", "b": "known", "c": "fixed", "d": "ok"}),
        made.access(2),
    )


def test_a_list_reads_like_this(written: Callable[..., str]) -> None:
    """The newest first; a suite that decides a bad verdict before the others."""
    suites = (suite_of("calibrated"), suite_of("tree"), suite_of("synthetic", "failed", 0.5))
    runs = (run_of(12, "failed", suites=suites), run_of(11, suites=suites[:2]))

    text = written(write_list, RunList(runs=runs, matching=12), columns=108)

    lines = text.splitlines()
    assert lines[0].split() == ["run", "time", "(UTC)", "commit", "branch", "verdict", "duration", "suites"]
    assert lines[1].split()[:8] == ["12", "2026-01-05", "10:00", "3f2a9c1d", "main", "FAILED", "1", "min"]
    assert lines[1].endswith("synthetic 0.5000, calibrated 0.9000 … (+1)")
    assert lines[2].endswith("calibrated 0.9000, tree 0.9000")
    assert lines[-1] == "2 of 12 runs; --limit N shows more."


def test_a_list_in_japanese(written: Callable[..., str]) -> None:
    """With counters set apart from their numbers."""
    suites = (
        KeptSuite("policies", "answers", "passed", "passed", 6, 7, partial=True),
        KeptSuite("access", "access", "passed", "leaks", 0, None, partial=False),
    )

    text = written(write_list, RunList(runs=(run_of(1, suites=suites),), matching=1), language="ja", columns=140)

    assert "policies 6/7（一部のケース）, access 漏えい 0 件" in text
    assert "1 分 5 秒" in text


def test_the_suite_that_was_asked_for_is_shown_alone(written: Callable[..., str]) -> None:
    """Its number is what the list is read for."""
    runs = (run_of(1, suites=(suite_of("calibrated"), suite_of("tree", value=None))),)

    text = written(write_list, RunList(runs=runs, matching=1), columns=120, suite="tree")

    assert text.splitlines()[1].endswith("  tree -")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [20, 40, 80, 140])
@pytest.mark.parametrize("name", ["q1", HOSTILE])
def test_nothing_is_wider_than_the_terminal_or_steers_it(
    written: Callable[..., str], made: SimpleNamespace, language: Language, columns: int, name: str
) -> None:
    """In any report, whatever the names are."""
    run = run_of(1, "failed", suites=tuple(suite_of(f"{name}{n}") for n in range(9)), name=name)
    first, second = detail_of(run, everything(made, name)), detail_of(run, everything(made, "q2"))

    texts = [
        written(write_list, RunList(runs=(run,), matching=5), language=language, columns=columns),
        written(write_run_detail, first, language=language, columns=columns),
        written(write_run_comparison, compare_runs(first, second), language=language, columns=columns),
        written(write_run_comparison, compare_runs(second, first), language=language, columns=columns),
        written(write_trend, trend_over([0.9] * 30 + [0.5] * 30), language=language, columns=columns),
        written(write_trend, trend_over([None, 0.9], name, left_out=3, rulers_changed=(4,)), language=language,
                columns=columns),
    ]  # fmt: skip

    for text in texts:
        assert re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", text) is None
        assert max(map(display_width, text.splitlines())) <= columns


def test_a_run_is_shown_again(written: Callable[..., str], made: SimpleNamespace) -> None:
    """Numbers, rules that did not hold, and the sentences of the cases that failed; the verdict last."""
    text = written(write_run_detail, detail_of(run_of(7, "failed"), everything(made)))

    assert "s-q1 (retrieval, my:search): passed" in text
    assert "ERROR q2" in text
    assert "    - no connection" in text
    assert "q1: question q1   recall@10 0.2500  ndcg@10 0.2500" in text
    assert "FAIL q1: 質問 q1" in text
    assert "    - 「20万円」がありません" in text
    assert "known issue: 書式が古い" in text
    assert "access.leaks was 2; the gate was 0." in text
    assert "LEAK nobody" in text
    assert text.count("hr.md was cited") == 2
    assert text.splitlines()[-1] == "FAILED (exit code 0), as it was kept; nothing was run."


def test_a_suite_that_passed_shows_few_of_its_imperfect_cases(
    written: Callable[..., str], made: SimpleNamespace
) -> None:
    """And all of those that could not be measured."""
    recalls = {f"q{number:02}": 0.9 for number in range(40)} | {f"e{number}": None for number in range(9)}

    text = written(write_run_detail, detail_of(run_of(1), made.document(made.retrieval(recalls))))

    assert text.count("ERROR e") == 9
    assert "… 40 more cases" in text


def test_two_runs_are_shown_beside_each_other(written: Callable[..., str], made: SimpleNamespace) -> None:
    """Metrics of suites that differ, the cases worst first, what is as before in one line."""
    before = made.document(made.retrieval({"a": 0.9, "b": 1.0}), made.answers({"c": "ok"}), made.access(0))
    after = made.document(made.retrieval({"a": 0.4, "b": 1.0}), made.answers({"c": "ng"}), made.access(0))

    text = written(
        write_run_comparison, compare_runs(detail_of(run_of(1), before), detail_of(run_of(2, "failed"), after))
    )

    assert re.search(r"search recall@10 +0\.9500 +0\.7000 +-0\.2500", text)
    assert re.search(r"policies passed +1 +0 +-1", text)
    assert "search: 1 worse · 1 as before" in text
    assert "worse: a: question a   recall@10 0.9000 → recall@10 0.4000" in text
    assert "worse: FAIL c: 質問 c   OK → FAIL" in text
    assert "As before in every metric and case: access" in text
    assert text.splitlines()[-1] == "Verdict: passed → FAILED"


def test_a_trend_is_drawn(written: Callable[..., str]) -> None:
    """With its axes, its four values, and the step below its column."""
    lines = written(write_trend, trend_over([0.9] * 12 + [0.5] * 12)).splitlines()

    assert lines[0] == "search · recall@10: 24 runs"
    assert lines[1] == "0.9000 ┤" + "█" * 12
    assert lines[8] == "0.5000 ┤" + "█" * 12 + "▁" * 12
    assert lines[9] == "        " + "─" * 24
    assert lines[10] == "        " + " " * 12 + "^"
    assert lines[11] == "run 3 (2026-01-05 10:00) to run 26 (2026-01-05 10:00), UTC"
    assert lines[12] == "first 0.9000 (run 3) · last 0.5000 (run 26) · min 0.5000 (run 15) · max 0.9000 (run 3)"
    assert lines[13].startswith("Step at run 15 (2026-01-05 10:00, commit 3f2a9c1d): mean 0.9000 before it, 0.5000")


@pytest.mark.parametrize("encoding", ["ascii", "cp932", "euc_jp"])
def test_a_stream_without_blocks_gets_a_drawing_all_the_same(written: Callable[..., str], encoding: str) -> None:
    """In characters that every encoding has."""
    text = written(write_trend, trend_over([0.9] * 5 + [0.7] * 5 + [0.5] * 5), encoding=encoding)

    assert "0.9000 |#####" in text
    assert "\\u" not in text


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([0.5] * 9, "No step: all 9 values are equal."),
        ([0.9] * 20 + [0.5] * 20, "Sure: p = 0.0005"),
        ([0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.5, 0.5], "Likely step at run 7"),
        ([0.9, 0.8, 0.9], "No step that is sure."),
        ([None, None], "None of these runs measured it."),
    ],
)
def test_how_sure_a_step_is_stands_in_words(written: Callable[..., str], values: list[float], words: str) -> None:
    """Three grades, none, and nothing to say."""
    assert words in " ".join(written(write_trend, trend_over(values)).split())


def test_many_runs_share_columns(written: Callable[..., str]) -> None:
    """A column is the mean of several; the axis says so."""
    text = written(write_trend, trend_over([number % 7 / 7 for number in range(1000)]), columns=80)

    assert "a column is the mean of up to 14 runs" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


def test_colours_come_where_they_are_wanted(written: Callable[..., str]) -> None:
    """And nowhere else."""
    runs = RunList(runs=(run_of(1, "failed"),), matching=1)

    assert "\x1b[1;31m" in written(write_list, runs, colours=True)
    assert "\x1b" not in written(write_list, runs)


@given(
    st.lists(st.none() | st.floats(-1e6, 1e6), min_size=1, max_size=60),
    st.integers(1, 40),
    st.integers(1, 10),
    st.booleans(),
)
def test_a_drawing_keeps_to_its_frame(
    values: list[float | None],
    width: int,
    height: int,
    ascii_only: bool,  # noqa: FBT001  Hypothesis fills it in
) -> None:
    """Rows equally long, a column for each value, the greatest at the top and the least above the floor."""
    chart = draw(values, width=width, height=height, ascii_only=ascii_only)

    assert len(chart.rows) == height
    assert {len(row) for row in chart.rows} == {min(width, len(values))}
    assert list(chart.columns) == sorted(chart.columns)
    assert len(chart.columns) == len(values)
    if ascii_only:
        assert "".join(chart.rows).isascii()
    there = [value for value in values if value is not None]
    if len(values) <= width and there:
        assert all((value is None) == (sign == " ") for value, sign in zip(values, chart.rows[-1], strict=True)) or (
            min(there) == max(there)
        )


def test_documents_name_their_schemas(made: SimpleNamespace) -> None:
    """And can be encoded; a step names its run."""
    detail = detail_of(run_of(1), everything(made))

    listed = list_document(RunList(runs=(run_of(1, suites=(suite_of("a"),)),), matching=1))
    compared = comparison_document(compare_runs(detail, detail))
    trend = trend_document(trend_over([0.9] * 5 + [0.5] * 5))

    assert [part["schema"] for part in (listed, compared, trend)] == [
        "sekisho.history/1",
        "sekisho.history.comparison/1",
        "sekisho.history.trend/1",
    ]
    assert trend["step"]["run"] == 8
    assert all(encode(part) for part in (listed, compared, trend, list_document(None)))


def test_a_step_of_an_interrupted_series_is_marked_at_its_run(written: Callable[..., str]) -> None:
    """Gaps before it do not move the sign."""
    trend = trend_over([0.9] * 6 + [None] * 3 + [0.5] * 9)

    lines = written(write_trend, trend).splitlines()

    assert isinstance(trend.step, Step)
    assert lines[10] == " " * (8 + 9) + "^"
