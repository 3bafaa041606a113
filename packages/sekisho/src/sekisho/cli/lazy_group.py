"""A group of subcommands, each imported only when it is called or its own help is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.output import write_page
from sekisho.core.messages import message
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sekisho.core.messages import Language


class LazyGroup(pages.Command, click.Group):
    """Subcommands by name; their one-line help comes from the catalogue, so that ``--help`` imports none of them.

    Args:
        name: Of the group.
        modules: Name of each subcommand to the module with its function ``build(language)``, in the order of the help
            page.
        area: Of the catalogue: ``short_<name>``, ``no_such_command`` and ``no_such_command_meant``.
        language: Of everything it says.
    """

    def __init__(
        self,
        name: str,
        *,
        modules: Mapping[str, str],
        area: str,
        language: Language,
        **options: Any,  # noqa: ANN401  as click's
    ) -> None:
        super().__init__(name, language=language, **options)
        self._modules = modules
        self._area = area

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  as click's
        """Return the names in the order of the help page."""
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  as click's
        """Import and return one subcommand."""
        if cmd_name not in self._modules:
            return None
        built: click.Command = import_module(self._modules[cmd_name]).build(self.language)
        return built

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand, or refuse its name with the one that was probably meant."""
        name = args[0]
        if not name.startswith("-") and name not in self._modules:
            meant = did_you_mean(name, self._modules)
            code = f"{self._area}.no_such_command_meant" if meant else f"{self._area}.no_such_command"
            raise click.UsageError(
                message(code, self.language, name=name, meant=meant, known=", ".join(self._modules)), ctx
            )
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands, then the options."""
        with formatter.section(message("cli.commands", self.language)):
            formatter.write_dl([(name, message(f"{self._area}.short_{name}", self.language)) for name in self._modules])
        pages.write_options(self, ctx, formatter, self.language)


@click.pass_context
def show_help_alone(ctx: click.Context) -> int | None:
    """Show the help page of a group that is called without a subcommand: exit code 2."""
    if ctx.invoked_subcommand is None:
        write_page(ctx.get_help() + "\n", to_errors=True)
        return 2
    return None
