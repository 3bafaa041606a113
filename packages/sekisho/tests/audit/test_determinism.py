"""Unstable cases from observations, without running anything."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sekisho.compare.determinism import (
    AuditRun,
    Condition,
    Factor,
    Observations,
    changing_conditions,
    unstable_cases,
)

PLAIN = Condition(factor="repetition", setting="repetition")
SEED = Condition(factor="hash_seed", setting="PYTHONHASHSEED=2")
OTHER_SEED = Condition(factor="hash_seed", setting="PYTHONHASHSEED=3")
ORDER = Condition(factor="order", setting="order=reversed")
AT_ONCE = Condition(factor="concurrency", setting="concurrency=4")


def run(condition: Condition, **cases: list[str]) -> AuditRun:
    """Return a run of one suite, in which each case found this list of ids."""
    return AuditRun(condition, {"s": {case: {"retrieved": ids} for case, ids in cases.items()}})


def factors(
    *runs: AuditRun, first: Observations | None = None, first_seed_known: bool = False
) -> dict[str, tuple[Factor, ...]]:
    """Return case to what changes it."""
    found = unstable_cases(runs, first=first, first_seed_known=first_seed_known)
    return {case.id: case.factors for case in found}


def test_equal_runs_are_stable() -> None:
    """Nothing changed, nothing is said."""
    assert factors(run(PLAIN, a=["1"]), run(PLAIN, a=["1"]), run(SEED, a=["1"])) == {}


def test_repetition_comes_before_every_other_factor() -> None:
    """A case that changes by itself says nothing about a hash seed."""
    found = factors(
        run(PLAIN, a=["1"], b=["1"]),
        run(PLAIN, a=["2"], b=["1"]),
        run(SEED, a=["3"], b=["3"]),
    )

    assert found == {"a": ("repetition",), "b": ("hash_seed",)}


def test_a_condition_that_contradicts_itself_is_repetition() -> None:
    """The case changed under another hash seed once, and once it did not: the seed did not do it."""
    assert factors(run(PLAIN, a=["1"]), run(PLAIN, a=["1"]), run(SEED, a=["2"]), run(SEED, a=["1"])) == {
        "a": ("repetition",)
    }


def test_calls_at_once_need_not_fail_every_time() -> None:
    """A race is lost now and then, which is the fault of calls at once."""
    runs = [run(PLAIN, a=["1"]), run(PLAIN, a=["1"]), run(AT_ONCE, a=["1"]), run(AT_ONCE, a=["2"])]

    assert factors(*runs) == {"a": ("concurrency",)}


def test_each_factor_is_shown_by_its_first_setting() -> None:
    """Two seeds that change a case are one finding; two factors are two."""
    runs = [run(PLAIN, a=["1"]), run(SEED, a=["2"]), run(OTHER_SEED, a=["3"]), run(ORDER, a=["4"])]

    changes = unstable_cases(runs)[0].changes

    assert [(change.setting, change.before, change.after) for change in changes] == [
        ("PYTHONHASHSEED=2", ["1"], ["2"]),
        ("order=reversed", ["1"], ["4"]),
    ]
    assert changing_conditions(runs) == (SEED, OTHER_SEED, ORDER)


def test_another_order_is_told_from_other_ids() -> None:
    """A swap loses nothing; another id does."""
    changes = [
        unstable_cases([run(PLAIN, a=["1", "2"]), run(SEED, a=ids)])[0].changes[0].aspect
        for ids in (["2", "1"], ["1", "3"])
    ]

    assert changes == ["retrieved_order", "retrieved_ids"]


def test_a_case_that_is_gone_has_changed() -> None:
    """A principal that is there in one run only."""
    change = unstable_cases([run(PLAIN, a=[], b=[]), run(SEED, a=[])])[0].changes[0]

    assert (change.aspect, change.before, change.after) == ("presence", True, False)


def test_a_suite_that_a_condition_leaves_out_is_not_compared() -> None:
    """A permission matrix has no order to change."""
    assert factors(run(PLAIN, a=["1"]), AuditRun(ORDER, {})) == {}


def test_the_first_run_is_named_where_it_stands_alone() -> None:
    """Something that the first run left behind changed all later ones."""
    first = {"s": {"a": {"retrieved": ["0"]}}}

    assert factors(run(PLAIN, a=["1"]), run(PLAIN, a=["1"]), first=first) == {"a": ("first_run",)}


def test_a_first_run_with_a_random_hash_seed_adds_nothing_to_the_hash_seed() -> None:
    """It ran with a seed of its own, so a case that seeds change is bound to differ."""
    first = {"s": {"a": {"retrieved": ["0"]}}}
    runs = [run(PLAIN, a=["1"]), run(SEED, a=["2"])]

    assert factors(*runs, first=first) == {"a": ("hash_seed",)}
    assert factors(*runs, first=first, first_seed_known=True) == {"a": ("first_run", "hash_seed")}


def test_what_one_run_cannot_show_is_not_compared() -> None:
    """The first run of a redacted suite has no answer to compare."""
    first: dict[str, Any] = {"s": {"a": {"found": True}}}
    plain = AuditRun(PLAIN, {"s": {"a": {"found": True, "answer": "1"}}})

    assert factors(plain, first=first) == {}


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.lists(st.sampled_from("xy"))), min_size=1))
def test_repetition_never_blames_another_factor(results: list[dict[str, list[str]]]) -> None:
    """Whatever plain runs give, unstable cases change by themselves, and no condition is worth a second run."""
    runs = [run(PLAIN, **cases) for cases in results]

    found = factors(*runs)

    assert set(found.values()) <= {("repetition",)}
    assert changing_conditions(runs) == ()
