"""``knowledge-search ask``: answer a question."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from knowledge_search.answer import answer_question
from knowledge_search.cli.commands.asking import asked, parameters
from knowledge_search.cli.messages import message
from knowledge_search.cli.opening import opened, settings_of
from knowledge_search.cli.output import note, say, write_json
from knowledge_search.cli.pages import command

if TYPE_CHECKING:
    import click

    from knowledge_search.cli.messages import Language


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(question: str, department: tuple[str, ...], k: int | None, *, json: bool) -> int:
        checked, scope = asked(question, department)
        with opened(language, settings_of(language)) as services:
            hits = services.strategy.search(checked, scope, k or services.settings.top_k)
            answer = answer_question(checked, hits, services.llm, services.max_distance)
            services.audit.record(
                principal="command", scope=scope, action="ask", question=checked, found=answer.found,
                document_ids=sorted({context.document_id for context in answer.contexts}),
            )  # fmt: skip
            if services.settings.llm == "extractive":
                note(message("no_model", language))
        if json:
            write_json(asdict(answer))
        else:
            say(answer.text)
            if answer.sources:
                say("\n" + message("sources", language, sources="  ".join(answer.sources)))
        return 0 if answer.found else 1

    return command("ask", language, run, parameters(language))
