"""Starvation, the order of askers, and non-interference."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from itertools import count
from typing import TYPE_CHECKING

import pytest

from sekisho.access import evaluate_access
from sekisho.core.answers import Answer, Document
from sekisho.gate.access import judge_access

from . import permission_targets as targets

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

TWINS = (
    Document("a-hr", "travel-hr.md", "出張旅費規程", ("hr",), "宿泊費は一泊あたり実費を支給する。"),
    Document("b-sales", "travel-sales.md", "出張旅費規程", ("sales",), "日当は移動距離に応じて支給する。"),
)  # fmt: skip


def test_a_filter_behind_the_cut_starves_those_who_see_little() -> None:
    """It is reported with the document and beside what the unrestricted principal finds, and fails nothing."""
    report = evaluate_access(targets.FilterAfterCut(TWINS), k=1)
    sales = next(each for each in report.principals if each.departments == ("sales",))

    assert (sales.recall, sales.unrestricted_recall, sales.starved) == (0.0, 0.0, ("b-sales",))
    assert next(each for each in report.principals if each.departments == ("hr",)).recall == 1.0
    assert judge_access(report)[0] == "failed"  # what search returns changes when the better twin is gone
    assert {leak.kind for leak in report.leaks} == {"interference"}


def test_a_filter_before_the_cut_starves_nobody() -> None:
    """Even those who see little find all of it, and more of it than who sees everything."""
    report = evaluate_access(targets.FilteredSearch(TWINS), k=1)

    assert [(each.recall, each.unrestricted_recall) for each in report.principals] == [
        (None, None), (1.0, 1.0), (1.0, 0.0), (0.5, 0.5),
    ]  # fmt: skip
    assert judge_access(report)[0] == "passed"


def test_a_cache_that_forgets_who_asks_is_found_whoever_asks_first() -> None:
    """It leaks to who asks second, and takes from who may see more what the other could not see."""
    report = evaluate_access(targets.CacheWithoutAsker())

    assert {leak.principal for leak in report.leaks} == {(), ("hr",), ("it",), ("sales",)}
    assert (("hr", "it", "sales"), ()) in {(each.principal, each.after) for each in report.cache}


def test_a_cache_of_refusals_is_a_finding_and_no_leak() -> None:
    """It shows nothing; who may see the document is told that there is none."""
    report = evaluate_access(targets.NotFoundCache())

    assert report.leaks == ()
    assert {each.principal for each in report.cache} == {("hr", "it", "sales")}
    assert "[hr, it, sales]" in str(report.cache[0].reason)
    assert judge_access(report)[0] == "passed"


def test_a_cache_that_knows_who_asks_is_none() -> None:
    """Neither a leak nor a finding."""

    class CacheByAsker(targets.FilteredSearch):
        def __init__(self, documents: Sequence[Document] = targets.DOCUMENTS) -> None:
            super().__init__(documents)
            self._answers: dict[tuple[str, ...], Answer] = {}

        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            key = (question, *departments)
            return self._answers.setdefault(key, super().answer(question, departments))

    report = evaluate_access(CacheByAsker())

    assert (report.leaks, report.cache) == ((), ())


def test_a_number_of_hidden_documents_interferes() -> None:
    """Nothing of them is quoted; that the answer changes when they are gone shows that they are there."""
    report = evaluate_access(targets.CountLeaked())

    assert {(leak.document_id, leak.stage, leak.kind) for leak in report.leaks} == {(None, "answered", "interference")}
    assert all("ほかに" in leak.shown for leak in report.leaks)
    assert judge_access(report)[0] == "failed"


def test_scores_over_all_documents_interfere() -> None:
    """A threshold relative to the best hit of everything hides and shows by what may not be seen."""

    class RelativeCut(targets.FilteredSearch):
        def hits(self, question: str, departments: Sequence[str], k: int) -> list[Document]:
            found = super().hits(question, departments, k)
            best = self.ranked(question, self._documents)[:1]
            return found if best and found and best[0] is found[0] else []

    twins = (TWINS[0], Document("b-all", "travel.md", "出張旅費規程", ("all",), TWINS[1].text))

    report = evaluate_access(RelativeCut(twins))

    assert {leak.kind for leak in report.leaks} == {"interference"}


def test_answers_that_change_by_themselves_are_not_compared() -> None:
    """Chance is no interference and no cache: the report says that it could not tell."""

    class Wandering(targets.FilteredSearch):
        turns = count()

        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            found = super().answer(question, departments)
            return Answer(
                f"{found.text}（{'甲乙丙丁戊己庚辛'[next(self.turns) % 7]}）",
                found.sources,
                found.found,
                found.contexts,
            )

    report = evaluate_access(Wandering())

    assert (report.leaks, report.cache) == ((), ())
    assert {each.interference for each in report.principals} == {None}
    assert "access.unstable" in {warning.code for warning in report.warnings}


def test_what_being_rebuilt_changes_is_no_interference() -> None:
    """The target rebuilt with all its documents says the same as without the hidden ones."""

    class Rebuilt(targets.FilteredSearch):
        said = "今日の答え: "

        def answer(self, question: str, departments: Sequence[str]) -> Answer:
            found = super().answer(question, departments)
            return Answer(self.said + found.text, found.sources, found.found, found.contexts)

        @contextmanager
        def without(self, document_ids: Sequence[str]) -> Iterator[targets.FilteredSearch]:
            with super().without(document_ids) as target:
                target.said = ""
                yield target

    assert evaluate_access(Rebuilt()).leaks == ()


def test_a_target_may_take_documents_out_of_itself() -> None:
    """``without`` that yields nothing: the target itself is asked, sync or async."""

    class InPlace(targets.CountLeaked):
        @asynccontextmanager
        async def without(self, document_ids: Sequence[str]) -> AsyncIterator[None]:
            kept, self._documents = self._documents, tuple(d for d in self._documents if d.id not in document_ids)
            yield
            self._documents = kept

    report = evaluate_access(InPlace())

    assert {leak.kind for leak in report.leaks} == {"interference"}
    assert report.errors == ()


def test_a_target_that_cannot_be_rebuilt_is_not_measured() -> None:
    """What it raises is kept as an error, and there is no verdict."""

    class Broken(targets.FilteredSearch):
        def without(self, document_ids: Sequence[str]) -> None:
            raise OSError(len(document_ids))

    report = evaluate_access(Broken())

    assert {error.method for error in report.errors} == {"without"}
    assert judge_access(report)[0] == "not_measured"


class GivesNothing(targets.FilteredSearch):
    """Whoever wrote ``without`` forgot to return anything."""

    def without(self, document_ids: Sequence[str]) -> None:  # type: ignore[override]  that is the mistake
        """Give the same target without some documents."""


class KeepsEverything(targets.FilteredSearch):
    """Rebuilt, and with every document still in it."""

    @contextmanager
    def without(self, document_ids: Sequence[str]) -> Iterator[targets.FilteredSearch]:  # noqa: ARG002  that is the mistake
        """Give the same target without some documents."""
        yield type(self)()


class NeverRebuilt(targets.FilteredSearch):
    """Waits for an index that never comes."""

    def without(self, document_ids: Sequence[str]) -> AbstractContextManager[targets.FilteredSearch]:
        """Give the same target without some documents."""
        time.sleep(2)
        return super().without(document_ids)


@pytest.mark.parametrize(
    ("target", "code"),
    [
        (GivesNothing, "access.without_gave_nothing"),
        (KeepsEverything, "access.without_kept"),
        (NeverRebuilt, "calling.timeout"),
    ],
)
def test_a_target_that_is_not_rebuilt_is_not_compared_with_itself(
    target: type[targets.FilteredSearch], code: str
) -> None:
    """The same is always the same; and what hangs is given up after a hundred times the limit of a call."""
    report = evaluate_access(target(), timeout_s=0.01 if target is NeverRebuilt else None, concurrency=2)

    assert {error.error.reason.code for error in report.errors} == {code}
    assert {error.method for error in report.errors} == {"without"}
    assert judge_access(report)[0] == "not_measured"


def test_a_target_without_that_method_is_asked_as_it_is() -> None:
    """The report says what was not measured."""

    class Fixed(targets.FilteredSearch):
        without = None

    report = evaluate_access(Fixed())

    assert {each.interference for each in report.principals} == {None}
    assert [warning.code for warning in report.warnings] == ["access.no_without"]
    assert [rule.rule for rule in judge_access(report)[1]] == ["access.leaks"]
