"""``knowledge-search search``: find passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from knowledge_search.cli.commands.asking import asked, parameters
from knowledge_search.cli.messages import message
from knowledge_search.cli.opening import opened, settings_of
from knowledge_search.cli.output import note, say, write_json
from knowledge_search.cli.pages import command

if TYPE_CHECKING:
    import click

    from knowledge_search.cli.messages import Language
    from knowledge_search.domain import Hit

_SHOWN: Final = 160


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(question: str, department: tuple[str, ...], k: int | None, *, json: bool) -> int:
        checked, scope = asked(question, department)
        with opened(language, settings_of(language)) as services:
            hits = services.strategy.search(checked, scope, k or services.settings.top_k)
            services.audit.record(
                principal="command", scope=scope, action="search", question=checked,
                document_ids=sorted({hit.chunk.document_id for hit in hits}),
            )  # fmt: skip
        if json:
            write_json([_record(hit) for hit in hits])
        else:
            for hit in hits:
                say(f"{hit.distance:.3f}  {hit.chunk.citation}  {' > '.join(hit.chunk.title_path)}")
                say("       " + " ".join(hit.chunk.text.split())[:_SHOWN])
            if not hits:
                note(message("nothing_found", language))
        return 0 if hits else 1

    return command("search", language, run, parameters(language))


def _record(hit: Hit) -> dict[str, object]:
    chunk = hit.chunk
    return {
        "chunk_id": chunk.id, "document_id": chunk.document_id, "citation": chunk.citation, "page": chunk.page,
        "title_path": list(chunk.title_path), "text": chunk.text, "distance": hit.distance, "score": hit.score,
    }  # fmt: skip
