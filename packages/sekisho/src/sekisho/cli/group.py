"""The group of subcommands, each imported only when it is called or its own help is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

import sekisho
from sekisho.cli import help as pages
from sekisho.cli.output import write_page
from sekisho.core.messages import message
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from sekisho.core.messages import Language

COMMANDS = ("check", "accept", "history", "cases", "compare", "power", "score", "init", "corpus", "list", "explain")
"""In the order of the help page; each is a module ``sekisho.cli.<name>`` with a function ``build(language)``."""
_MODULES = {"list": "listing"}


class Group(click.Group):
    """Subcommands by name; their one-line help comes from the catalogue, so that ``--help`` imports none of them."""

    context_class = pages.Context

    def __init__(self, *, language: Language, **options: Any) -> None:  # noqa: ANN401  as click's
        super().__init__(name="sekisho", **options)
        self.language = language

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  as click's
        """Return the names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  as click's
        """Import and return one subcommand."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"sekisho.cli.{_MODULES.get(cmd_name, cmd_name)}")
        built: click.Command = module.build(self.language)
        return built

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand, or refuse its name with the one that was probably meant."""
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS:
            meant = did_you_mean(name, COMMANDS)
            code = "cli.no_such_command_meant" if meant else "cli.no_such_command"
            text = message(code, self.language, name=name, meant=meant, known=", ".join(COMMANDS))
            raise click.UsageError(text, ctx)
        return super().resolve_command(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage line."""
        pages.write_usage(self, ctx, formatter, self.language)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands, then the options."""
        with formatter.section(message("cli.commands", self.language)):
            formatter.write_dl([(name, message(f"cli.short_{name}", self.language)) for name in COMMANDS])
        pages.write_options(self, ctx, formatter, self.language)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return ``--help`` with its text in one language."""
        return pages.localised_help_option(super().get_help_option(ctx), self.language)


def build_group(language: Language) -> Group:
    """Return the whole command in one language."""
    version = click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_version,
        help=message("cli.version_option", language),
    )
    return Group(
        language=language,
        params=[version],
        help=message("cli.help_sekisho", language),
        invoke_without_command=True,
        callback=_show_help_alone,
    )


def _show_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001  click's form
    if value:
        write_page(f"sekisho {sekisho.__version__}\n")
        ctx.exit()


@click.pass_context
def _show_help_alone(ctx: click.Context) -> int | None:
    if ctx.invoked_subcommand is None:
        write_page(ctx.get_help() + "\n", to_errors=True)
        return 2
    return None
