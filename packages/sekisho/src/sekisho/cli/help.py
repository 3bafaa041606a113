"""Help pages in the user's language, wrapped by the width that characters take on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sekisho.cli.output import write_page
from sekisho.core.messages import message
from sekisho.core.text import display_width, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sekisho.core.messages import Language

_LEFT_COLUMN = 28


class Formatter(click.HelpFormatter):
    """Writes paragraphs and lists of definitions; Japanese characters count as two columns and break anywhere."""

    def write_text(self, text: str) -> None:
        r"""Write paragraphs; a paragraph that begins with a line of ``\\b`` keeps its lines."""
        pad = " " * self.current_indent
        for number, paragraph in enumerate(text.split("\n\n")):
            if number:
                self.write("\n")
            lines = paragraph.splitlines()
            if lines and lines[0].strip() == "\b":
                kept = lines[1:]
            else:
                kept = wrap(" ".join(line.strip() for line in lines), self.width - self.current_indent)
            for line in kept:
                self.write(f"{pad}{line}\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = _LEFT_COLUMN, col_spacing: int = 2) -> None:
        """Write definitions in two columns; a long term gets a line of its own."""
        rows = list(rows)
        widest = max((display_width(term) for term, _ in rows), default=0)
        left = min(widest, col_max) + col_spacing
        pad = " " * self.current_indent
        for term, definition in rows:
            lines = wrap(definition, max(20, self.width - self.current_indent - left)) or [""]
            width = display_width(term)
            if width > left - col_spacing:
                self.write(f"{pad}{term}\n{pad}{' ' * left}{lines[0]}\n")
            else:
                self.write(f"{pad}{term}{' ' * (left - width)}{lines[0]}\n".rstrip(" "))
            for line in lines[1:]:
                self.write(f"{pad}{' ' * left}{line}\n")


class Context(click.Context):
    """A context whose help pages are written by :class:`Formatter`."""

    formatter_class = Formatter


class Command(click.Command):
    """A command whose help page has its headings in one language."""

    context_class = Context

    def __init__(self, name: str | None, *, language: Language, **options: Any) -> None:  # noqa: ANN401  as click's
        super().__init__(name, **options)
        self.language = language

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; refuse what click lets the last word decide, and values that say nothing."""
        values, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter in self.get_params(ctx):
            if _is_single(parameter) and order.count(parameter) > 1:
                sentence = message("cli.given_twice", self.language, option=max(parameter.opts, key=len))
                raise click.UsageError(sentence, ctx)
            given = values.get(parameter.name or "")
            words = given if isinstance(given, (list, tuple)) else [given]
            if any(isinstance(word, str) and not word.strip() for word in words):
                raise click.BadParameter(message("cli.empty_value", self.language), ctx, parameter)
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the line that shows the words in order."""
        write_usage(self, ctx, formatter, self.language)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options."""
        write_options(self, ctx, formatter, self.language)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return ``--help`` with its text in one language."""
        return localised_help_option(super().get_help_option(ctx), self.language)


def _is_single(parameter: click.Parameter) -> bool:
    """Tell whether an option takes one value, of which click would use the last."""
    return isinstance(parameter, click.Option) and not (parameter.multiple or parameter.is_flag or parameter.count)


def write_usage(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter, language: Language) -> None:
    """Write the usage line of a command."""
    pieces = command.collect_usage_pieces(ctx)
    formatter.write(f"{message('cli.usage', language)} {ctx.command_path} {' '.join(pieces)}\n")


def write_options(
    command: click.Command, ctx: click.Context, formatter: click.HelpFormatter, language: Language
) -> None:
    """Write the options of a command, ``--lang`` among them, which is taken from the words beforehand."""
    rows = [
        record
        for parameter in command.get_params(ctx)
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx))
    ]
    rows.insert(len(rows) - 1, ("--lang [en|ja]", message("cli.lang_option", language)))
    with formatter.section(message("cli.options", language)):
        formatter.write_dl(rows)


def localised_help_option(option: click.Option | None, language: Language) -> click.Option | None:
    """Return the help option with its text in one language, writing as every other output of this command."""
    if option is not None:
        option.help = message("cli.help_option", language)
        option.callback = _show
    return option


def _show(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001  click's form
    if value:
        write_page(ctx.get_help() + "\n")  # click.echo writes UTF-8 to a stream that can only show ASCII
        ctx.exit()


def command(
    name: str, language: Language, callback: Callable[..., Any], parameters: Sequence[click.Parameter]
) -> Command:
    """Return a command whose help text is the sentence ``cli.help_<name>``."""
    return Command(
        name,
        language=language,
        callback=callback,
        params=list(parameters),
        help=message(f"cli.help_{name}", language),
        no_args_is_help=False,
    )
