"""What every route gets: the services, who asks, and what may be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import Depends, Request, Security
from fastapi.security import HTTPBearer

from knowledge_search.api.errors import ErrorModel, Problem
from knowledge_search.api.messages import MESSAGES, sentence
from knowledge_search.auth import Principal
from knowledge_search.bootstrap import Services

if TYPE_CHECKING:
    from knowledge_search.domain import Scope

_BEARER: Final = HTTPBearer(
    auto_error=False,
    scheme_name="bearer",
    description="An API key (`ksr_….…` reads, `ksw_….…` also writes) or a token (JWT) of the company's sign-in.",
)
"""For the OpenAPI schema alone; the gate has checked the header before any route runs."""
_WHAT: Final = {
    400: "not_acceptable", 401: "not_signed_in", 403: "may_not_write", 404: "not_found", 409: "name_taken",
    413: "too_large", 422: "invalid", 429: "too_many_requests", 500: "internal", 502: "model_failed", 503: "busy",
    504: "model_slow",
}  # fmt: skip
_MEANS: Final = {
    400: "The body cannot be read.", 401: "Nobody is signed in, or the key or token is not accepted.",
    403: "The key may not write, or not for that department.",
    404: "It is not there, or may not be seen: the same answer.",
    409: "The name cannot be used.", 413: "The body is too large.", 422: "The request is not valid.",
    429: "Too many requests of one principal; see Retry-After.", 500: "A mistake of the service.",
    502: "The language model failed.", 503: "Too many requests at once, or the database is away; see Retry-After.",
    504: "The language model did not answer in time.",
}  # fmt: skip
EVERY: Final = (401, 422, 429, 500, 503)
"""What every closed route can answer besides its own."""


def services_of(request: Request) -> Services:
    """Return the services of the app."""
    services: Services = request.app.state.services
    return services


def principal_of(request: Request, _: Annotated[object, Security(_BEARER)] = None) -> Principal:
    """Return who asks, as the gate found out."""
    principal: Principal = request.state.principal
    return principal


def writer_of(principal: Annotated[Principal, Depends(principal_of)]) -> Principal:
    """Return who asks, where that may write."""
    if not principal.may_write:
        raise Problem(403, "may_not_write")
    return principal


Served = Annotated[Services, Depends(services_of)]
Asker = Annotated[Principal, Depends(principal_of)]
Writer = Annotated[Principal, Depends(writer_of)]


def scope_of(principal: Principal, departments: list[str] | None) -> Scope:
    """Return what may be seen of what was wished for."""
    return principal.scope if departments is None else principal.scope.narrowed(frozenset(departments))


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error answers of a route for its OpenAPI schema, each with an example in both languages."""
    return {status: _error(status) for status in sorted({*EVERY, *statuses})}


def _error(status: int) -> dict[str, Any]:
    code = _WHAT[status]
    values = {"limit": 65536, "seconds": 3}
    extra = {"problems": [{"where": "body.question", "what": "is required"}]} if code == "invalid" else {}
    extra |= {"request_id": "9f2c51d07a3be864"} if code == "internal" else {}  # type: ignore[dict-item]
    shown = {
        language: {"value": {"code": code, "message": sentence(MESSAGES, code, language, **values), **extra}}
        for language in ("en", "ja")
    }
    described: dict[str, Any] = {
        "model": ErrorModel,
        "description": _MEANS[status],
        "content": {"application/json": {"examples": shown}},
    }
    if status in {429, 503}:
        described["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
    return described
