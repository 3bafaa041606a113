"""The report of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.reports.comparison import comparison_document, differences, write_comparison

if TYPE_CHECKING:
    from collections.abc import Callable

    from syrupy.assertion import SnapshotAssertion

    from sekisho.core.messages import Language
    from sekisho.gate import RunResult

KINDS = ("compared", "saturated")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_comparison_reads_like_this(
    runs: dict[str, RunResult], written: Callable[..., str], snapshot: SnapshotAssertion, kind: str, language: Language
) -> None:
    """Metrics side by side, the best marked, then each target against the first."""
    assert written(write_comparison, runs[kind], language) == snapshot


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_document_adds_what_changed(
    runs: dict[str, RunResult], snapshot: SnapshotAssertion, language: Language
) -> None:
    """Per target: the direction in one sentence, counts, and each case that differs."""
    document = comparison_document(runs["compared"], language=language)

    assert document["reference"] == "old"
    assert document["differences"] == snapshot


def test_nothing_is_marked_where_all_are_level(runs: dict[str, RunResult], written: Callable[..., str]) -> None:
    """A column of stars tells nothing."""
    assert "*" not in written(write_comparison, runs["saturated"])


def test_a_corpus_that_tells_no_target_from_another_is_named(
    runs: dict[str, RunResult], written: Callable[..., str]
) -> None:
    """At 0.995 and above it sees nothing."""
    assert "this corpus sees nothing" in written(write_comparison, runs["saturated"])
    assert "this corpus sees nothing" not in written(write_comparison, runs["compared"])


def test_only_cases_measured_on_both_sides_are_compared(runs: dict[str, RunResult]) -> None:
    """A crash is neither a win nor a loss."""
    old, _, crashing = runs["compared"].suites

    found = differences(old, crashing)

    assert {pair.after.id for pair in found.pairs} == {"q1", "q3"}
    assert (found.wins, found.ties, found.losses) == (0, 2, 0)


def test_the_worst_change_comes_first(runs: dict[str, RunResult]) -> None:
    """By recall, then by nDCG, then by id."""
    old, new, _ = runs["compared"].suites

    changes = [pair.change for pair in differences(old, new).pairs]

    assert changes == sorted(changes)
    assert changes[0] < (0.0, 0.0)
