"""``knowledge-search doctor``: what the service needs, whether it is there, and what to mend."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from knowledge_search.cli.messages import message
from knowledge_search.cli.output import say, write_json
from knowledge_search.cli.pages import command, option

if TYPE_CHECKING:
    import click

    from knowledge_search.cli.messages import Language

_SIGNS: Final = {"ok": "✓", "warn": "!", "bad": "✗", "skipped": "-"}


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(*, json: bool) -> int:
        from knowledge_search.cli.checks import examine  # noqa: PLC0415 - help pages need none of it

        findings = examine(language)
        bad = sum(one.state == "bad" for one in findings)
        if json:
            write_json([asdict(one) for one in findings])
            return 1 if bad else 0
        for one in findings:
            say(f"{_SIGNS[one.state]} {message(f'check_{one.check}', language)}: {one.detail}")
            if one.mend:
                say(message("mend", language, how=one.mend))
        warned = sum(one.state == "warn" for one in findings)
        code = "amiss" if bad else "well_but" if warned else "all_well"
        say(message(code, language, count=bad or warned))
        return 1 if bad else 0

    return command("doctor", language, run, [option(language, "--json", "json_option", is_flag=True)])
