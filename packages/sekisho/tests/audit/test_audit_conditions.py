"""Which conditions are run, and what a process does that gives no results."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from sekisho.app.audit_child import Request
from sekisho.app.audit_conditions import plans
from sekisho.app.audit_process import measured_in_child
from sekisho.app.configuration import load_configuration
from sekisho.app.prepared import Selection
from sekisho.app.settings import AccessSuite, RetrievalSuite
from sekisho.core.messages import Note

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.app.prepared import CaseOrder

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
SUITE = RetrievalSuite(name="s", target="m:f")


def settings(*suites: RetrievalSuite | AccessSuite, **environment: str) -> list[str]:
    """Return the settings that are run, in order."""
    return [plan.condition.setting for plan in plans(suites, environment)]


def test_a_hash_seed_that_is_set_is_the_plain_one() -> None:
    """Two others are tried against it."""
    planned = plans([SUITE], {"PYTHONHASHSEED": "2"})

    assert planned[0].environment == {"PYTHONHASHSEED": "2"}
    assert settings(SUITE, PYTHONHASHSEED="2")[1:3] == ["PYTHONHASHSEED=1", "PYTHONHASHSEED=3"]


@pytest.mark.parametrize("seed", ["random", "", "１"])
def test_a_random_hash_seed_is_replaced_by_a_fixed_one(seed: str) -> None:
    """So that all later runs have one that can be set again."""
    assert plans([SUITE], {"PYTHONHASHSEED": seed})[0].environment == {"PYTHONHASHSEED": "1"}


def test_the_thread_count_that_is_set_is_not_tried_again() -> None:
    """It is the plain one; all variables that libraries look at change together."""
    planned = {plan.condition.setting: plan for plan in plans([SUITE], dict.fromkeys(THREADS, "1"))}

    assert "OMP_NUM_THREADS=1" not in planned
    assert [planned["OMP_NUM_THREADS=2"].environment[name] for name in THREADS] == ["2"] * 4


def test_a_permission_matrix_keeps_its_order() -> None:
    """The order of its cases decides what it asks."""
    matrix = AccessSuite(name="a", target="m:f")

    assert not any(setting.startswith("order") for setting in settings(matrix))
    assert [plan.suites for plan in plans([matrix, SUITE], {}) if plan.order != "given"] == [(SUITE,), (SUITE,)]


def test_a_suite_with_calls_at_once_is_run_one_by_one_instead() -> None:
    """What is configured is the plain condition."""
    planned = plans([RetrievalSuite(name="s", target="m:f", concurrency=8)], {})

    assert [plan.suites[0].concurrency for plan in planned if plan.condition.factor == "concurrency"] == [1]


@pytest.mark.parametrize("order", ["given", "reversed", "shuffled"])
def test_an_order_loses_no_case(order: CaseOrder) -> None:
    """Every case once, whatever the order; and the same order each time."""
    selection = Selection()._replace(order=order)

    found = selection.ordered(range(50))

    assert sorted(found) == list(range(50))
    assert found == selection.ordered(range(50))
    assert (found == tuple(range(50))) == (order == "given")


def request(folder: Path, name: str) -> Request:
    """Return what a process is asked to run."""
    configuration = load_configuration(folder / "sekisho.toml")
    suites = tuple(suite for suite in configuration.suites if suite.name == name)
    return Request(suites, configuration.root, Selection(), frozenset(), None)


def measured(asked: Request, *, limit_s: float = 60.0) -> object:
    """Return what a process saw."""
    return measured_in_child(
        asked, path=sys.path, environment={}, limit_s=limit_s, on_progress=lambda _name, _done, _total: None
    )


def test_a_process_that_takes_too_long_is_ended(audited_project: Path) -> None:
    """A target that waits for itself under one condition does not hold up the rest."""
    found = measured(request(audited_project, "slow"), limit_s=1.0)

    assert isinstance(found, Note)
    assert found.code == "audit.late"


def test_a_refusal_in_a_process_is_told_with_its_reason(audited_project: Path) -> None:
    """Such as a module that is gone in the meantime."""
    asked = request(audited_project, "vectors")
    gone = RetrievalSuite(name="gone", target="no_such_module:make")

    found = measured(asked._replace(suites=(gone,)))

    assert isinstance(found, Note)
    assert "no_such_module" in found.render("en")
    assert "no_such_module" in found.render("ja")


def test_a_redacted_suite_hides_the_reason_of_a_refusal(audited_project: Path) -> None:
    """It may quote the data."""
    gone = RetrievalSuite(name="gone", target="no_such_module:make", redact=True)

    found = measured(request(audited_project, "vectors")._replace(suites=(gone,)))

    assert isinstance(found, Note)
    assert found.code == "audit.refused_redacted"
