"""``knowledge-search reembed``: all vectors anew, with another embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge_search.cli.messages import message
from knowledge_search.cli.opening import opened, settings_of
from knowledge_search.cli.output import progress, say, write_json
from knowledge_search.cli.pages import command, option

if TYPE_CHECKING:
    import click

    from knowledge_search.cli.messages import Language


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(*, json: bool) -> int:
        from knowledge_search.store import reembed  # noqa: PLC0415 - help pages need none of it

        with opened(language, settings_of(language), claim=False) as services:
            with progress("embedding", language) as bar:
                chunks = reembed(services.database, services.embedder, tokenizer=services.tokenizer, progress=bar.step)
            with progress("preparing", language):
                services.maintenance.run(services.settings.strategy)
        if json:
            write_json({"chunks": chunks, "embedder": services.embedder.fingerprint})
        else:
            say(message("reembedded", language, chunks=chunks, name=services.embedder.name))
        return 0

    return command("reembed", language, run, [option(language, "--json", "json_option", is_flag=True)])
