"""``sekisho explain``: what a code, a metric or an exit code means and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import AREAS, catalogue, message
from sekisho.core.text import did_you_mean, wrap

if TYPE_CHECKING:
    from sekisho.core.messages import Language

_WIDTH = 100
_AREAS_OF_ERRORS = ("ranking", "corpora", "retrievers", "retrieval", "files", "app")


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the argument below
        return _explain(language, **options)

    return pages.command("explain", language, run, [click.Argument(["code"], required=False, metavar="[CODE]")])


def _explain(language: Language, *, code: str | None) -> int:
    topics = catalogue("explain", language)
    if code is None:
        click.echo(message("cli.explain_topics", language))
        for topic in topics:
            click.echo(f"  {topic}")
        return 0
    name = code.partition("@")[0].removeprefix("structure.").removeprefix("report.")
    text = topics[name] if name in topics else _error_sentence(code, language)
    for line in wrap(text, _WIDTH):
        click.echo(line)
    return 0


def _error_sentence(code: str, language: Language) -> str:
    """Return the sentence behind the code of an error, its placeholders left open."""
    known = {
        f"{area}.{name}": text
        for area in AREAS
        if area in _AREAS_OF_ERRORS
        for name, text in catalogue(area, language).items()
    }
    matching = [full for full in known if code in {full, full.partition(".")[2]}]
    if not matching:
        meant = did_you_mean(code, [*catalogue("explain", language), *known])
        raise ConfigurationError("cli.no_such_code_meant" if meant else "cli.no_such_code", code=code, meant=meant)
    return message("cli.explain_error", language, code=matching[0]) + " " + known[matching[0]]
