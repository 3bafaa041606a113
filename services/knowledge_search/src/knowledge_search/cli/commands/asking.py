"""What ``ask`` and ``search`` share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from knowledge_search.answer.question import checked_question
from knowledge_search.cli.pages import option
from knowledge_search.domain import Scope

if TYPE_CHECKING:
    from knowledge_search.cli.messages import Language


def parameters(language: Language) -> list[click.Parameter]:
    """Return the question, and how to look for it."""
    return [
        click.Argument(["question"]),
        option(language, "--department", "department_option", multiple=True),
        option(language, "--k", "k_option", type=click.IntRange(1, 50)),
        option(language, "--json", "json_option", is_flag=True),
    ]


def asked(question: str, department: tuple[str, ...]) -> tuple[str, Scope]:
    """Return the question and whose eyes it is asked with.

    Raises:
        KnowledgeError: It is no question, or they are no departments.
    """
    return checked_question(question), Scope.of(*department)
