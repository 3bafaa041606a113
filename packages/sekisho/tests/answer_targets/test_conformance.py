from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from sekisho.adapters.command_target import command_settings, command_target
from sekisho.adapters.http_target import http_settings, http_target
from sekisho.testing import Check, NonconformanceError, answer_target_checks

from . import system_under_test as system
from .http_server import SETTINGS, Response, serving
from .kinds import SAMPLES, SCRIPT, InPython, InPythonAsync, as_command, by_principals, over_http

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Departments = tuple[str, ...]


class Broken(InPython):
    """A system that fails."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        raise ConnectionError(question, departments)


@contextmanager
def broken_http() -> Iterator[object]:
    """Give a target whose server always fails."""
    with (
        serving(lambda _: Response(status=500, body=b"out of order")) as url,
        http_target(http_settings({"url": url, **SETTINGS, "retries": 0})) as target,
    ):
        yield target


def broken_command() -> Any:  # noqa: ANN401  a context manager
    """Return a command that dies when it is asked."""
    table = {"command": [sys.executable, "-c", "input(); raise SystemExit(4)"]}
    return command_target(command_settings(table, root=SCRIPT.parent))


KINDS: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "python": (InPython, Broken),
    "async": (InPythonAsync, Broken),
    "http": (over_http, broken_http),
    "principals": (by_principals, broken_http),
    "command": (as_command, broken_command),
}
CHECKS = [
    pytest.param(check, id=f"{kind}-{check}")
    for kind, (make, broken) in KINDS.items()
    for check in answer_target_checks(make, SAMPLES, methods=["search", "documents"], make_broken=broken)
]


@pytest.mark.parametrize("check", CHECKS)
def test_every_kind_of_target_conforms(check: Check) -> None:
    """One suite for all kinds, so that a case means the same wherever its answer comes from."""
    check.run()


def failing(make: Callable[[], object], **options: Any) -> set[str]:  # noqa: ANN401  those of the function
    """Return the names of the checks that a target fails."""
    names: set[str] = set()
    for check in answer_target_checks(make, SAMPLES, **{"methods": ["search", "documents"], **options}):
        try:
            check.run()
        except NonconformanceError:
            names.add(check.name)
    return names


class Swapped(InPython):
    """Gives each question the answer to the one before."""

    def __init__(self) -> None:
        self._last = system.answer(SAMPLES.answered, ["all"])

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        last, self._last = self._last, super().answer(question, departments)
        return last


class CacheWithoutAsker(InPython):
    """Remembers answers by their question alone."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        return self._known.setdefault(question, super().answer(question, departments))


class WithoutFound(InPython):
    """Leaves out whether it found anything."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        answer = super().answer(question, departments)
        del answer["found"]
        return answer


class SharedState(InPython):
    """Gathers the contexts of all answers in one list."""

    def __init__(self) -> None:
        self._contexts: list[Any] = []

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        answer = super().answer(question, departments)
        self._contexts += answer["contexts"]
        return {**answer, "contexts": self._contexts}


class OnePlaceForAll(InPython):
    """Keeps what is asked where another thread finds it."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        self._asked = question, departments
        time.sleep(0.001)
        return super().answer(*self._asked)


class SeesEverything(InPython):
    """Forgets who asks."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        return super().answer(question, (*departments, "board"))


class ModelSeesEverything(InPython):
    """Hands the model what the asker may not see."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        contexts = [{"document_id": each["id"], "text": each["text"]} for each in system.DOCUMENTS]
        return {**super().answer(question, departments), "contexts": contexts}


class AlwaysFound(InPython):
    """Answers whatever it is asked."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        answer = super().answer(question, departments)
        return answer if answer["found"] else system.answer(SAMPLES.answered, ["all"])


class ErrorAsAnswer(InPython):
    """Says that it found nothing where it failed."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:  # noqa: ARG002  it looks at neither
        """Return an answer with that fault."""
        return {"text": "Please try again later.", "sources": [], "found": False, "contexts": []}


class SplicesTheQuestion(InPython):
    """Puts the question into other text, and cannot take what has a meaning there."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        return super().answer(question.format(), departments)


class SearchSeesEverything(InPython):
    """Checks departments in answers only."""

    def search(self, question: str, departments: Departments, k: int) -> list[str]:
        """Return ids with that fault."""
        return super().search(question, (*departments, "board"), k)


class SearchGivesMore(InPython):
    """Knows no k."""

    def search(self, question: str, departments: Departments, k: int) -> list[str]:
        """Return ids with that fault."""
        return super().search(question, departments, k + 1)


class SearchRepeats(InPython):
    """Gives one document twice."""

    def search(self, question: str, departments: Departments, k: int) -> list[str]:
        """Return ids with that fault."""
        return [*super().search(question, departments, k), "d1"][:k]


class SearchChanges(InPython):
    """Gives another order each time."""

    turned = False

    def search(self, question: str, departments: Departments, k: int) -> list[str]:
        """Return ids with that fault."""
        self.turned = not self.turned
        return super().search(question, departments, k)[:: -1 if self.turned else 1]


class CitesWithoutFinding(InPython):
    """Cites a source for having found nothing."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        answer = super().answer(question, departments)
        return answer if answer["found"] else {**answer, "sources": ["旅費規程.pdf"]}


class CitesWhatIsNotThere(InPython):
    """Cites a source of its own invention."""

    def answer(self, question: str, departments: Departments) -> dict[str, Any]:
        """Return an answer with that fault."""
        answer = super().answer(question, departments)
        return {**answer, "sources": ["invented.pdf"] if answer["found"] else []}


class Counting(InPython):
    """Lists another document each time."""

    made = 0

    def documents(self) -> list[dict[str, Any]]:
        """Return documents with that fault."""
        Counting.made += 1
        return [*super().documents(), {**system.DOCUMENTS[0], "id": f"n{Counting.made}"}]


TURNS, THREADS, SAME = (
    "askers_in_turn_do_not_mix", "threads_at_once_give_the_same_answers", "same_question_gives_same_answer",
)  # fmt: skip
HOSTILE, DECIDE, VISIBLE = (
    "hostile_questions_are_answered",
    "departments_decide_who_gets_an_answer",
    "contexts_name_documents_the_asker_may_see",
)
AGREE = "sources_and_contexts_agree_with_found"
SEARCH = "search_gives_ids_of_documents_the_asker_may_see"
BROKEN = [
    (Swapped, {TURNS, THREADS, SAME, HOSTILE}, None),
    (CacheWithoutAsker, {TURNS, SAME}, {TURNS, THREADS, SAME, HOSTILE}),
    (WithoutFound, {"answer_is_readable"}, None),
    (SharedState, {TURNS, SAME, THREADS}, None),
    (OnePlaceForAll, {THREADS}, {THREADS}),
    (SeesEverything, {DECIDE}, {DECIDE, VISIBLE}),
    (ModelSeesEverything, {VISIBLE}, {VISIBLE}),
    (AlwaysFound, {"unanswerable_question_is_not_found", DECIDE}, None),
    (SplicesTheQuestion, {HOSTILE}, {HOSTILE}),
    (SearchSeesEverything, {SEARCH}, {SEARCH}),
    (SearchGivesMore, {SEARCH}, {SEARCH}),
    (SearchRepeats, {SEARCH}, {SEARCH}),
    (SearchChanges, {SEARCH}, {SEARCH}),
    (CitesWithoutFinding, {AGREE}, {AGREE}),
    (CitesWhatIsNotThere, {VISIBLE}, {VISIBLE}),
    (Counting, {"documents_are_readable"}, {"documents_are_readable"}),
]


@pytest.mark.parametrize(("make", "least", "most"), BROKEN, ids=[each[0].__name__ for each in BROKEN])
def test_a_broken_target_fails_by_name(make: Callable[[], object], least: set[str], most: set[str] | None) -> None:
    """Each fault is found by the check that names it, and by no unrelated one."""
    found = failing(make)

    assert least <= found
    assert most is None or found <= most


def test_a_failure_says_what_was_asked_and_what_is_wrong() -> None:
    """In both languages, and in a form that test runners show as a failure."""
    checks = {str(check): check for check in answer_target_checks(CacheWithoutAsker, SAMPLES, methods=["search"])}

    with pytest.raises(NonconformanceError, match="left from other questions or askers") as caught:
        checks[TURNS].run()

    assert isinstance(caught.value, AssertionError)
    assert SAMPLES.restricted in caught.value.reason.render("ja")


def test_an_error_that_looks_like_an_answer_fails() -> None:
    """A broken system that says "nothing found" would pass every case that expects that."""
    assert failing(InPython, make_broken=ErrorAsAnswer) == {"broken_system_raises"}


def test_methods_are_those_that_were_stated() -> None:
    """One that is not named would go unchecked, and one that is missing has nothing to check."""
    assert failing(InPython, methods=["search"]) == {"methods_are_as_stated"}
    assert failing(Swapped, methods=[]) >= {"methods_are_as_stated"}


def test_without_a_broken_system_its_check_is_not_there() -> None:
    """A check that checked nothing would look like a pass."""
    names = [check.name for check in answer_target_checks(InPython, SAMPLES)]

    assert "broken_system_raises" not in names
    assert len(set(names)) == len(names)


def test_nothing_is_left_running() -> None:
    """After all kinds of targets have been closed."""
    before = set(threading.enumerate())
    for make, _ in KINDS.values():
        for check in answer_target_checks(make, SAMPLES, methods=["search", "documents"])[:2]:
            check.run()
    patience = time.monotonic() + 5
    while set(threading.enumerate()) - before and time.monotonic() < patience:
        time.sleep(0.01)

    assert {thread for thread in threading.enumerate() if thread not in before} == set()
