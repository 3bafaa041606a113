"""Whatever a target returns or raises becomes a record of bounded size, and the same one each time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, NoReturn

import pytest

from sekisho import EvalCase
from sekisho.calling.exceptions import LONGEST_TEXT, LONGEST_TRACEBACK
from sekisho.core.errors import SekishoError, TargetError
from sekisho.retrieval import evaluate_retrieval, evaluate_retrieval_async

if TYPE_CHECKING:
    from sekisho.retrieval import EvalReport

CASES = [EvalCase("a", "a", ["d1"]), EvalCase("b", "b", ["d1"])]


class Exits(Sequence[str]):
    """A lazy result that exits."""

    def __len__(self) -> int:
        return 10

    def __getitem__(self, index: object) -> NoReturn:
        raise SystemExit(0)


class Endless(list[str]):
    """A result without an end."""

    def __iter__(self) -> Iterator[str]:
        return (str(number) for number in count())


class Slow(Sequence[str]):
    """A lazy result whose reading takes its time."""

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: object) -> str:  # type: ignore[override]  never sliced
        if index:
            raise IndexError
        time.sleep(0.3)
        return "d1"


class ExitingMapping(Mapping[str, float]):
    """Scores that exit when they are read."""

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        raise SystemExit(0)

    def __getitem__(self, key: str) -> float:
        return 1.0


class ExitingFloat(float):
    """A score that exits."""

    def __float__(self) -> float:
        raise SystemExit(0)


class Unwritable:
    """No score, and not to be shown either."""

    def __repr__(self) -> str:
        raise SystemExit(0)


def classless() -> object:
    """Return an object that does not tell its class; pytest itself would stumble over one that it can see."""

    def fail(_self: object) -> None:
        raise SystemExit(0)

    return type("Classless", (), {"__class__": property(fail)})()


class UnluckyError(SekishoError):
    """A sequence's own error, of which this package has no sentence."""


class OwnError(Sequence[str]):
    """A lazy result that raises it."""

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: object) -> NoReturn:
        raise UnluckyError("no.such.code")


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (Exits, "raised"),
        (ExitingMapping, "raised"),
        (lambda: {"d1": ExitingFloat(1)}, "raised"),
        (lambda: {"d1": Unwritable()}, "raised"),
        (classless, "raised"),
        (OwnError, "raised"),
        (lambda: {"d1": 10**5000}, "wrong_type"),
        (Endless, "wrong_type"),
        (lambda: [f"d{number}" for number in range(10_001)], "wrong_type"),
        (lambda: dict.fromkeys(map(str, range(10_001)), 1.0), "wrong_type"),
    ],
)
@pytest.mark.parametrize("timeout_s", [None, 20.0])
def test_a_result_that_cannot_be_read_is_an_error_of_its_case(
    make: Callable[[], object], kind: str, timeout_s: float | None
) -> None:
    """Reading runs code of the target as much as calling it."""
    report = evaluate_retrieval(CASES, {"a": make(), "b": ["d1"]}.__getitem__, timeout_s=timeout_s)

    bad, good = report.cases
    assert bad.error is not None
    assert (bad.error.kind, good.recall) == (kind, 1.0)
    assert bad.error.reason.render("ja")


def test_the_bound_is_named_and_k_may_be_beyond_it() -> None:
    """Who asks for more than 10,000 gets them."""
    many = [f"d{number}" for number in range(10_001)]

    refused, read = (evaluate_retrieval(CASES, lambda _query: many, k=k) for k in (10, 10_001))

    assert "10,000" in refused.errors[0].error.message
    assert not read.errors


class Batch:
    """A target that answers for all queries at once, in a way of its own."""

    def __init__(self, results: object) -> None:
        self.results = results

    def retrieve(self, _query: str) -> list[str]:
        """Return what is right."""
        return ["d1"]

    def retrieve_many(self, _queries: object) -> object:
        """Return what was given."""
        return self.results


@pytest.mark.parametrize("make", [Exits, Endless, lambda: None, lambda: 5, lambda: {"a": ["d1"], "b": ["d1"]}])
def test_a_batch_that_cannot_be_read_is_asked_query_by_query(make: Callable[[], object]) -> None:
    """Which names the case that fails."""
    report = evaluate_retrieval(CASES, Batch(make()))

    assert report.mean_recall == 1.0


def test_one_bad_result_of_a_batch_is_an_error_of_its_case() -> None:
    """The others count."""
    report = evaluate_retrieval(CASES, Batch([Exits(), ["d1"]]))

    assert [case.error is None for case in report.cases] == [False, True]


@pytest.mark.parametrize("name", ["retrieve", "retrieve_many"])
@pytest.mark.parametrize("error", [SystemExit(0), RuntimeError("boom")])
def test_a_method_that_cannot_be_looked_up_is_an_error_of_the_target(name: str, error: BaseException) -> None:
    """Never one of this package."""

    class Target:
        def retrieve(self, _query: str) -> list[str]:
            return []

    def fail(_self: object) -> None:
        raise error

    setattr(Target, name, property(fail))
    with pytest.raises(TargetError) as caught:
        evaluate_retrieval(CASES, Target())

    assert caught.value.code == "calling.not_usable"


def test_a_call_that_ends_late_is_a_timeout_whenever_it_is_seen() -> None:
    """A deadline between two looks at it holds too, and reading the result is part of the call."""

    async def late(query: str) -> object:
        return Slow() if query == "a" else ["d1"]

    def slow(query: str) -> object:
        return Slow() if query == "a" else ["d1"]

    def just_late(query: str) -> list[str]:
        time.sleep(0.012 if query == "a" else 0)
        return ["d1"]

    reports = [
        evaluate_retrieval(CASES, late, timeout_s=0.2),
        evaluate_retrieval(CASES, slow, timeout_s=0.2),
        evaluate_retrieval(CASES, just_late, timeout_s=0.01),
    ]

    for report in reports:
        assert report.cases[0].error is not None
        assert report.cases[0].error.kind == "timeout"


@pytest.mark.parametrize("error", [ValueError("x" * 5_000_000), ValueError("x " * 5_000_000)])
def test_a_huge_exception_is_cut(error: Exception) -> None:
    """Its beginning says what it is."""

    def retrieve(_query: str) -> list[str]:
        raise error

    found = evaluate_retrieval(CASES, retrieve).errors[0].error

    assert len(found.reason.values["text"]) <= LONGEST_TEXT + 1
    assert len(found.traceback) <= LONGEST_TRACEBACK
    assert "Traceback (most recent call last)" in found.traceback


def test_a_chain_of_causes_is_cut_and_may_be_a_circle() -> None:
    """Thousands of causes, of which the last is caused by itself."""
    error = ValueError("first")
    error.__cause__ = error
    for number in range(3000):
        later = ValueError(f"number {number}")
        later.__cause__ = error
        error = later

    def retrieve(_query: str) -> list[str]:
        raise error

    found = evaluate_retrieval(CASES, retrieve).errors[0].error

    assert found.traceback.count("direct cause") <= 9
    assert "number 2999" in found.traceback
    assert error.__cause__ is not None


def test_a_chain_reads_as_python_writes_it() -> None:
    """The oldest first, with what happened between two of them."""

    def retrieve(_query: str) -> list[str]:
        try:
            raise KeyError("inner")  # noqa: TRY301  the chain is what is tested
        except KeyError as error:
            raise ValueError("outer") from error

    found = evaluate_retrieval(CASES, retrieve).errors[0].error.traceback

    first, _, second = found.partition("direct cause of the following exception")
    assert "KeyError: 'inner'" in first
    assert second.rstrip().endswith("ValueError: outer")
    assert "calling.py" not in found


class Mute(Exception):  # noqa: N818  whatever a target calls it
    """An exception that exits when it is described and hides its parts."""

    def __str__(self) -> str:
        raise SystemExit(0)

    @property
    def __traceback__(self) -> NoReturn:
        raise SystemExit(0)

    @property
    def __cause__(self) -> NoReturn:
        raise SystemExit(0)


@pytest.mark.parametrize("timeout_s", [None, 20.0])
def test_an_exception_that_cannot_be_described_is_an_error_of_its_case(timeout_s: float | None) -> None:
    """With the name of its type."""

    def retrieve(_query: str) -> list[str]:
        raise Mute

    report = evaluate_retrieval(CASES, retrieve, timeout_s=timeout_s)

    assert "Mute" in report.errors[0].error.message


def test_addresses_are_left_out() -> None:
    """Two runs give the same bytes."""

    def retrieve(_query: str) -> list[str]:
        raise ValueError(object(), lambda: None)

    errors = [evaluate_retrieval(CASES, retrieve).errors[0].error for _ in range(2)]

    assert "object object at 0x…" in errors[0].message
    assert "at 0x…" in errors[0].traceback
    assert errors[0] == errors[1]


def test_a_target_that_stops_its_event_loop_stops_nothing_else() -> None:
    """The loop goes on until the evaluation ends."""
    import asyncio  # noqa: PLC0415  only here

    async def retrieve(_query: str) -> list[str]:
        asyncio.get_running_loop().stop()
        await asyncio.sleep(0.01)
        return ["d1"]

    report = evaluate_retrieval(CASES, retrieve)

    assert report.mean_recall == 1.0


async def _in_a_loop(timeout_s: float | None) -> EvalReport:
    async def retrieve(query: str) -> object:
        return Exits() if query == "a" else ["d1"]

    return await evaluate_retrieval_async(CASES, retrieve, timeout_s=timeout_s)


@pytest.mark.parametrize("timeout_s", [None, 20.0])
def test_in_a_running_loop_a_result_is_read_under_guard_as_well(timeout_s: float | None) -> None:
    """SystemExit would end the loop."""
    import asyncio  # noqa: PLC0415  only here

    report = asyncio.run(_in_a_loop(timeout_s))

    assert [case.error is None for case in report.cases] == [False, True]
