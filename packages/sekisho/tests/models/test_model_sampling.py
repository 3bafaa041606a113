"""The pass rate of several samples, its interval, and where asking stops."""

from __future__ import annotations

import datetime as dt
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sekisho.answers.sampling import is_decided, passes_needed, wilson_interval
from sekisho.answers.sampling_run import Sampling, sample_answers
from sekisho.core.answers import Answer, AnswerCase, KnownIssue

TODAY = dt.date(2026, 1, 1)


@pytest.mark.parametrize(
    ("passed", "count", "low", "high"),
    [(0, 1, 0.0, 0.793), (4, 5, 0.376, 0.964), (8, 10, 0.490, 0.943), (10, 10, 0.722, 1.0), (81, 263, 0.255, 0.366)],
)
def test_wilson_gives_the_published_numbers(passed: int, count: int, low: float, high: float) -> None:
    """The last row is a worked example of the literature: 81 of 263."""
    assert wilson_interval(passed, count) == pytest.approx((low, high), abs=6e-4)


@given(st.integers(1, 1000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count))))
def test_wilson_holds_the_share_and_stays_in_bounds(sample: tuple[int, int]) -> None:
    """Also at 0 and 1, where it is not empty."""
    passed, count = sample

    low, high = wilson_interval(passed, count)

    assert 0 <= low <= passed / count <= high <= 1
    assert low < high


@pytest.mark.parametrize(("samples", "rate", "needed"), [(5, 0.8, 4), (5, 0, 1), (5, 1, 5), (30, 0.1, 3), (3, 0.5, 2)])
def test_the_needed_passes_reach_the_rate(samples: int, rate: float, needed: int) -> None:
    """At least one, and no more than the rate asks for."""
    assert passes_needed(samples, rate) == needed


@pytest.mark.parametrize("needed", [1, 3, 4, 5])
def test_stopping_early_never_changes_the_verdict(needed: int) -> None:
    """Over every course of five samples."""
    for course in product([True, False], repeat=5):
        taken = next(
            number
            for number in range(1, 6)
            if is_decided(sum(course[:number]), number - sum(course[:number]), samples=5, needed=needed)
        )

        assert (sum(course[:taken]) >= needed) == (sum(course) >= needed)


def test_the_interval_stays_honest_where_asking_stops_early() -> None:
    """How often it holds the true rate, over all courses of five samples of which four must pass."""
    ends = set()
    for course in product([True, False], repeat=5):
        counts = ((sum(course[:number]), number) for number in range(1, 6))
        ends.add(
            next((course[:n], *wilson_interval(p, n)) for p, n in counts if is_decided(p, n - p, samples=5, needed=4))
        )
    rates = [number / 100 for number in range(5, 96)]

    held = [
        sum(
            rate ** sum(course) * (1 - rate) ** (len(course) - sum(course))
            for course, low, high in ends
            if low <= rate <= high
        )
        for rate in rates
    ]

    assert min(held) > 0.88
    assert sum(held) / len(held) > 0.95


def asked(case: AnswerCase, *answers: Answer | Exception, samples: int = 5, rate: float = 0.8) -> object:
    """Return a case, asked of a target that gives these answers in turn."""
    left = list(answers)

    def answer(_question: str, _departments: list[str]) -> Answer:
        found = left.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    sampling = Sampling(samples=samples, min_pass_rate=rate, today=TODAY)
    return sample_answers([case], answer, sampling).cases[0]


YES, NO, LEAK = Answer("20万円です"), Answer("不明です"), Answer("20万円、極秘")
CASE = AnswerCase(id="q", question="上限は？", expect_text=("20万円",))
SECRET = AnswerCase(id="q", question="上限は？", expect_text=("20万円",), forbid=("極秘",))


def test_asking_stops_when_the_case_is_sure_to_pass() -> None:
    """The fifth answer could change nothing."""
    case = asked(CASE, YES, NO, YES, YES, YES)

    assert (case.passes, case.measured, case.holds) == (4, 5, True)
    assert asked(CASE, YES, YES, YES, YES).measured == 4


def test_asking_stops_when_the_case_is_sure_to_fail() -> None:
    """Two of five are too many."""
    case = asked(CASE, NO, NO)

    assert (case.passes, case.measured, case.is_decided, case.holds) == (0, 2, True, False)
    assert [failure.code for failure in case.result.failures] == ["missing_text"]


def test_a_case_with_a_forbidden_text_is_asked_to_the_end() -> None:
    """Any answer could still hold it."""
    case = asked(SECRET, YES, YES, YES, YES, LEAK)

    assert case.passes == 4
    assert [number for number, _ in case.leaks] == [5]
    assert (case.result.status, case.result.failures[0].code) == ("ng", "forbidden_text")


def test_a_leak_ends_the_asking() -> None:
    """Nothing can make up for it, and no known issue excuses it."""
    case = asked(AnswerCase(id="q", question="?", forbid=("極秘",), known_issue=KnownIssue(reason="slow")), YES, LEAK)

    assert (case.measured, case.result.status) == (2, "ng")


def test_a_crash_is_neither_a_pass_nor_a_failure() -> None:
    """The case ends, unmeasured, whatever came before."""
    case = asked(CASE, YES, YES, OSError("gone"))

    assert (case.passes, case.measured) == (2, 2)
    assert case.result.error is not None
    assert case.result.failures[0].code == "error"


def test_a_leak_before_a_crash_stays_a_leak() -> None:
    """It was seen."""
    case = asked(SECRET, LEAK)

    assert case.result.error is None
    assert case.result.failures[0].code == "forbidden_text"


def test_a_known_issue_excuses_what_it_names_in_every_sample() -> None:
    """A failure of another kind in one sample is new."""
    issue = KnownIssue(reason="units", failures=("missing_text",))
    case = AnswerCase(id="q", question="?", expect_text=("20万円",), known_issue=issue)

    assert asked(case, NO, NO).result.status == "known"
    assert asked(case, NO, Answer("", found=False)).result.status == "ng"


def test_several_cases_are_asked_in_rounds() -> None:
    """A decided one is asked no more."""
    questions = []

    def answer(question: str, _departments: list[str]) -> Answer:
        questions.append(question)
        return YES if question == "a" else NO

    cases = [AnswerCase(id=name, question=name, expect_text=("20万円",)) for name in "ab"]
    progress = []
    sampling = Sampling(samples=3, min_pass_rate=1, today=TODAY)
    sample_answers(cases, answer, sampling, on_progress=lambda done, total: progress.append((done, total)))

    assert questions == ["a", "b", "a", "a"]
    assert progress == [(1, 2), (1, 2), (2, 2)]
