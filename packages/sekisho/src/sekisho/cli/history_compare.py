"""``sekisho history compare``: what differs between two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sekisho.cli import help as pages
from sekisho.cli.history_options import config_option
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag
from sekisho.core.messages import message

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.core.messages import Language


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(before: str, after: str, config: Path | None, *, as_json: bool) -> int:
        return _compare(language, before, after, config=config, as_json=as_json)

    parameters = [
        click.Argument(["before"], metavar="RUN"),
        click.Argument(["after"], metavar="RUN"),
        config_option(language),
        flag("--json", message("history.option_json", language), name="as_json"),
    ]
    text = message("history.help_compare", language)
    return pages.Command("compare", language=language, callback=run, params=parameters, help=text)


def _compare(language: Language, before: str, after: str, *, config: Path | None, as_json: bool) -> int:
    from sekisho.app.history import history_root, load_comparison  # noqa: PLC0415  after the words have been checked

    output = Output(as_json=as_json)
    with output.refusals(language):
        comparison = load_comparison(history_root(config), before, after)
    if as_json:
        from sekisho.reports.history_json import comparison_document  # noqa: PLC0415  only when asked for
        from sekisho.reports.json_report import encode  # noqa: PLC0415  as above

        output.write_document(encode(comparison_document(comparison)))
        return 0
    from sekisho.reports.history_compare import write_run_comparison  # noqa: PLC0415  as above
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    with output.text() as stream:
        write_run_comparison(comparison, Terminal(stream, language=language))
    return 0
