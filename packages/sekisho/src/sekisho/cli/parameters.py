"""Options in the form that every subcommand uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from sekisho.core.messages import message
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from sekisho.core.messages import Language

MOST_RESULTS = 1_000_000
"""As in a configuration: a greater k is a slip of the hand."""

_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?", re.ASCII)
"""As it is written everywhere: Python would also read 0_9, a space around it, and digits of any script."""


def speaker(area: str, language: Language) -> Callable[[str], str]:
    """Return a function from a name to the sentence ``<area>_<name>``."""
    return lambda name: message(f"{area}_{name}", language)


def option(flags: str, help_text: str, *, name: str | None = None, **settings: Any) -> click.Option:  # noqa: ANN401  as click's
    """Return an option with a value."""
    return click.Option([flags, *([name] if name else [])], help=help_text, **settings)


def flag(flags: str, help_text: str, *, name: str | None = None) -> click.Option:
    """Return an option that is there or not."""
    return click.Option([flags, *([name] if name else [])], is_flag=True, help=help_text)


def cut_off(help_text: str, language: Language, *, default: int | None = None) -> click.Option:
    """Return ``-k``, a whole number of at least 1."""

    def read(_ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
        if value is None:
            return default
        number = int(value) if value.isascii() and value.isdigit() and len(value) <= len(str(MOST_RESULTS)) else 0
        if not 1 <= number <= MOST_RESULTS:
            sentence = message("cli.not_a_count", language, value=shorten(value, 80), most=MOST_RESULTS)
            raise click.BadParameter(sentence, param=param)
        return number

    return click.Option(["-k"], help=help_text, metavar="N", callback=read)


def share(flags: str, help_text: str, language: Language) -> click.Option:
    """Return an option with a number from 0 to 1; NaN is refused, which a plain range would let through."""

    def read(_ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
        if value is None:
            return None
        number = float(value) if _NUMBER.fullmatch(value) else -1.0
        if not 0 <= number <= 1:
            raise click.BadParameter(message("cli.not_a_share", language, value=shorten(value, 80)), param=param)
        return number

    return click.Option([flags], help=help_text, metavar="X", callback=read)
