"""``sekisho cases``: check, convert and extend files of answer cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.cli.lazy_group import LazyGroup, show_help_alone
from sekisho.core.messages import message

if TYPE_CHECKING:
    import click

    from sekisho.core.messages import Language

COMMANDS = ("check", "schema", "convert", "add")
"""In the order of the help page; each is a module ``sekisho.cli.cases_<name>`` with a function ``build(language)``."""


def build(language: Language) -> click.Command:
    """Return the group in one language."""
    return LazyGroup(
        "cases",
        modules={name: f"sekisho.cli.cases_{name}" for name in COMMANDS},
        area="cases",
        language=language,
        help=message("cases.help_cases", language),
        invoke_without_command=True,
        callback=show_help_alone,
    )
