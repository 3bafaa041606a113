"""``sekisho list``: suites, presets, metrics, retrievers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag, option
from sekisho.core.messages import message
from sekisho.core.text import display_width, padded, printable, shorten
from sekisho.reports.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from sekisho.core.messages import Language

SECTIONS = ("suites", "presets", "metrics", "retrievers")
_LONGEST_NAME = 40


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
    makers: dict[str, Callable[[], dict[str, str]]] = {
        "suites": lambda: _suites(language, config),
        "presets": lambda: _presets(language),
        "metrics": lambda: _metrics(language),
        "retrievers": lambda: _retrievers(language),
    }
    chosen = {name: makers[name]() for name in SECTIONS if section in {None, name}}
    output = Output(as_json=as_json)
    if as_json:
        from sekisho.reports.json_report import encode  # noqa: PLC0415  only when asked for

        output.write_document(encode(chosen))
        return 0
    with output.text() as stream:
        for name, entries in chosen.items():
            _write_section(name, entries, Terminal(stream, language=language))
    return 0


def _write_section(name: str, entries: dict[str, str], terminal: Terminal) -> None:
    terminal.line(terminal.say(f"cli.list_{name}"), style="bold")
    names = [printable(shorten(entry, _LONGEST_NAME)) for entry in entries]
    left = max(map(display_width, names), default=0) + 2
    for shown, text in zip(names, entries.values(), strict=True):
        terminal.line(padded(shown, left) + printable(text), indent=2, hang=left)
    if not entries:
        terminal.line(terminal.say("cli.list_none"), indent=2)


def _suites(language: Language, config: Path | None) -> dict[str, str]:
    from sekisho.app.configuration import find_configuration, load_configuration  # noqa: PLC0415  as in check
    from sekisho.app.target_making import target_name  # noqa: PLC0415  as above

    path = config or find_configuration(Path.cwd())
    if path is None:
        return {}
    return {
        suite.name: message(
            f"cli.list_{'manual' if suite.manual else 'suite'}", language, kind=suite.kind, target=target_name(suite)
        )
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
