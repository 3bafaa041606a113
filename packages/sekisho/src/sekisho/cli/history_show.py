"""``sekisho history show``: the report of a run again."""

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

    def run(run: str, config: Path | None, *, as_json: bool) -> int:
        return _show(language, run, config=config, as_json=as_json)

    parameters = [
        click.Argument(["run"], metavar="RUN"),
        config_option(language),
        flag("--json", message("history.option_json_report", language), name="as_json"),
    ]
    text = message("history.help_show", language)
    return pages.Command("show", language=language, callback=run, params=parameters, help=text)


def _show(language: Language, word: str, *, config: Path | None, as_json: bool) -> int:
    from sekisho.app.history import history_root, load_run  # noqa: PLC0415  after the words have been checked

    output = Output(as_json=as_json)
    with output.refusals(language):
        detail = load_run(history_root(config), word)
    if as_json:
        from sekisho.reports.json_report import encode  # noqa: PLC0415  only when asked for

        output.write_document(encode(detail.document))
        return 0
    from sekisho.reports.history_show import write_run_detail  # noqa: PLC0415  as above
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    with output.text() as stream:
        write_run_detail(detail, Terminal(stream, language=language))
    return 0
