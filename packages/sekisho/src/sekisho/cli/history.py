"""``sekisho history``: the runs that were kept; subcommands show one, compare two, and draw a metric over them."""

from __future__ import annotations

import re
from datetime import date, timedelta
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.history_options import config_option, count_option
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag, option
from sekisho.core.messages import message
from sekisho.core.text import did_you_mean, shorten

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.core.messages import Language

COMMANDS = ("show", "compare", "trend")
"""In the order of the help page; each is a module ``sekisho.cli.history_<name>`` with ``build(language)``."""
VERDICTS = ("passed", "failed", "not_measured", "reported")
_LISTED = 20
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


class HistoryGroup(pages.Command, click.Group):
    """The list of runs, which has options of its own, and subcommands, each imported only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  as click's
        """Return the names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  as click's
        """Import and return one subcommand."""
        if cmd_name not in COMMANDS:
            return None
        built: click.Command = import_module(f"sekisho.cli.history_{cmd_name}").build(self.language)
        return built

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand, or refuse its name with the one that was probably meant."""
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS:
            meant = did_you_mean(name, COMMANDS)
            code = "history.no_such_command_meant" if meant else "history.no_such_command"
            raise click.UsageError(message(code, self.language, name=name, meant=meant, known=", ".join(COMMANDS)), ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands, then the options of the list."""
        with formatter.section(message("cli.commands", self.language)):
            formatter.write_dl([(name, message(f"history.short_{name}", self.language)) for name in COMMANDS])
        pages.write_options(self, ctx, formatter, self.language)


def build(language: Language) -> click.Command:
    """Return the group in one language."""

    @click.pass_context
    def run(ctx: click.Context, /, **options: Any) -> int | None:  # noqa: ANN401  the options below
        if ctx.invoked_subcommand is None:
            return _list(language, **options)
        if any(value not in {None, False} for value in options.values()):
            sentence = message("history.options_before_command", language, command=ctx.invoked_subcommand)
            raise click.UsageError(sentence, ctx)
        return None

    parameters = [
        option("--suite", message("history.option_suite", language), metavar="SUITE"),
        option("--branch", message("history.option_branch", language), metavar="NAME"),
        option(
            "--verdict", message("history.option_verdict", language), type=click.Choice(VERDICTS), metavar="VERDICT"
        ),
        _day("--since", message("history.option_since", language), language),
        _day("--until", message("history.option_until", language), language),
        count_option(language, default=_LISTED),
        config_option(language),
        flag("--json", message("history.option_json", language), name="as_json"),
    ]
    return HistoryGroup(
        "history",
        language=language,
        params=parameters,
        help=message("history.help_history", language),
        invoke_without_command=True,
        no_args_is_help=False,
        callback=run,
    )


def _day(flags: str, help_text: str, language: Language) -> click.Option:
    """Return an option with a day."""

    def read(_ctx: click.Context, param: click.Parameter, value: str | None) -> date | None:
        if value is None:
            return None
        try:
            if _DAY.fullmatch(value):
                return date.fromisoformat(value)
        except ValueError:
            pass
        raise click.BadParameter(message("history.not_a_date", language, value=shorten(value, 80)), param=param)

    return click.Option([flags], help=help_text, metavar="DATE", callback=read)


def _list(
    language: Language,
    *,
    suite: str | None,
    branch: str | None,
    verdict: str | None,
    since: date | None,
    until: date | None,
    limit: int | None,
    config: Path | None,
    as_json: bool,
) -> int:
    from sekisho.app.history import history_root, load_list  # noqa: PLC0415  after the words have been checked
    from sekisho.history.finding import Filter  # noqa: PLC0415  as above
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    before = _next_day(until) if until else None
    wanted = Filter(suite, branch, verdict, str(since) if since else None, before)
    output = Output(as_json=as_json)
    with output.refusals(language):
        listed = load_list(history_root(config), wanted, limit=limit or _LISTED)
    if as_json:
        from sekisho.reports.history_json import list_document  # noqa: PLC0415  only when asked for
        from sekisho.reports.json_report import encode  # noqa: PLC0415  as above

        output.write_document(encode(list_document(listed)))
        return 0
    from sekisho.reports.history_report import write_list, write_no_history  # noqa: PLC0415  as above

    with output.text() as stream:
        terminal = Terminal(stream, language=language)
        write_no_history(terminal) if listed is None else write_list(listed, terminal, suite=suite)
    return 0


def _next_day(day: date) -> str | None:
    """Return the day after a day as text, or None after the last day that there is."""
    return str(day + timedelta(days=1)) if day < date.max else None
