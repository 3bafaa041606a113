"""The documents that the asker may see, and their pages. What may not be seen is not there."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Path, Query

from knowledge_search.api.errors import not_found
from knowledge_search.api.models import MAX_ID, DocumentOut, DocumentsOut, PageOut, PassageOut
from knowledge_search.api.wiring import Asker, Served, errors

router = APIRouter(tags=["documents"])
Id = Annotated[int, Path(ge=1, le=MAX_ID, description="Of the document.", examples=[40213557019])]
PageNumber = Annotated[int, Path(ge=1, le=1_000_000, description="From 1; a document without pages is page 1.")]


@router.get("/documents", responses=errors(), summary="List documents")
def documents(
    services: Served,
    asker: Asker,
    after: Annotated[str | None, Query(max_length=1024, description="`next` of the answer before.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="Documents at most.")] = 200,
) -> DocumentsOut:
    """Return the documents that the asker may see, by source."""
    visible = services.store.documents(asker.scope)
    rest = (
        record for record in sorted(visible, key=lambda record: record.source) if after is None or record.source > after
    )
    page = list(islice(rest, limit + 1))
    following = page[limit - 1].source if len(page) > limit else None
    return DocumentsOut(documents=[DocumentOut.of(record) for record in page[:limit]], next=following)


@router.get("/documents/{document_id}", responses=errors(404), summary="One document")
def document(services: Served, asker: Asker, document_id: Id) -> DocumentOut:
    """Return what is known of a document."""
    record = services.store.document(document_id, asker.scope)
    if record is None:
        raise not_found()
    return DocumentOut.of(record)


@router.get("/documents/{document_id}/pages/{page}", responses=errors(404), summary="One page of a document")
def document_page(services: Served, asker: Asker, document_id: Id, page: PageNumber) -> PageOut:
    """Return the passages that stand on a page, in reading order. A document without pages is page 1."""
    record = services.store.document(document_id, asker.scope)
    if record is None or page > (record.pages or 1):
        raise not_found()
    wanted = None if record.pages is None else page
    passages = [chunk for chunk in services.store.chunks(document_id, asker.scope) if chunk.page == wanted]
    services.audit.record(
        principal=asker.name, scope=asker.scope, action="read", question=None, document_ids=[document_id]
    )
    return PageOut(
        document=DocumentOut.of(record),
        page=page,
        label=passages[0].page_label if passages else None,
        passages=[PassageOut.of(chunk) for chunk in passages],
    )
