"""``sekisho cases``: check, convert and extend files of answer cases."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.output import write_page
from sekisho.core.messages import message
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from sekisho.core.messages import Language

COMMANDS = ("check", "schema", "convert", "add")
"""In the order of the help page; each is a module ``sekisho.cli.cases_<name>`` with a function ``build(language)``."""


class CasesGroup(click.Group):
    """Subcommands by name, each imported only when it is called."""

    context_class = pages.Context

    def __init__(self, *, language: Language, **options: Any) -> None:  # noqa: ANN401  as click's
        super().__init__(name="cases", **options)
        self.language = language

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  as click's
        """Return the names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  as click's
        """Import and return one subcommand."""
        if cmd_name not in COMMANDS:
            return None
        built: click.Command = import_module(f"sekisho.cli.cases_{cmd_name}").build(self.language)
        return built

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand, or refuse its name with the one that was probably meant."""
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS:
            meant = did_you_mean(name, COMMANDS)
            code = "cases.no_such_command_meant" if meant else "cases.no_such_command"
            raise click.UsageError(message(code, self.language, name=name, meant=meant, known=", ".join(COMMANDS)), ctx)
        return super().resolve_command(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage line."""
        pages.write_usage(self, ctx, formatter, self.language)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands, then the options."""
        with formatter.section(message("cli.commands", self.language)):
            formatter.write_dl([(name, message(f"cases.short_{name}", self.language)) for name in COMMANDS])
        pages.write_options(self, ctx, formatter, self.language)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return ``--help`` with its text in one language."""
        return pages.localised_help_option(super().get_help_option(ctx), self.language)


def build(language: Language) -> click.Command:
    """Return the group in one language."""
    return CasesGroup(
        language=language,
        help=message("cases.help_cases", language),
        invoke_without_command=True,
        callback=_show_help_alone,
    )


@click.pass_context
def _show_help_alone(ctx: click.Context) -> int | None:
    if ctx.invoked_subcommand is None:
        write_page(ctx.get_help() + "\n", to_errors=True)
        return 2
    return None
