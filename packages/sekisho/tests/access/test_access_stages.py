from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.access import AccessReport, evaluate_access
from sekisho.core.answers import AnswerCase, Document
from sekisho.gate.access import judge_access

from . import permission_targets as targets

if TYPE_CHECKING:
    from sekisho.access.records import Kind, Stage

HIDDEN = {
    (): {"doc-03", "doc-04", "doc-05", "doc-06", "doc-07", "doc-08"},
    ("hr",): {"doc-05", "doc-06", "doc-07", "doc-08"},
    ("it",): {"doc-03", "doc-04", "doc-05", "doc-06"},
    ("sales",): {"doc-03", "doc-04", "doc-07"},
}


def shown(report: AccessReport, stage: Stage, kind: Kind) -> dict[tuple[str, ...], set[str]]:
    """Return the hidden documents that showed at a stage, by principal."""
    found: dict[tuple[str, ...], set[str]] = {}
    for leak in report.leaks:
        if (leak.stage, leak.kind) == (stage, kind) and leak.document_id is not None:
            found.setdefault(leak.principal, set()).add(leak.document_id)
    return found


def test_a_right_filter_shows_nothing() -> None:
    """Every stage is looked at, every hidden document is asked for, and the gate passes."""
    report = evaluate_access(targets.FilteredSearch(), principals=[["sales", "hr"]])

    assert (report.leaks, report.errors, report.cache, report.warnings) == ((), (), (), ())
    assert [principal.departments for principal in report.principals] == [
        (), ("hr",), ("it",), ("sales",), ("hr", "sales"), ("hr", "it", "sales"),
    ]  # fmt: skip
    assert [(p.visible, p.hidden) for p in report.principals] == [(2, 6), (4, 4), (4, 4), (5, 3), (7, 1), (8, 0)]
    assert all(principal.probes >= 4 * principal.hidden for principal in report.principals)
    assert all(principal.interference is False for principal in report.principals if principal.hidden)
    assert judge_access(report)[0] == "passed"


@pytest.mark.parametrize(
    ("target", "stage", "kind"),
    [
        (targets.FilterDropped(), "retrieved", "id"),
        (targets.FilterDropped(), "given", "id"),
        (targets.FilterDropped(), "cited", "name"),
        (targets.FilterDropped(), "answered", "passage"),
        (targets.SearchLeaks(), "retrieved", "id"),
        (targets.ContextLeaked(), "given", "id"),
        (targets.ContextUnderAnotherId(), "given", "passage"),
        (targets.SourceLeaked(), "cited", "name"),
        (targets.TitlesInEveryRefusal(), "answered", "title"),
        (targets.CacheWithoutAsker(), "given", "id"),
        (targets.CacheWithoutAsker(), "cited", "name"),
    ],
)
def test_every_hidden_document_is_named_at_the_stage_where_it_shows(
    target: targets.FilteredSearch, stage: Stage, kind: Kind
) -> None:
    """To every principal that may not see it, and to no other."""
    report = evaluate_access(target)

    assert shown(report, stage, kind) == HIDDEN
    assert judge_access(report)[0] == "failed"


def test_a_document_in_search_results_alone_shows_there_alone() -> None:
    """Answers keep the filter: nothing is said of them."""
    report = evaluate_access(targets.SearchLeaks())

    assert {leak.stage for leak in report.leaks} == {"retrieved"}


def test_what_the_model_is_given_and_does_not_cite_is_found() -> None:
    """A prompt is where a document leaks first."""
    report = evaluate_access(targets.ContextLeaked())

    assert {leak.stage for leak in report.leaks if leak.document_id} == {"given"}


def test_an_asker_without_departments_is_not_everybody() -> None:
    """The fault shows for nobody alone, and for all that nobody may see."""
    report = evaluate_access(targets.EmptyIsEveryone())

    assert shown(report, "retrieved", "id") == {(): HIDDEN[()]}


def test_one_document_made_public_is_found_for_all_but_its_own_department() -> None:
    """And no other document is blamed."""
    report = evaluate_access(targets.OneMadePublic(public="doc-07"))

    assert shown(report, "retrieved", "id") == {(): {"doc-07"}, ("hr",): {"doc-07"}, ("sales",): {"doc-07"}}
    assert {leak.document_id for leak in report.leaks} <= {"doc-07", None}


def test_a_title_in_a_refusal_is_found() -> None:
    """The probe that asks by file name or content does not say the title itself; the one that does excuses it."""
    report = evaluate_access(targets.TitleInRefusal())

    assert shown(report, "answered", "title") == HIDDEN
    assert all(leak.shown not in leak.question for leak in report.leaks if leak.kind == "title")
    assert "給与等級表" in {leak.shown for leak in report.leaks}


@pytest.mark.parametrize("written", ["２０万円", "200,000円", "20 万円", "¥200,000", "二十万円"])
def test_a_number_is_found_however_it_is_written(written: str) -> None:
    """The document says 20万円; the raw words of the answer are the evidence."""
    report = evaluate_access(targets.QuantityLeaked(written=written))

    assert {(leak.document_id, leak.stage, leak.kind, leak.shown) for leak in report.leaks} == {
        ("doc-03", "answered", "quantity", written)
    }
    assert {leak.principal for leak in report.leaks} == {(), ("it",), ("sales",)}


def test_questions_of_cases_are_asked_about_the_documents_that_they_cite() -> None:
    """A leak that only a real question brings up is found by it."""
    case = AnswerCase(id="c", question="新人の月給はいくらですか", expect_source=("salary-grade.md p.1",))

    class OnlyThisQuestion(targets.FilteredSearch):
        def answer(self, question: str, departments: list[str]) -> targets.Answer:
            found = super().answer(question, departments)
            return targets.Answer("月額 20万円です。") if question == case.question else found

    assert evaluate_access(OnlyThisQuestion()).leaks == ()
    leaks = evaluate_access(OnlyThisQuestion(), cases=[case]).leaks
    assert {(leak.principal, leak.document_id, leak.question) for leak in leaks} == {
        (principal, "doc-03", case.question) for principal in [(), ("it",), ("sales",)]
    }


def test_a_number_of_everyday_use_is_no_evidence_against_its_neighbours() -> None:
    """Of several hidden documents that hold it, the one that the question is about is named."""
    documents = [
        *targets.DOCUMENTS,
        Document("doc-00", "old.md", "旧い給与表", ("hr",), "かつての基本給は月額 20万円だった。この表は使わない。"),
    ]

    class Told(targets.QuantityLeaked):
        def answer(self, question: str, departments: list[str]) -> targets.Answer:
            asked = question == "salary-grade.md" and "hr" not in departments
            return (
                targets.Answer("20万円です。") if asked else targets.FilteredSearch.answer(self, question, departments)
            )

    assert {leak.document_id for leak in evaluate_access(Told(documents)).leaks} == {"doc-03"}


def test_two_runs_give_the_same_report() -> None:
    """Apart from the time that the target took."""
    one, two = (evaluate_access(targets.FilterDropped(), concurrency=each) for each in (1, 4))

    assert [getattr(one, name) for name in one.__struct_fields__ if name != "elapsed_ms"] == [
        getattr(two, name) for name in two.__struct_fields__ if name != "elapsed_ms"
    ]


def test_progress_ends_where_it_was_planned_to() -> None:
    """Calls that confirm a finding are not counted."""
    seen: list[tuple[int, int]] = []

    evaluate_access(targets.CountLeaked(), on_progress=lambda done, total: seen.append((done, total)))

    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
    assert {total for _, total in seen} == {len(seen)}


def test_every_leak_has_a_sentence_without_texts() -> None:
    """In both languages; question, name and text stand in fields of their own, which can be left out of a report."""
    leaks = [
        leak
        for target in (targets.FilterDropped(), targets.TitleInRefusal(), targets.CountLeaked(),
                       targets.ContextUnderAnotherId(), targets.SearchLeaks())
        for leak in evaluate_access(target).leaks
    ]  # fmt: skip

    for leak in leaks:
        for language in ("en", "ja"):
            sentence = leak.reason.render(language)
            assert leak.document_id is None or leak.document_id in sentence
            assert leak.question not in sentence
            assert not leak.document_name or leak.document_name not in sentence
