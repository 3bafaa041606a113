"""Passages without an answer."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from knowledge_search.api.models import MAX_K, Departments, HitOut, Question, SearchOut
from knowledge_search.api.wiring import Asker, Served, errors, scope_of

router = APIRouter(tags=["ask"])


@router.get("/search", responses=errors(), summary="Find passages")
def search(
    services: Served,
    asker: Asker,
    q: Annotated[Question, Query(description="What to look for.", examples=["半休"])],
    k: Annotated[
        int | None, Query(ge=1, le=MAX_K, description="Passages at most; else the operator's setting.")
    ] = None,
    departments: Annotated[
        Annotated[Departments, Field()] | None, Query(description="Narrow to these and `all`; never widens.")
    ] = None,
) -> SearchOut:
    """Return the passages nearest to the question among those that the asker may see, best first."""
    scope = scope_of(asker, departments)
    hits = services.strategy.search(q, scope, k or services.settings.top_k)
    used = sorted({hit.chunk.document_id for hit in hits})
    services.audit.record(principal=asker.name, scope=scope, action="search", question=q, document_ids=used)
    return SearchOut(strategy=services.strategy.name, hits=[HitOut.of(hit) for hit in hits])
