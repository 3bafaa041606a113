"""The permission matrix for people: which leaks are shown, and how they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import pytest

from sekisho.access import AccessReport, CacheFinding, Leak, PrincipalResult, ProbeError
from sekisho.access.nonsense import nonsense_questions, unasked_words
from sekisho.access.records import STAGES, Kind
from sekisho.calling.records import CaseError
from sekisho.core.messages import LANGUAGES, catalogue, note
from sekisho.core.text import display_width
from sekisho.gate import AccessSuiteResult
from sekisho.gate.access import judge_access
from sekisho.reports.access_leaks import spread
from sekisho.reports.check_report import write_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from sekisho.gate import RunResult

NOBODY: tuple[str, ...] = ()
BOTH = ("hr", "sales")
REASON = note("calling.raised", text="OSError: gone")


def leak(document: str, principal: tuple[str, ...] = NOBODY, **more: Any) -> Leak:  # noqa: ANN401  any field
    """Return a leak of a document by its name in a source."""
    fields: dict[str, Any] = {
        "document_name": f"{document}.md", "stage": "cited", "kind": "name", "question": f"about {document}",
        "shown": f"{document}.md", "reason": REASON, **more,
    }  # fmt: skip
    return Leak(principal=principal, document_id=document, **fields)


def suite(*leaks: Leak, cache: tuple[CacheFinding, ...] = (), errors: tuple[ProbeError, ...] = ()) -> AccessSuiteResult:
    """Return a matrix of nobody and of who sees everything."""
    principals = (
        PrincipalResult(
            departments=NOBODY, unrestricted=False, visible=1, hidden=2, probes=4, leak_count=len(leaks), leaks=leaks,
            error_count=len(errors), errors=errors, recall=1.0, unrestricted_recall=1.0,
        ),
        PrincipalResult(departments=BOTH, unrestricted=True, visible=3, hidden=0, probes=0, recall=1.0),
    )  # fmt: skip
    report = AccessReport(
        k=10, everyone="all", documents=3, departments=BOTH, principals=principals, stages=STAGES, cache=cache
    )
    verdict, gate = judge_access(report)
    return AccessSuiteResult(
        name="access", target="app:make", verdict=verdict, gate=gate, report=report, fingerprints={}
    )


def test_leaks_are_told_with_the_name_of_the_document_and_of_who_asks(
    written: Callable[..., str], make_run: Callable[..., RunResult]
) -> None:
    """What the sentence says already is not shown once more."""
    lines = written(write_run, make_run(suite(leak("salary")))).splitlines()

    start = lines.index("  - nobody: a source names salary.md")
    assert lines[start + 1 : start + 3] == [
        "    asked: about salary",
        "4 questions about hidden documents: 1 leaks, 0 calls not measured",
    ]
    assert "  - 所属なし: 出典に salary.md の名前があります" in written(
        write_run, make_run(suite(leak("salary"))), "ja"
    )


def test_a_document_without_a_name_is_told_by_its_id(
    written: Callable[..., str], make_run: Callable[..., RunResult]
) -> None:
    """As in a redacted suite."""
    text = written(write_run, make_run(suite(leak("7", document_name=None, question="", shown=""))))

    assert "- nobody: a source names 7\n" in text
    assert "asked:" not in text


def test_every_stage_and_kind_has_its_sentence() -> None:
    """Those that the records know and a matrix finds."""
    found = {name.removeprefix("access.") for name in catalogue("access", "en")}
    pairs = {f"{stage}_{kind}" for stage in STAGES for kind in get_args(Kind)} & found

    assert pairs
    for language in LANGUAGES:
        assert [pair for pair in pairs if f"leak_{pair}" not in catalogue("report", language)] == []


def test_the_leaks_shown_are_spread_over_documents_and_principals() -> None:
    """Each document once before any comes twice, and not all of one principal."""
    many = [leak(f"d{number % 4}", ("hr",) if number >= 40 else NOBODY) for number in range(80)]

    shown = spread(many, 4)

    assert {each.document_id for each in shown} == {"d0", "d1", "d2", "d3"}
    assert [each.principal for each in shown].count(NOBODY) == 2
    assert spread(many[:2]) == many[:2]


def test_a_made_up_word_is_explained_once(written: Callable[..., str], make_run: Callable[..., RunResult]) -> None:
    """Beside each question only that it is one."""
    words = unasked_words(())
    leaks = [leak(f"d{number}", question=f"about {number} {next(words)}") for number in range(2)]
    text = written(write_run, make_run(suite(*leaks, leak("d9", question=nonsense_questions(())[1]))))

    assert text.count("(made-up word)") == 2
    assert text.count("(made-up words)") == 1
    assert text.count("makes it one that nobody has asked before") == 1


def test_a_cache_is_named_once_and_before_the_leaks(
    written: Callable[..., str], make_run: Callable[..., RunResult]
) -> None:
    """It may be the cause; whose result changes is told by the names of the table."""
    findings = tuple(
        CacheFinding(principal=NOBODY, after=BOTH, question=f"q{number}", reason=REASON) for number in range(5)
    )
    text = written(write_run, make_run(suite(leak("salary"), cache=findings)), COLUMNS="140")

    assert text.count("hr, sales (everything) → nobody") == 1
    assert text.index("A cache may forget") < text.index("- nobody: a source")


def test_calls_with_one_reason_share_its_sentence(
    written: Callable[..., str], make_run: Callable[..., RunResult]
) -> None:
    """With the method and who asked."""
    error = CaseError(kind="raised", reason=REASON)
    errors = tuple(
        ProbeError(principal=who, question="q", method="search", error=error) for who in (NOBODY, NOBODY, BOTH)
    )
    text = written(write_run, make_run(suite(errors=errors)))

    assert text.count("OSError: gone") == 1
    assert "search() could not be measured: OSError: gone (asked as: nobody / hr, sales (everything))" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [60, 80])
def test_the_matrix_stays_a_table(
    written: Callable[..., str], make_run: Callable[..., RunResult], columns: int, language: str
) -> None:
    """With shorter heads, then fewer columns; leaks are never left out."""
    lines = written(write_run, make_run(suite(leak("salary"))), language, COLUMNS=str(columns)).splitlines()

    head = lines[1] if "leaks" in lines[1] or "漏えい" in lines[1] else lines[2]
    assert "leaks" in head or "漏えい" in head
    assert display_width(head) <= columns
