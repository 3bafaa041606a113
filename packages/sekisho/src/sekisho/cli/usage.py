"""What click says about wrong usage, in the user's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sekisho.cli.group import COMMANDS
from sekisho.core.messages import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.messages import Language


def usage_sentence(error: click.ClickException, language: Language, *, words: Sequence[str]) -> str:
    """Return a usage error in one language, with where to look for help; some of click's do not know their command."""
    context = getattr(error, "ctx", None)
    command = next((word for word in words if word in COMMANDS), "")
    path = context.command_path if context else f"sekisho {command}".rstrip()
    return f"{_sentence(error, context, language)}\n{message('cli.see_help', language, command=path)}"


def _sentence(error: click.ClickException, context: click.Context | None, language: Language) -> str:
    if isinstance(error, click.NoSuchOption):
        meant = ", ".join(error.possibilities or ())
        code = "cli.no_such_option_meant" if meant else "cli.no_such_option"
        return message(code, language, option=error.option_name, meant=meant)
    if isinstance(error, click.MissingParameter):
        return message("cli.missing", language, name=_name(error.param, context))
    if isinstance(error, click.BadParameter):
        return message("cli.bad_value", language, option=_name(error.param, context), reason=_reason(error, language))
    if isinstance(error, click.BadOptionUsage):
        return message("cli.no_value", language, option=error.option_name)
    if isinstance(error, click.UsageError) and error.message.startswith("Got unexpected extra argument"):
        words = error.message.partition("(")[2].rpartition(")")[0]
        return message("cli.extra_words", language, words=words)
    return error.format_message()


def _name(parameter: click.Parameter | None, context: click.Context | None) -> str:
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return parameter.make_metavar(context) if parameter and context else ""


def _reason(error: click.BadParameter, language: Language) -> str:
    kind = error.param.type if error.param else None
    if isinstance(kind, click.Choice):
        return message("cli.not_a_choice", language, choices=", ".join(map(str, kind.choices)))
    if isinstance(kind, type(click.FLOAT)):
        return message("cli.not_a_number", language)
    return error.message
