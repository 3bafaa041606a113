"""One question at a time to the target of a suite, as for whoever writes a new case."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sekisho.adapters.targets import open_target
from sekisho.answers.evaluate import ask_once
from sekisho.app.runs import select_suites
from sekisho.app.settings import AnswersSuite
from sekisho.app.target_making import target_maker
from sekisho.core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sekisho.app.configuration import Configuration
    from sekisho.calling import Outcome
    from sekisho.core.answers import Answer


@contextmanager
def asking(configuration: Configuration, name: str) -> Iterator[Callable[[str, Sequence[str]], Outcome[Answer]]]:
    """Give a function that asks the target of a suite of answer cases; the target stays open meanwhile.

    The function takes a question and the departments of the asker, and returns an outcome: the answer, or why there is
    none.

    Raises:
        ConfigurationError: There is no such suite, or it holds no answer cases.
        TargetError: The target cannot be made.
    """
    suite = select_suites(configuration, [name])[0]
    if not isinstance(suite, AnswersSuite):
        raise ConfigurationError("app.no_answers_suite", name=name, kind=suite.kind)
    maker = target_maker(suite, root=configuration.root, offered={})
    with open_target(maker.make(), reference=maker.name) as target:
        yield lambda question, departments: ask_once(
            target, question, departments, everyone=suite.everyone, timeout_s=suite.timeout_s
        )
