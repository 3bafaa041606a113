"""Questions and answers, whole or as they are written."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse

from knowledge_search.answer import (
    AnswerComplete,
    AnswerPiece,
    ContextsFound,
    answer_question,
    contexts_within,
    stream_answer,
)
from knowledge_search.api.errors import problem_of
from knowledge_search.api.events import MEDIA_TYPE, EventStream
from knowledge_search.api.language import Language, language_of
from knowledge_search.api.models import AnswerOut, AskBody, ContextOut
from knowledge_search.api.wiring import Asker, Served, errors, scope_of
from knowledge_search.domain import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from fastapi import Response

    from knowledge_search.auth import Principal
    from knowledge_search.bootstrap import Services
    from knowledge_search.domain import Answer, Context, Hit, Scope

router = APIRouter(tags=["ask"])
_LOG: Final = logging.getLogger(__name__)
_STREAM: Final = (
    'event: contexts\ndata: {"contexts": [{"number": 1, "document_id": 40213557019, "chunk_id": 2635435672797184, '
    '"source": "vacation.md", "page": null, "text": "午前半休は12時までです。"}]}\n\n'
    'event: piece\ndata: {"text": "午前半休は12時までです。 [1]"}\n\n'
    'event: answer\ndata: {"text": "午前半休は12時までです。 [1]", "found": true, "sources": ["vacation.md"], '
    '"cited": [1], "contexts": [], "model": "extractive"}\n\n'
)
_DESCRIPTION: Final = """
Finds passages among the documents that the asker may see and lets the model answer from them alone.

With `Accept: text/event-stream` the answer is streamed as server-sent events, each with JSON as its data:

* `contexts`: the passages that the model is given; left out where there are none.
* `piece`: text to append to what is shown.
* `answer`: the whole answer, which replaces the pieces; the last event. Where `found` is false, drop the contexts.
* `error`: instead of `answer` where the model fails on the way; the same shape as any error.

A client that leaves stops the model.
"""


@router.post(
    "/ask",
    response_model=AnswerOut,
    summary="Ask a question",
    description=_DESCRIPTION,
    responses={
        **errors(400, 413, 502, 504),
        200: {
            "description": "The answer, or a polite sentence with `found: false`.",
            "content": {MEDIA_TYPE: {"schema": {"type": "string"}, "example": _STREAM}},
        },
    },
)
def ask(
    body: AskBody,
    request: Request,
    services: Served,
    asker: Asker,
    accept: Annotated[str, Header(description=f"`{MEDIA_TYPE}` for a stream.", max_length=1000)] = "*/*",
) -> Any:  # noqa: ANN401 - a body or a stream
    """Answer a question; see the description of the route."""
    scope = scope_of(asker, body.departments)
    hits = services.strategy.search(body.question, scope, body.k or services.settings.top_k)
    asked = _Asked(services, asker, scope, body.question, hits)
    if MEDIA_TYPE in accept.lower():
        return asked.stream(language_of(request.headers))
    return asked.answer()


class _Asked:
    """One question on its way to an answer, and to the audit log, in whatever way it ends."""

    def __init__(self, services: Services, asker: Principal, scope: Scope, question: str, hits: list[Hit]) -> None:
        self._services = services
        self._asker = asker
        self._scope = scope
        self._question = question
        self._hits = hits
        self._contexts: tuple[Context, ...] = ()
        self._found: bool | None = None
        self._language: Language = "en"
        self._recorded = False

    def answer(self) -> Response:
        """Return the whole answer."""
        limit = self._services.max_distance
        self._contexts = contexts_within(self._hits, limit)
        try:
            answer = answer_question(self._question, self._hits, self._services.llm, limit)
        except KnowledgeError:
            self._record()
            raise
        self._note(answer)
        self._record()
        return JSONResponse(AnswerOut.of(answer).model_dump())

    def stream(self, language: Language) -> Response:
        """Return the answer as it is written."""
        self._language = language
        return EventStream(self, {"Content-Language": language, "Vary": "Accept, Accept-Language"})

    def events(self) -> Generator[tuple[str, dict[str, Any]]]:
        """Yield the events; what goes wrong is the last of them."""
        try:
            yield from self._events()
        except Exception as error:  # noqa: BLE001 - the answer has begun, so nobody else can tell the client
            yield "error", problem_of(error).model(self._language).model_dump(exclude_none=True)

    def ended(self) -> None:
        """Write the audit entry of an answer that broke off."""
        try:
            self._record()
        except KnowledgeError as error:
            _LOG.error("an answer that broke off could not be written to the audit log: %s", error)

    def _events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for event in stream_answer(self._question, self._hits, self._services.llm, self._services.max_distance):
            if isinstance(event, ContextsFound):
                self._contexts = event.contexts
                yield "contexts", {"contexts": [ContextOut.of(one).model_dump() for one in event.contexts]}
            elif isinstance(event, AnswerPiece):
                yield "piece", {"text": event.text}
            elif isinstance(event, AnswerComplete):
                self._note(event.answer)
                self._record()
                yield "answer", AnswerOut.of(event.answer).model_dump()

    def _note(self, answer: Answer) -> None:
        self._found = answer.found
        self._contexts = answer.contexts

    def _record(self) -> None:
        if self._recorded:
            return
        self._services.audit.record(
            principal=self._asker.name,
            scope=self._scope,
            action="ask",
            question=self._question,
            found=self._found,
            document_ids=sorted({context.document_id for context in self._contexts}),
        )
        self._recorded = True
