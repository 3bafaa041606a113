"""Help pages in the user's language, wrapped by the width that characters take on the screen."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, Final

import click

from knowledge_search.cli.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from knowledge_search.cli.messages import Language

_LEFT: Final = 30
_NARROWEST: Final = 20
_NEVER_FIRST: Final = "、。」）』】，．・：；？！ー…"


def width_of(text: str) -> int:
    """Return how many columns ``text`` takes in a terminal."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def wrapped(text: str, width: int) -> list[str]:
    """Return ``text`` in lines: words stay whole, Japanese breaks anywhere but before what closes a phrase."""
    lines, line = [], ""
    for piece in _pieces(text):
        if line and width_of(line + piece.rstrip()) > width and piece.strip() not in set(_NEVER_FIRST):
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str) -> Iterable[str]:
    word = ""
    for sign in text:
        if unicodedata.east_asian_width(sign) in "WF":
            if word:
                yield word
            yield sign
            word = ""
        else:
            word += sign
            if sign == " ":
                yield word
                word = ""
    if word:
        yield word


class Formatter(click.HelpFormatter):
    """Writes paragraphs and lists of definitions."""

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        pad = " " * self.current_indent
        for number, paragraph in enumerate(text.split("\n\n")):
            self.write("\n" if number else "")
            for line in wrapped(paragraph, self.width - self.current_indent):
                self.write(f"{pad}{line}\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = _LEFT, col_spacing: int = 2) -> None:
        """Write definitions in two columns; a long term gets a line of its own."""
        rows = list(rows)
        left = min(max((width_of(term) for term, _ in rows), default=0), col_max) + col_spacing
        pad = " " * self.current_indent
        for term, definition in rows:
            lines = wrapped(definition, max(_NARROWEST, self.width - self.current_indent - left)) or [""]
            gap = left - width_of(term)
            if gap < col_spacing:
                self.write(f"{pad}{term}\n")
                lines = ["", *lines]
                self.write("".join(f"{pad}{' ' * left}{line}\n" for line in lines[1:]))
                continue
            self.write(f"{pad}{term}{' ' * gap}{lines[0]}".rstrip() + "\n")
            self.write("".join(f"{pad}{' ' * left}{line}\n" for line in lines[1:]))


class Context(click.Context):
    """A context whose help pages are written by :class:`Formatter`."""

    formatter_class = Formatter


class Command(click.Command):
    """A command whose help page is in one language."""

    context_class = Context

    def __init__(self, name: str | None, *, language: Language, **options: Any) -> None:  # noqa: ANN401 - as click's
        super().__init__(name, **options)
        self.language = language

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the line that shows the words in order."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write(f"{message('usage', self.language)} {ctx.command_path} {pieces}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, ``--lang`` among them, which is taken from the words beforehand."""
        rows = [
            row
            for one in self.get_params(ctx)
            if isinstance(one, click.Option) and (row := one.get_help_record(ctx)) is not None
        ]
        rows.insert(len(rows) - 1, ("--lang [ja|en]", message("lang_option", self.language)))
        with formatter.section(message("options", self.language)):
            formatter.write_dl(rows)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return ``--help`` with its text in one language."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = message("help_option", self.language)
        return option


class Group(Command, click.Group):
    """Commands by name, each made only when it is called."""

    def __init__(
        self,
        name: str,
        *,
        language: Language,
        makers: Mapping[str, Callable[[Language], click.Command]],
        **options: Any,  # noqa: ANN401 - as click's
    ) -> None:
        super().__init__(name, language=language, **options)
        self._makers = makers

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click's
        """Return the names in the order of the help page."""
        return list(self._makers)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as click's
        """Make one command."""
        maker = self._makers.get(cmd_name)
        return None if maker is None else maker(self.language)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command, or refuse its name."""
        if args[0] not in self._makers and not args[0].startswith("-"):
            known = ", ".join(self._makers)
            raise click.UsageError(message("no_such_command", self.language, name=args[0], known=known), ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        with formatter.section(message("commands", self.language)):
            formatter.write_dl([(name, message(f"short_{name}", self.language)) for name in self._makers])
        Command.format_options(self, ctx, formatter)


def command(
    name: str, language: Language, callback: Callable[..., Any], parameters: Sequence[click.Parameter]
) -> Command:
    """Return a command whose help text is the sentence ``help_<name>``."""
    return Command(
        name, language=language, callback=callback, params=list(parameters), help=message(f"help_{name}", language)
    )


def option(language: Language, name: str, text: str, **kind: Any) -> click.Option:  # noqa: ANN401 - as click's
    """Return an option whose help is the sentence ``text``."""
    return click.Option([name], help=message(text, language), **kind)
