"""Options in the form that every subcommand uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sekisho.core.messages import message

if TYPE_CHECKING:
    from sekisho.core.messages import Language


def option(flags: str, help_text: str, *, name: str | None = None, **settings: Any) -> click.Option:  # noqa: ANN401  as click's
    """Return an option with a value."""
    return click.Option([flags, *([name] if name else [])], help=help_text, **settings)


def flag(flags: str, help_text: str, *, name: str | None = None) -> click.Option:
    """Return an option that is there or not."""
    return click.Option([flags, *([name] if name else [])], is_flag=True, help=help_text)


def share(language: Language) -> click.ParamType:
    """Return the type of a number from 0 to 1; NaN is refused, which a plain range would let through."""

    class Share(click.ParamType):
        name = "number"

        def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401  as click's
            try:
                number = float(value)
            except ValueError:
                number = -1.0
            if not 0 <= number <= 1:
                self.fail(message("cli.not_a_share", language, value=str(value)), param, ctx)
            return number

    return Share()
