"""The group of subcommands, each imported only when it is called or its own help is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import sekisho
from sekisho.cli.lazy_group import LazyGroup, show_help_alone
from sekisho.cli.output import write_page
from sekisho.core.messages import message

if TYPE_CHECKING:
    from sekisho.core.messages import Language

COMMANDS = ("check", "accept", "history", "cases", "compare", "power", "score", "init", "corpus", "list", "explain")
"""In the order of the help page; each is a module ``sekisho.cli.<name>`` with a function ``build(language)``."""
_MODULES = {"list": "listing"}


def build_group(language: Language) -> LazyGroup:
    """Return the whole command in one language."""
    version = click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_version,
        help=message("cli.version_option", language),
    )
    return LazyGroup(
        "sekisho",
        modules={name: f"sekisho.cli.{_MODULES.get(name, name)}" for name in COMMANDS},
        area="cli",
        language=language,
        params=[version],
        help=message("cli.help_sekisho", language),
        invoke_without_command=True,
        callback=show_help_alone,
    )


def _show_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001  click's form
    if value:
        write_page(f"sekisho {sekisho.__version__}\n")
        ctx.exit()
