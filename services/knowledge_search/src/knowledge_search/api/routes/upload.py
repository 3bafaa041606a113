"""Documents put in and taken out by those whose key may write."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, File, Form, Path, Response, UploadFile

from knowledge_search.api.errors import Problem, not_found
from knowledge_search.api.models import MAX_ID, DepartmentName, DocumentOut, UploadOut
from knowledge_search.api.wiring import Served, Writer, errors
from knowledge_search.domain import DocumentError

if TYPE_CHECKING:
    from knowledge_search.auth import Principal
    from knowledge_search.bootstrap import Services

router = APIRouter(tags=["documents"])


@router.post(
    "/documents",
    status_code=201,
    response_model=UploadOut,
    summary="Put a document in",
    responses={
        **errors(400, 403, 409, 413),
        200: {"model": UploadOut, "description": "The same document is there already."},
        201: {"description": "It can be found from now on."},
    },
)
def upload(
    services: Served,
    asker: Writer,
    response: Response,
    file: Annotated[UploadFile, File(description="Markdown, text, HTML or PDF.")],
    department: Annotated[DepartmentName, Form(description="Who may see it; one of the key's own.")],
) -> UploadOut:
    """Take in a document, or a newer version of it.

    It replaces the document of this name and department that the key can see. Otherwise it is named
    `department:file`, so that an upload neither replaces nor reveals a document that the key may not see.
    """
    if department not in asker.scope.departments:
        raise Problem(403, "not_your_department")
    source = _source(services, asker, file.filename or "", department)
    report = services.ingest.upload(source, file.file.read(), department=department)
    if report.left_out:
        raise DocumentError(report.status, report.detail)
    found = [record for record in services.store.documents(asker.scope) if record.source == report.source]
    if not found:  # taken out again by somebody in this moment
        raise not_found()
    if report.status == "unchanged":
        response.status_code = 200
    services.audit.record(principal=asker.name, scope=asker.scope, action="ingest", document_ids=[found[0].id])
    status: Literal["ingested", "unchanged"] = "unchanged" if report.status == "unchanged" else "ingested"
    return UploadOut(status=status, document=DocumentOut.of(found[0]))


@router.delete(
    "/documents/{document_id}",
    status_code=204,
    summary="Take a document out",
    responses={**errors(403, 404), 204: {"description": "Nothing of it is left."}},
)
def remove(
    services: Served, asker: Writer, document_id: Annotated[int, Path(ge=1, le=MAX_ID, examples=[40213557019])]
) -> Response:
    """Take a document out, with its passages and everything made of them."""
    record = services.store.document(document_id, asker.scope)
    if record is None or not services.store.remove(record.source, department=record.department):
        raise not_found()
    services.audit.record(principal=asker.name, scope=asker.scope, action="remove", document_ids=[document_id])
    return Response(status_code=204)


def _source(services: Services, asker: Principal, name: str, department: str) -> str:
    """Return the name in the store; only what the asker can see decides it."""
    base = unicodedata.normalize("NFC", name.replace("\\", "/").rsplit("/", 1)[-1])
    named = f"{department}:{base}"
    visible = {record.source: record.department for record in services.store.documents(asker.scope)}
    if visible.get(base) == department:
        return base
    stored = services.store.content_hash(named)
    if stored is not None and stored[1] != department:
        raise Problem(409, "name_taken")
    return named if base else base
