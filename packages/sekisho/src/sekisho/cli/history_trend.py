"""``sekisho history trend``: a metric over runs, and where it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sekisho.cli import help as pages
from sekisho.cli.history_options import config_option, count_option
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag, option
from sekisho.core.messages import message

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.core.history import Trend
    from sekisho.core.messages import Language

_RUNS = 200


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(
        suite: str, metric: str, branch: str | None, limit: int | None, config: Path | None, *, as_json: bool
    ) -> int:
        from sekisho.app.history import history_root, load_trend  # noqa: PLC0415  after the words have been checked

        output = Output(as_json=as_json)
        with output.refusals(language):
            trend = load_trend(history_root(config), suite, metric, branch=branch, limit=limit or _RUNS)
        return _write(trend, output, language, as_json=as_json)

    parameters = [
        click.Argument(["suite"], metavar="SUITE"),
        click.Argument(["metric"], metavar="METRIC"),
        option("--branch", message("history.option_branch", language), metavar="NAME"),
        count_option(language, default=_RUNS),
        config_option(language),
        flag("--json", message("history.option_json", language), name="as_json"),
    ]
    text = message("history.help_trend", language)
    return pages.Command("trend", language=language, callback=run, params=parameters, help=text)


def _write(trend: Trend, output: Output, language: Language, *, as_json: bool) -> int:
    if as_json:
        from sekisho.reports.history_json import trend_document  # noqa: PLC0415  only when asked for
        from sekisho.reports.json_report import encode  # noqa: PLC0415  as above

        output.write_document(encode(trend_document(trend)))
        return 0
    from sekisho.reports.history_trend import write_trend  # noqa: PLC0415  as above
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    with output.text() as stream:
        write_trend(trend, Terminal(stream, language=language))
    return 0
