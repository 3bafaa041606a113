from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sekisho.retrieval import EvalCase, EvalReport, evaluate_retrieval

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT_S = 0.15
"""A time limit of tests: long beside a call that returns at once, short beside one that hangs."""
IN_THREADS = [{}, {"concurrency": 3}, {"timeout_s": 30}, {"concurrency": 2, "timeout_s": 30}]


def cases(count: int = 3) -> list[EvalCase]:
    """Return cases whose query is their number."""
    return [EvalCase(f"c{n}", n, [f"d{n}"]) for n in range(count)]


def right(query: int) -> list[str]:
    """Return what the case expects."""
    return [f"d{query}"]


def kinds(report: EvalReport) -> list[str | None]:
    """Return the kind of error of each case."""
    return [result.error.kind if result.error else None for result in report.cases]


class Raises:
    """A target that raises for the second case."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def retrieve(self, query: int) -> list[str]:
        """Return what the case expects, or raise."""
        if query == 1:
            raise self._error
        return right(query)


class UnprintableError(Exception):
    """An exception that cannot be described."""

    def __str__(self) -> str:
        raise ValueError("no text either")


@pytest.mark.parametrize("limits", IN_THREADS)
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("two\n lines"), "ValueError: two lines"),
        (BaseException("base"), "BaseException: base"),
        (SystemExit(0), "SystemExit: 0"),
        (GeneratorExit(), "GeneratorExit"),
        (asyncio.CancelledError(), "CancelledError"),
        (StopIteration("stop"), "StopIteration: stop"),
        (UnprintableError(), "UnprintableError: <str() failed>"),
    ],
)
def test_whatever_a_target_raises_is_an_error_of_its_case(
    error: BaseException, message: str, limits: dict[str, Any]
) -> None:
    """All others run, and the traceback begins at the target's own frame."""
    report = evaluate_retrieval(cases(), Raises(error), **limits)

    assert kinds(report) == [None, "raised", None]
    assert report.mean_recall == 1
    record = report.cases[1].error
    assert record is not None
    assert record.message == message
    assert "raise self._error" in record.traceback
    assert record.traceback.count("File ") == 1


def takes_nothing() -> list[str]:
    """Be no target: the query has no place."""
    return []


def test_a_target_with_the_wrong_signature_is_an_error_of_each_case() -> None:
    """There is no frame of the target to show, and none of this package is shown in its place."""
    report = evaluate_retrieval(cases(1), takes_nothing)

    (record,) = [result.error for result in report.cases]
    assert record is not None
    assert "takes 0 positional arguments" in record.message
    assert "calling.py" not in record.traceback


@pytest.mark.parametrize("limits", IN_THREADS)
def test_keyboard_interrupt_ends_the_evaluation(limits: dict[str, Any]) -> None:
    """It is the user's, also where it is raised in a thread of a target."""
    with pytest.raises(KeyboardInterrupt):
        evaluate_retrieval(cases(), Raises(KeyboardInterrupt()), **limits)


def sleeping(stop: threading.Event) -> None:
    """Hang without work."""
    stop.wait(30)


def busy(stop: threading.Event) -> None:
    """Hang with work."""
    while not stop.is_set():
        pass


@pytest.mark.parametrize("hang", [sleeping, busy])
def test_a_call_that_hangs_is_given_up_and_all_others_run(hang: Callable[[threading.Event], None]) -> None:
    """Its thread is left behind and another takes its place, also where as many hang as run at once."""
    stop = threading.Event()

    def retrieve(query: int) -> list[str]:
        if query in {0, 1}:
            hang(stop)
        return right(query)

    try:
        report = evaluate_retrieval(cases(6), retrieve, concurrency=2, timeout_s=LIMIT_S)
    finally:
        stop.set()

    assert kinds(report) == ["timeout", "timeout", None, None, None, None]
    assert report.cases[0].error is not None
    assert f"{LIMIT_S} s" in report.cases[0].error.message
    assert report.cases[0].elapsed_ms == pytest.approx(LIMIT_S * 1000)
    assert report.mean_recall == 1


def test_a_call_given_up_that_ends_later_changes_nothing() -> None:
    """Neither the progress nor the result of its case, and its thread asks for nothing more."""
    stop = threading.Event()
    seen: list[tuple[int, int]] = []
    asked: list[tuple[int, threading.Thread]] = []

    def retrieve(query: int) -> list[str]:
        asked.append((query, threading.current_thread()))
        if query == 0:
            stop.wait(30)
        elif query == 1:
            stop.set()
            asked[0][1].join(30)
        return right(query)

    report = evaluate_retrieval(
        cases(4), retrieve, timeout_s=LIMIT_S, on_progress=lambda done, total: seen.append((done, total))
    )

    assert kinds(report) == ["timeout", None, None, None]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [query for query, _ in asked] == [0, 1, 2, 3]
    assert asked[0][1] not in {thread for _, thread in asked[1:]}


def test_as_many_calls_run_at_once_as_asked_for_and_results_keep_the_order_of_the_cases() -> None:
    """A barrier of three opens only while three are inside, never a fourth, and the first case ends last."""
    barrier = threading.Barrier(3, timeout=30)
    others_end = threading.Event()
    inside: set[int] = set()
    most: list[int] = []

    def retrieve(query: int) -> list[str]:
        inside.add(query)
        most.append(len(inside))
        barrier.wait()
        if query in {0, 3}:
            others_end.wait(30)
        others_end.set()
        inside.remove(query)
        return right(query)

    report = evaluate_retrieval(cases(6), retrieve, concurrency=3)

    assert max(most) == 3
    assert [result.retrieved for result in report.cases] == [(f"d{n}",) for n in range(6)]


def test_without_limits_all_calls_are_made_in_the_callers_thread() -> None:
    """A connection of sqlite3 can be used only in the thread that opened it."""
    connection = sqlite3.connect(":memory:")

    try:
        report = evaluate_retrieval(
            cases(), lambda query: [connection.execute("select 'd' || ?", [query]).fetchone()[0]]
        )
        elsewhere = evaluate_retrieval(cases(1), lambda _: connection.execute("select 1"), timeout_s=30)
    finally:
        connection.close()

    assert report.mean_recall == 1
    assert kinds(elsewhere) == ["raised"]


@pytest.mark.parametrize("limits", IN_THREADS)
def test_progress_counts_every_case_once(limits: dict[str, Any]) -> None:
    """Cases with an error count too."""
    seen: list[tuple[int, int]] = []

    evaluate_retrieval(cases(), Raises(ValueError()), on_progress=lambda *numbers: seen.append(numbers), **limits)

    assert seen == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("limits", IN_THREADS)
def test_what_progress_raises_ends_the_evaluation_and_nothing_more_is_asked(limits: dict[str, Any]) -> None:
    """The mistake is the caller's, not the target's."""
    asked: list[int] = []

    def retrieve(query: int) -> list[str]:
        asked.append(query)
        time.sleep(0.005)
        return right(query)

    def progress(_done: int, _total: int) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError):
        evaluate_retrieval(cases(200), retrieve, on_progress=progress, **limits)

    assert len(asked) < 200


class Batch:
    """A target that may answer all queries at once."""

    def __init__(self, many: Callable[[Any], Any] | None) -> None:
        self.asked: list[object] = []
        if many is not None:
            self.retrieve_many = many

    def retrieve(self, query: int) -> list[str]:
        """Return what the case expects."""
        self.asked.append(query)
        return right(query)


def test_a_batch_is_asked_for_once_where_there_are_no_limits() -> None:
    """Time is shared out evenly, and progress counts every case."""
    batches: list[object] = []
    seen: list[tuple[int, int]] = []

    def many(queries: list[int]) -> list[list[str]]:
        batches.append(queries)
        return [right(query) for query in queries]

    target = Batch(many)
    report = evaluate_retrieval(cases(), target, on_progress=lambda *numbers: seen.append(numbers))

    assert batches == [[0, 1, 2]]
    assert target.asked == []
    assert report.mean_recall == 1
    assert len({result.elapsed_ms for result in report.cases}) == 1
    assert seen == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("limits", IN_THREADS[1:])
def test_a_batch_is_not_asked_for_where_there_are_limits(limits: dict[str, Any]) -> None:
    """A limit speaks about one call a case."""
    target = Batch(lambda _: pytest.fail("asked for a batch"))

    evaluate_retrieval(cases(), target, **limits)

    assert sorted(target.asked) == [0, 1, 2]  # type: ignore[type-var]  # all are int


def exits(_queries: object) -> object:
    """Leave, as a command line does."""
    raise SystemExit(3)


@pytest.mark.parametrize(
    "many",
    [
        exits,
        lambda queries: [right(query) for query in queries][:-1],
        lambda queries: [*map(right, queries), ["d"]],
        lambda _queries: None,
        lambda _queries: "abc",
        lambda queries: {f"d{query}": 1.0 for query in queries},
        lambda queries: (1 / 0 for query in queries),
        "not callable",
    ],
)
def test_a_batch_that_fails_is_asked_for_one_by_one(many: Callable[[Any], Any]) -> None:
    """The case that fails, if one does, then has a name."""
    target = Batch(many)

    report = evaluate_retrieval(cases(), target)

    assert target.asked == [0, 1, 2]
    assert report.mean_recall == 1


def test_one_wrong_result_in_a_batch_is_an_error_of_its_case() -> None:
    """The others are measured."""
    report = evaluate_retrieval(cases(), Batch(lambda queries: [right(queries[0]), None, right(queries[2])]))

    assert kinds(report) == [None, "wrong_type", None]


def test_a_batch_of_vectors_is_one_array() -> None:
    """Rows of different lengths cannot be, and are asked for one by one."""
    shapes: list[tuple[int, ...]] = []

    class Vectors:
        def retrieve(self, query: np.ndarray) -> list[str]:
            shapes.append(query.shape)
            return ["d"]

        def retrieve_many(self, queries: np.ndarray) -> list[list[str]]:
            shapes.append(queries.shape)
            return [["d"]] * len(queries)

    even = [EvalCase("a", np.zeros(4), ["d"]), EvalCase("b", np.ones(4), ["d"])]
    uneven = [EvalCase("a", np.zeros(4), ["d"]), EvalCase("b", np.ones(3), ["d"])]

    assert evaluate_retrieval(even, Vectors()).mean_recall == 1
    assert evaluate_retrieval(uneven, Vectors()).mean_recall == 1
    assert shapes == [(2, 4), (4,), (3,)]


def test_time_is_measured_a_call() -> None:
    """Waiting for other calls does not count."""

    def retrieve(query: int) -> list[str]:
        time.sleep(0.05 * query)
        return right(query)

    report = evaluate_retrieval(cases(2), retrieve, timeout_s=30)

    assert report.cases[1].elapsed_ms >= 50
    assert report.cases[0].elapsed_ms < report.cases[1].elapsed_ms
