"""What every target that answers must do, whatever it is made of."""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Literal

from sekisho.calling.answers import read_answer
from sekisho.calling.asking import asked
from sekisho.calling.methods import method_of
from sekisho.core.answers import EVERYONE, Answer
from sekisho.core.text import shorten
from sekisho.testing.documents import check_documents, check_search, check_visibility
from sekisho.testing.hostile import HOSTILE_QUESTIONS
from sekisho.testing.records import AnswerSamples, Check, require

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from sekisho.calling.asking import Asked

Method = Literal["search", "documents"]
THREADS = 8
ROUNDS = 6
"""How often each question is asked at once with all others."""
_SHOWN = 80

Question = tuple[str, tuple[str, ...]]
"""A question, and the departments of whoever asks."""


def answer_target_checks(
    make_target: Callable[[], object],
    samples: AnswerSamples,
    *,
    methods: Collection[Method] = (),
    make_broken: Callable[[], object] | None = None,
) -> tuple[Check, ...]:
    """Return the checks that a target of kind ``answers`` or ``access`` must pass.

    With pytest::

        CHECKS = answer_target_checks(make_target, AnswerSamples(
            answered="What is the daily allowance?",
            restricted="What does the board earn?", departments=("board",),
            unanswered="How tall is the moon?",
        ), methods=["search", "documents"])

        @pytest.mark.parametrize("check", CHECKS, ids=str)
        def test_my_target(check):
            check.run()

    Every check makes targets of its own, so that none depends on what another has asked. The target is asked with
    departments as a suite asks it: a sorted tuple without repetition, with ``all`` in it.

    Args:
        make_target: Returns a fresh target, or a context manager that yields one; its methods may be async. All
            checks together call it some twenty times, and ask some two hundred questions.
        samples: Questions whose answers are known in kind.
        methods: The further methods that the target offers; they are checked as well, and no others may be there.
        make_broken: As ``make_target``, of a target whose system is broken or cannot be reached. Without it, the check
            ``broken_system_raises`` is not among the checks.

    Returns:
        Checks with unique names, each raising :class:`~sekisho.testing.NonconformanceError` where it does not hold.
    """
    suite = _Suite(make_target, samples, frozenset(methods))
    checks = [
        Check("methods_are_as_stated", suite.methods_are_as_stated),
        Check("answer_is_readable", suite.answer_is_readable),
        Check("same_question_gives_same_answer", suite.same_question_gives_same_answer),
        Check("departments_decide_who_gets_an_answer", suite.departments_decide_who_gets_an_answer),
        Check("unanswerable_question_is_not_found", suite.unanswerable_question_is_not_found),
        Check("sources_and_contexts_agree_with_found", suite.sources_and_contexts_agree_with_found),
        Check("hostile_questions_are_answered", suite.hostile_questions_are_answered),
        Check("askers_in_turn_do_not_mix", suite.askers_in_turn_do_not_mix),
        Check("threads_at_once_give_the_same_answers", suite.threads_at_once_give_the_same_answers),
    ]
    if make_broken is not None:
        checks.append(Check("broken_system_raises", partial(suite.broken_system_raises, make_broken)))
    if "documents" in methods:
        checks.append(Check("documents_are_readable", suite.documents_are_readable))
        checks.append(Check("contexts_name_documents_the_asker_may_see", suite.contexts_name_visible_documents))
    if "search" in methods:
        checks.append(Check("search_gives_ids_of_documents_the_asker_may_see", suite.search_gives_visible_ids))
    return tuple(checks)


class _Suite:
    """The checks of one target. Each method is one of them."""

    def __init__(self, make_target: Callable[[], object], samples: AnswerSamples, methods: frozenset[Method]) -> None:
        self._make = make_target
        self._methods = methods
        insider = tuple(sorted({*samples.departments, EVERYONE}))
        nobody = (EVERYONE,)
        self._answered: tuple[Question, ...] = ((samples.answered, nobody), (samples.answered, insider))
        self._inside: Question = (samples.restricted, insider)
        self._outside: Question = (samples.restricted, nobody)
        self._unanswered: tuple[Question, ...] = ((samples.unanswered, nobody), (samples.unanswered, insider))
        self._all = (*self._answered, self._inside, self._outside, *self._unanswered)
        self._alone = cache(self._answer_of_fresh_target)

    def methods_are_as_stated(self) -> None:
        """The target has ``answer`` and the stated methods; another one would go unchecked."""
        with _opened(self._make) as target:
            target.method("answer")
            for name in ("search", "documents"):
                there = callable(method_of(target.target, name))
                require(there or name not in self._methods, "targets.check_method_missing", method=name)
                require(not there or name in self._methods, "targets.check_method_unstated", method=name)

    def answer_is_readable(self) -> None:
        """What is answered has text, sources, found and contexts, and to an answered question it is an answer."""
        for question in (*self._answered, self._inside):
            answer = self._alone(question)
            require(answer.found, "targets.check_not_found", **_shown(question))
            require(answer.text.strip(), "targets.check_no_text", **_shown(question))

    def same_question_gives_same_answer(self) -> None:
        """The second time as the first, also where other questions stood in between."""
        with _opened(self._make) as target:
            for question in (*self._all, *reversed(self._all)):
                self._require_same(question, _answer(target, question))

    def departments_decide_who_gets_an_answer(self) -> None:
        """Whoever may see the documents behind a question gets an answer, and whoever may not gets none."""
        require(self._alone(self._inside).found, "targets.check_not_found", **_shown(self._inside))
        require(not self._alone(self._outside).found, "targets.check_found", **_shown(self._outside))

    def unanswerable_question_is_not_found(self) -> None:
        """The system says that it found nothing, to everybody."""
        for question in self._unanswered:
            require(not self._alone(question).found, "targets.check_found", **_shown(question))

    def sources_and_contexts_agree_with_found(self) -> None:
        """An answer cites a source, nothing found cites none, and no part is blank or comes twice."""
        for question in self._all:
            answer = self._alone(question)
            require(bool(answer.sources) == answer.found, "targets.check_sources", **_shown(question))
            parts = [*answer.sources, *(part for each in answer.contexts for part in (each.document_id, each.text))]
            require(all(part.strip() for part in parts), "targets.check_blank_part", **_shown(question))
            repeated = len(set(answer.sources)) < len(answer.sources)
            require(not repeated, "targets.check_repeated_source", **_shown(question))

    def hostile_questions_are_answered(self) -> None:
        """Each gets an answer of its own, whatever it says, and the next question is answered as always."""
        with _opened(self._make) as target:
            for text in HOSTILE_QUESTIONS:
                for departments in (self._outside[1], self._inside[1]):
                    _answer(target, (text, departments))
            for question in self._all:
                self._require_same(question, _answer(target, question))

    def askers_in_turn_do_not_mix(self) -> None:
        """Two people who ask the same get what each would get alone, in both orders."""
        for first, second in ((self._inside, self._outside), (self._outside, self._inside)):
            with _opened(self._make) as target:
                for question in (first, second, second, first, second):
                    self._require_same(question, _answer(target, question))

    def threads_at_once_give_the_same_answers(self) -> None:
        """Eight threads that ask at once get what each question gets alone."""
        questions = [question for _ in range(ROUNDS) for question in self._all]
        with _opened(self._make) as target:
            for question, answer in zip(questions, _answers(target, questions, concurrency=THREADS), strict=True):
                self._require_same(question, answer)

    def broken_system_raises(self, make_broken: Callable[[], object]) -> None:
        """A system that cannot answer is an exception, never an answer that says that nothing was found."""
        with _opened(make_broken) as target:
            outcomes = target.ask_all(target.method("answer"), self._all, read=read_answer)
            for question, outcome in zip(self._all, outcomes, strict=True):
                require(outcome.error is not None, "targets.check_broken_answers", **_shown(question))

    def documents_are_readable(self) -> None:
        """They can be read, are the same each time, and some belong to the departments of the restricted sample."""
        with _opened(self._make) as target:
            check_documents(target, self._inside[1])

    def contexts_name_visible_documents(self) -> None:
        """What the model was given comes from documents that exist and that the asker may see; so do the sources."""
        with _opened(self._make) as target:
            answers = [(question, self._alone(question)) for question in self._all]
            check_visibility(target, [(*question, answer) for question, answer in answers])

    def search_gives_visible_ids(self) -> None:
        """Search gives at most k ids, none twice, the same each time, of documents that the asker may see."""
        with _opened(self._make) as target:
            check_search(target, self._all, with_documents="documents" in self._methods)

    def _answer_of_fresh_target(self, question: Question) -> Answer:
        """Return what a question is answered with where nobody has asked anything before; asked only once."""
        with _opened(self._make) as target:
            return _answer(target, question)

    def _require_same(self, question: Question, answer: Answer) -> None:
        alone = self._alone(question)
        for part in Answer.__struct_fields__:
            expected, found = getattr(alone, part), getattr(answer, part)
            values = {"part": part, "expected": _short(expected), "found": _short(found)}
            require(expected == found, "targets.check_other_answer", **_shown(question), **values)


@contextmanager
def _opened(make: Callable[[], object]) -> Iterator[Asked]:
    made = make()
    if isinstance(made, AbstractContextManager):
        with made as target, asked(target) as ready:
            yield ready
    else:
        with asked(made) as ready:
            yield ready


def _answer(target: Asked, question: Question) -> Answer:
    return _answers(target, [question])[0]


def _answers(target: Asked, questions: Sequence[Question], *, concurrency: int = 1) -> list[Answer]:
    """Return the answers; the first that is none fails the check."""
    answers: list[Answer] = []
    outcomes = target.ask_all(target.method("answer"), questions, read=read_answer, concurrency=concurrency)
    for question, outcome in zip(questions, outcomes, strict=True):
        reason = outcome.error and outcome.error.message
        require(outcome.value is not None, "targets.check_no_answer", **_shown(question), reason=reason)
        answers.append(outcome.value)  # type: ignore[arg-type]  # the line above has ruled out None
    return answers


def _shown(question: Question) -> dict[str, str]:
    text, departments = question
    return {"question": _short(text), "departments": ", ".join(departments)}


def _short(value: object) -> str:
    return shorten(value if isinstance(value, str) else repr(value), _SHOWN)
