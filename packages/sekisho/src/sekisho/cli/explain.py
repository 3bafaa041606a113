"""``sekisho explain``: what a code, a metric or an exit code means and what to do about it."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import AREAS, catalogue, message
from sekisho.core.text import did_you_mean
from sekisho.reports.terminal import Terminal

if TYPE_CHECKING:
    from sekisho.core.messages import Language

_SYNONYMS = {"saturated_suite": "saturated", "saturated_all": "saturated", "rr": "mrr", "ap": "map"}
_SENTENCES = tuple(area for area in AREAS if area not in {"cli", "explain"})
"""The areas whose codes stand in error messages and reports."""


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the argument below
        return _explain(language, **options)

    return pages.command("explain", language, run, [click.Argument(["code"], required=False, metavar="[CODE]")])


def _explain(language: Language, *, code: str | None) -> int:
    topics = catalogue("explain", language)
    text = None
    if code is not None:
        code = code.strip().casefold().lstrip("-").replace("-", "_")
        text = topics.get(_topic(code)) or _sentence(code, language)
    with Output(as_json=False).text() as stream:
        terminal = Terminal(stream, language=language)
        if text is None:
            terminal.line(terminal.say("cli.explain_topics"))
            terminal.line(", ".join(topics), indent=2)
        else:
            terminal.line(text)
    return 0


def _topic(code: str) -> str:
    """Return the topic that a code of a report belongs to: ``recall@10``, ``structure.empty``, ``report.partial``."""
    name = code.partition("@")[0]
    if code.startswith("drop."):
        return "max_drop"
    for area in ("structure.", "report.", "answers.", "access.", "baseline."):
        name = name.removeprefix(area)
    return _SYNONYMS.get(name, name)


def _sentence(code: str, language: Language) -> str:
    """Return the sentence behind the code of an error or warning, a word in angle brackets for each placeholder."""
    known = {f"{area}.{name}": text for area in _SENTENCES for name, text in catalogue(area, language).items()}
    matching = [full for full in known if code in {full, full.partition(".")[2]}]
    if not matching:
        meant = did_you_mean(code, [*catalogue("explain", language), *known])
        raise ConfigurationError("app.no_such_code_meant" if meant else "app.no_such_code", code=code, meant=meant)
    return message("cli.explain_error", language, code=matching[0]) + " " + _with_words(known[matching[0]])


def _with_words(template: str) -> str:
    parts = Formatter().parse(template)
    return "".join(text + (f"<{name}>" if name else "") for text, name, _, _ in parts)
