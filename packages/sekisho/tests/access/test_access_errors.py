from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.access import AccessReport, Leak, PrincipalResult, evaluate_access
from sekisho.core.answers import Answer, Document
from sekisho.core.errors import ConfigurationError, RetrievalError, TargetError
from sekisho.core.messages import note
from sekisho.gate.access import judge_access

from . import permission_targets as targets

if TYPE_CHECKING:
    from collections.abc import Sequence


class Holding:
    """A target that lists what it is given, and finds nothing."""

    def __init__(self, held: object) -> None:
        self._held = held

    def documents(self) -> object:
        """Return all of them."""
        if isinstance(self._held, Exception):
            raise self._held
        return self._held

    def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:  # noqa: ARG002  finds nothing
        """Return the ids of the hits."""
        return []


def raw(**parts: object) -> dict[str, object]:
    """Return a document as a mapping."""
    return {"id": "d", "name": "d.md", "title": "t", "departments": ["hr"], "text": "x", **parts}


@pytest.mark.parametrize(
    ("held", "code", "said"),
    [
        ([], "access.no_documents", "no document"),
        ([raw(departments=[])], "calling.no_departments", "'d'"),
        ([raw(), raw()], "calling.repeated_document", "'d'"),
        ([{"id": "d"}], "calling.part_missing", "departments"),
        (None, "calling.wrong_part", "documents()"),
        (OSError("disk"), "access.documents_failed", "OSError: disk"),
    ],
)
def test_documents_that_cannot_be_judged_are_refused(held: object, code: str, said: str) -> None:
    """Nothing is asked: nobody could tell who may see what."""
    with pytest.raises(TargetError) as caught:
        evaluate_access(Holding(held))

    assert caught.value.code == code
    assert said in str(caught.value)


def test_documents_that_never_come_are_refused() -> None:
    """After the time limit."""

    class Slow(Holding):
        def documents(self) -> list[Document]:
            time.sleep(5)
            return []

    with pytest.raises(TargetError) as caught:
        evaluate_access(Slow([]), timeout_s=0.05)

    assert caught.value.code == "access.documents_late"


def test_a_target_needs_documents_and_a_way_to_ask() -> None:
    """The sentence names the methods."""

    class OnlyLists(Holding):
        search = None  # type: ignore[assignment]  # a target without that method

    with pytest.raises(TargetError, match="search"):
        evaluate_access(OnlyLists([raw()]))
    with pytest.raises(TargetError, match="documents"):
        evaluate_access(object())


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"principals": ["hr"]}, ConfigurationError),
        ({"principals": [[1]]}, ConfigurationError),
        ({"principals": [7]}, ConfigurationError),
        ({"everyone": ""}, ConfigurationError),
        ({"k": 0}, RetrievalError),
        ({"k": True}, RetrievalError),
        ({"concurrency": 0}, RetrievalError),
        ({"timeout_s": 0}, RetrievalError),
        ({"timeout_s": float("nan")}, RetrievalError),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, Any], error: type[Exception]) -> None:
    """Before anything is asked."""
    with pytest.raises(error):
        evaluate_access(targets.FilteredSearch(), **arguments)


def test_a_misspelt_department_is_warned_about() -> None:
    """It is asked for all the same: it sees what everybody sees."""
    report = evaluate_access(targets.FilteredSearch(), principals=[["salse"]])

    assert "Did you mean 'sales'?" in str(report.warnings[0])
    assert next(each for each in report.principals if each.departments == ("salse",)).visible == 2


def test_a_target_without_answers_is_searched_alone() -> None:
    """And the report says what that leaves out."""

    class OnlySearch(targets.FilteredSearch):
        answer = None  # type: ignore[assignment]  # a target without that method

    report = evaluate_access(OnlySearch())

    assert report.stages == ("retrieved",)
    assert [warning.code for warning in report.warnings] == ["access.no_answer"]
    assert judge_access(report)[0] == "passed"


def test_a_target_without_search_is_asked_for_answers_alone() -> None:
    """Starvation is then not measured, and never taken for a recall of nothing."""

    class OnlyAnswers(targets.FilteredSearch):
        search = None  # type: ignore[assignment]  # a target without that method

    report = evaluate_access(OnlyAnswers())

    assert report.stages == ("given", "cited", "answered")
    assert {(each.recall, each.starved) for each in report.principals} == {(None, ())}
    assert [warning.code for warning in report.warnings] == ["access.no_search"]


def test_a_probe_that_raises_is_an_error_and_the_others_go_on() -> None:
    """Without a leak there is no verdict; the first errors are kept with their question."""

    class Fragile(targets.FilteredSearch):
        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            if "salary" in question:
                raise ValueError(question)
            return super().answer(question, departments)

    report = evaluate_access(Fragile())

    assert {(error.question, error.method) for error in report.errors} == {("salary-grade.md", "answer")}
    assert report.probes > 50
    assert judge_access(report)[0] == "not_measured"


def test_a_leak_fails_whatever_else_was_not_measured() -> None:
    """Errors come second."""

    class FragileLeak(targets.SearchLeaks):
        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            raise ValueError(question, departments)

    report = evaluate_access(FragileLeak())

    assert report.error_count > len(report.errors) > 0
    assert judge_access(report)[0] == "failed"


def test_a_probe_that_hangs_is_given_up() -> None:
    """Each call has its own time."""

    class Hanging(targets.FilteredSearch):
        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            if question == "keys.md" and departments == ["all"]:
                time.sleep(3)
            return super().answer(question, departments)

    report = evaluate_access(Hanging(), timeout_s=0.2, concurrency=4)

    assert [(error.question, error.error.kind) for error in report.errors][:1] == [("keys.md", "timeout")]


def test_ids_that_documents_does_not_list_are_errors() -> None:
    """Ids of chunks say nothing about who may see them: an unmeasured probe, never a pass."""

    class ChunkIds(targets.FilteredSearch):
        def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:
            return [f"{id_}#0" for id_ in super().search(question, departments, k)]

    report = evaluate_access(ChunkIds())

    assert {error.error.reason.code for error in report.errors} == {"access.unknown_id"}
    assert judge_access(report)[0] == "not_measured"


def test_where_nothing_is_hidden_nothing_is_measured() -> None:
    """Documents for everybody leave nothing to probe."""
    report = evaluate_access(targets.FilteredSearch(targets.DOCUMENTS[:2]))

    assert report.probes == 0
    assert "access.nothing_hidden" in {warning.code for warning in report.warnings}
    assert judge_access(report)[0] == "not_measured"


def test_a_target_that_finds_nothing_is_warned_about() -> None:
    """It leaks nothing, and serves nobody."""
    report = evaluate_access(Holding([raw()]))

    assert "access.nothing_found" in {warning.code for warning in report.warnings}


class FindsNothing(targets.FilteredSearch):
    """Holds documents and finds none: its index was never filled."""

    def hits(self, question: str, departments: Sequence[str], k: int) -> list[Document]:  # noqa: ARG002  whatever is asked
        """Return what the asker may see."""
        return []


class AnswersNothing(targets.FilteredSearch):
    """Its search works, and its answer says that there is nothing."""

    def answer(self, question: str, departments: Sequence[str]) -> Answer:  # noqa: ARG002  as above
        """Return what the asker reads."""
        return Answer(targets.REFUSAL, found=False)


@pytest.mark.parametrize(("target", "dead"), [(FindsNothing, ["search", "answer"]), (AnswersNothing, ["answer"])])
def test_a_method_that_gives_nobody_anything_is_not_measured(
    target: type[targets.FilteredSearch], dead: list[str]
) -> None:
    """Not even to who sees everything: what finds nothing shows nothing, and that is no pass."""
    report = evaluate_access(target())

    assert [error.method for error in report.errors] == dead
    assert {error.error.reason.code for error in report.errors} == {"access.empty_method"}
    assert judge_access(report)[0] == "not_measured"


def test_an_answer_that_finds_what_it_is_asked_for_is_not_called_empty() -> None:
    """A strict threshold may find nothing for questions with made-up words; plain ones are asked before the verdict."""

    class Strict(targets.FilteredSearch):
        without = None

        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            known = any(question in f"{each.title}{each.text}" for each in self.visible(departments))
            return super().answer(question, departments) if known else Answer(targets.REFUSAL, found=False)

    report = evaluate_access(Strict())

    assert (report.leaks, report.errors) == ((), ())


@pytest.mark.parametrize(("everyone", "code"), [("al", "unused_everyone_meant"), ("zzz", "unused_everyone")])
def test_a_department_of_everybody_that_no_document_has_is_warned_about(everyone: str, code: str) -> None:
    """Everybody's documents are then a department's, and hidden from the others."""
    report = evaluate_access(targets.FilteredSearch(), everyone=everyone)

    assert f"access.{code}" in {warning.code for warning in report.warnings}


def test_async_targets_are_awaited() -> None:
    """Every method may be async."""

    class Awaited:
        def __init__(self, inner: targets.FilteredSearch) -> None:
            self._inner = inner

        async def documents(self) -> list[Document]:
            return self._inner.documents()

        async def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:
            return self._inner.search(question, departments, k)

        async def answer(self, question: str, departments: Sequence[str]) -> Answer:
            return self._inner.answer(question, departments)

    healthy, broken = (evaluate_access(Awaited(each())) for each in (targets.FilteredSearch, targets.SearchLeaks))

    assert (healthy.leaks, healthy.errors) == ((), ())
    assert {leak.stage for leak in broken.leaks} == {"retrieved"}


def test_departments_are_sorted_unique_and_hold_everybodys() -> None:
    """Whatever everybody's department is called; a target may change the list that it gets."""
    seen: set[tuple[str, ...]] = set()

    class Watched(targets.FilteredSearch):
        def search(self, question: str, departments: list[str], k: int) -> list[str]:
            seen.add(tuple(departments))
            found = super().search(question, departments, k)
            departments.clear()
            return found

    documents = [
        Document(each.id, each.name, each.title, tuple("z" if d == "all" else d for d in each.departments), each.text)
        for each in targets.DOCUMENTS
    ]

    report = evaluate_access(Watched(documents), everyone="z", principals=[["sales", "hr", "sales", "z"]])

    assert seen == {("z",), ("hr", "z"), ("it", "z"), ("sales", "z"), ("hr", "sales", "z"), ("hr", "it", "sales", "z")}
    assert (report.departments, report.leaks) == (("hr", "it", "sales"), ())


def result(**parts: object) -> PrincipalResult:
    """Return the record of a principal that was measured without a finding."""
    return PrincipalResult(
        **{"departments": (), "unrestricted": False, "visible": 1, "hidden": 1, "probes": 5, **parts}
    )


def report_of(*results: PrincipalResult, documents: int = 2) -> AccessReport:
    """Return a report with these principals."""
    return AccessReport(
        k=10, everyone="all", documents=documents, departments=("hr",), principals=results, stages=("retrieved",)
    )


def test_no_measurement_never_passes() -> None:
    """No documents, no principals, no probes, or an error."""
    for report in (
        report_of(),
        report_of(result(probes=0)),
        report_of(result(), documents=0),
        report_of(result(error_count=1)),
    ):
        assert judge_access(report)[0] == "not_measured"


def test_one_leak_among_many_probes_fails() -> None:
    """There is no share that would be small enough."""
    leak = Leak(
        principal=(), document_id="d", document_name="d", stage="given", kind="id", question="q", shown="d",
        reason=note("access.given_id", document="d", principal="[]"),
    )  # fmt: skip

    verdict, rules = judge_access(report_of(*[result(probes=1000)] * 9, result(leak_count=1, leaks=(leak,))))

    assert verdict == "failed"
    assert [(rule.rule, rule.value, rule.threshold, rule.holds) for rule in rules] == [
        ("access.leaks", 1.0, 0.0, False)
    ]


def test_interference_has_a_rule_where_it_was_measured() -> None:
    """For every principal; where it is found, it fails."""
    measured = judge_access(report_of(result(interference=False)))
    found = judge_access(report_of(result(interference=True, leak_count=1)))
    in_part = judge_access(report_of(result(interference=False), result()))

    assert [(rule.rule, rule.holds) for rule in measured[1]] == [("access.leaks", True), ("access.interference", True)]
    assert (found[0], found[1][1].holds) == ("failed", False)
    assert [rule.rule for rule in in_part[1]] == ["access.leaks"]


def test_starvation_and_caches_fail_nothing() -> None:
    """They are reported for people to judge."""
    assert judge_access(report_of(result(recall=0.0, starved=("d",))))[0] == "passed"
