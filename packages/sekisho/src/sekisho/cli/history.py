"""``sekisho history``: the runs that were kept; subcommands show one, compare two, and draw a metric over them."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli.history_options import config_option, count_option
from sekisho.cli.lazy_group import LazyGroup
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag, option
from sekisho.core.messages import message
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.core.messages import Language

COMMANDS = ("show", "compare", "trend")
"""In the order of the help page; each is a module ``sekisho.cli.history_<name>`` with ``build(language)``."""
VERDICTS = ("passed", "failed", "not_measured", "reported")
_LISTED = 20
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


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
    return LazyGroup(
        "history",
        modules={name: f"sekisho.cli.history_{name}" for name in COMMANDS},
        area="history",
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
