"""What every kind of suite has in common once it is prepared: nothing of it can be refused any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple, TypeVar

from sekisho.app.redaction import redact_refusal
from sekisho.app.settings import SuiteSettings
from sekisho.calling.exceptions import described, traceback_of
from sekisho.calling.records import CaseError
from sekisho.core.errors import ConfigurationError, SekishoError
from sekisho.core.messages import Note, note
from sekisho.core.records import EvalCase
from sekisho.gate import SuiteResult

Progress = Callable[[str, int, int], None]
CaseOrder = Literal["given", "reversed", "shuffled"]
_SHUFFLE_SEED = 1
_Case = TypeVar("_Case")


class Selection(NamedTuple):
    """Which cases of the selected suites run, and in which order; empty means all.

    Attributes:
        case_ids: Ids of cases.
        tags: Tags, of cases or of their suites.
        order: ``shuffled`` is one order of its own, the same on every machine.
    """

    case_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    order: CaseOrder = "given"

    def takes(self, case_id: str, case_tags: tuple[str, ...], suite_tags: frozenset[str]) -> bool:
        """Tell whether a case runs: one of the selected ids, and one of the selected tags, its own or its suite's."""
        if self.case_ids and case_id not in self.case_ids:
            return False
        return not self.tags or bool(suite_tags.union(case_tags).intersection(self.tags))

    def ordered(self, cases: Iterable[_Case]) -> tuple[_Case, ...]:
        """Return cases in the order in which they run."""
        found = list(cases)
        if self.order == "reversed":
            found.reverse()
        elif self.order == "shuffled":
            from sekisho.corpora.mulberry32 import Mulberry32  # noqa: PLC0415  imports numpy, which answers do without

            draws = Mulberry32(_SHUFFLE_SEED)
            for last in range(len(found) - 1, 0, -1):
                other = int(draws.uniform() * (last + 1))
                found[last], found[other] = found[other], found[last]
        return tuple(found)


def _no_text(_document_id: str) -> None:
    """Return nothing: vectors have no text."""


class PreparedSuite(NamedTuple):
    """A suite of which nothing can be refused any more.

    Attributes:
        suite: Its settings.
        case_ids: The ids of all its cases, selected or not.
        selected: How much of it the selection leaves: cases, or 1 for a permission matrix; 0 where nothing runs.
        run: Measures and judges; told how many of how many cases are done.
        unmeasured: Makes the result of a suite that broke off, from the code of its sentence and the error.
        retrieval_cases: The selected cases of a retrieval suite, in the order of its report.
        text_of: The text of a document of the corpus, None where there is no such document or it has no text.
    """

    suite: SuiteSettings
    case_ids: frozenset[str]
    selected: int
    run: Callable[[Callable[[int, int], None]], SuiteResult]
    unmeasured: Callable[[str, BaseException], SuiteResult]
    retrieval_cases: tuple[EvalCase, ...] = ()
    text_of: Callable[[str], str | None] = _no_text


@contextmanager
def placed(suite: SuiteSettings, key: str) -> Iterator[None]:
    """Give an error that has no place the one of the key that it is about, and no text where a suite is redacted."""
    try:
        yield
    except SekishoError as error:
        if error.where is None:
            error.where = suite.places.get(key)
        if suite.redact:
            redact_refusal(error)
        raise
    except Exception as error:
        if not suite.redact:
            raise
        raise ConfigurationError("app.redacted_crash", suite=suite.name, kind=type(error).__name__) from None


def why_unmeasured(code: str, error: BaseException) -> CaseError:
    """Return why nothing of a suite could be measured, as the sentence ``code`` with the error in it."""
    if isinstance(error, SekishoError):
        told = error.values.get("reason")
        sentence = note(code, text=told) if told else Note(error.code, dict(error.values))
        trace = traceback_of(error.__cause__) if error.__cause__ else ""
    else:
        sentence, trace = note(code, text=described(error)), traceback_of(error)
    return CaseError(kind="raised", reason=sentence, traceback=trace)
