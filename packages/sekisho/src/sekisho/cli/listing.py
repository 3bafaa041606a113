"""``sekisho list``: suites, presets, metrics, retrievers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag, option
from sekisho.core.messages import message
from sekisho.core.text import display_width, printable

if TYPE_CHECKING:
    from sekisho.core.messages import Language

SECTIONS = ("suites", "presets", "metrics", "retrievers")


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _list(language, **options)

    parameters = [
        click.Argument(["section"], required=False, type=click.Choice(SECTIONS), metavar=f"[{'|'.join(SECTIONS)}]"),
        option("--config", message("cli.check_config", language), type=click.Path(path_type=Path), metavar="FILE"),
        flag("--json", message("cli.list_json", language), name="as_json"),
    ]
    return pages.command("list", language, run, parameters)


def _list(language: Language, *, section: str | None, config: Path | None, as_json: bool) -> int:
    makers = {"suites": lambda: _suites(language, config), "presets": lambda: _presets(language)}
    makers |= {"metrics": lambda: _metrics(language), "retrievers": lambda: _retrievers(language)}
    chosen = {name: makers[name]() for name in SECTIONS if section in {None, name}}
    with Output(as_json=as_json) as output:
        if as_json:
            from sekisho.reports.json_report import encode  # noqa: PLC0415  only when asked for

            output.write_document(encode(chosen))
            return 0
        for name, entries in chosen.items():
            output.text.write(message(f"cli.list_{name}", language) + "\n")
            left = max((display_width(entry) for entry in entries), default=0)
            for entry, text in entries.items():
                pad = " " * (left - display_width(entry))
                output.text.write(f"  {printable(entry)}{pad}  {printable(text)}\n")
            if not entries:
                output.text.write("  " + message("cli.list_none", language) + "\n")
    return 0


def _suites(language: Language, config: Path | None) -> dict[str, str]:
    from sekisho.app.configuration import find_configuration, load_configuration  # noqa: PLC0415  as in check

    path = config or find_configuration(Path.cwd())
    if path is None:
        return {}
    return {
        suite.name: message("cli.list_manual" if suite.manual else "cli.list_suite", language, target=suite.target)
        for suite in load_configuration(path).suites
    }


def _presets(language: Language) -> dict[str, str]:
    from sekisho.corpora import PRESETS  # noqa: PLC0415  only for this section

    return {name: message(f"corpora.preset_{name.replace('-', '_')}", language) for name in PRESETS}


def _metrics(language: Language) -> dict[str, str]:
    from sekisho.ranking import METRIC_NAMES  # noqa: PLC0415  as above

    return {name: message(f"cli.metric_{name.partition('@')[0]}", language) for name in METRIC_NAMES}


def _retrievers(language: Language) -> dict[str, str]:
    from sekisho.retrievers import RETRIEVERS  # noqa: PLC0415  as above

    return {name: message(f"retrievers.{name}", language) for name in RETRIEVERS}
