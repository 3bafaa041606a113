"""One shape for every error answer, in the language of the client."""

from __future__ import annotations

import logging
import secrets
from typing import TYPE_CHECKING, Any, Final

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from knowledge_search.api.language import Language, language_of
from knowledge_search.api.messages import MESSAGES, PROBLEMS, STATUSES, sentence
from knowledge_search.domain import DocumentError, EmbedderError, KnowledgeError, ModelError, StoreError, StoreFullError
from knowledge_search.llm import ModelCallError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fastapi import FastAPI, Request
    from starlette.responses import Response

_LOG: Final = logging.getLogger(__name__)
_RETRY_SOON: Final = {"Retry-After": "2"}
_LOCATIONS: Final = 20
_WORD: Final = 64
_FAILURES: Final[tuple[tuple[type[KnowledgeError], int, str], ...]] = (
    (StoreFullError, 503, "disk_full"),
    (StoreError, 503, "database_away"),
    (ModelError, 502, "model_failed"),
    (EmbedderError, 503, "embedder_failed"),
)
_BY_STATUS: Final = {404: "not_found", 405: "method_not_allowed", 413: "too_large", 400: "not_acceptable"}


class FieldProblem(BaseModel):
    """What is wrong with one field of a request."""

    where: str = Field(description="Place of the field, such as `body.question`.", examples=["body.question"])
    what: str = Field(description="What is wrong, in the client's language.", examples=["is required"])


class ErrorModel(BaseModel):
    """Every error answer."""

    code: str = Field(description="For programs; does not change with the language.", examples=["not_found"])
    message: str = Field(
        description="For people, in Japanese or English by Accept-Language.", examples=["There is no such thing."]
    )
    problems: list[FieldProblem] | None = Field(default=None, description="With `invalid` only.")
    document_status: str | None = Field(
        default=None, description="With `unreadable_document` only.", examples=["needs_ocr"]
    )
    request_id: str | None = Field(default=None, description="With `internal` only; stands in the service's log.")


class Problem(Exception):  # noqa: N818 - an answer of HTTP, named as RFC 9457 does
    """An error answer that is not put into a language yet.

    Args:
        status: Of HTTP.
        code: Of :data:`MESSAGES`.
        headers: To send with it.
        **values: What the sentence's placeholders stand for.
    """

    def __init__(self, status: int, code: str, headers: Mapping[str, str] | None = None, **values: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})
        self.values = values

    def model(self, language: Language) -> ErrorModel:
        """Return the answer's body."""
        values = dict(self.values)
        status = values.get("document_status")
        if isinstance(status, str):
            values["reason"] = sentence(STATUSES, status if status in STATUSES else "crashed", language)
        request_id = values.get("request_id")
        return ErrorModel(
            code=self.code,
            message=sentence(MESSAGES, self.code, language, **values),
            document_status=status if isinstance(status, str) else None,
            request_id=request_id if isinstance(request_id, str) else None,
        )

    def response(self, language: Language) -> Response:
        """Return the answer."""
        return as_response(self.status, self.model(language), language, self.headers)


class ModelProblem(Problem):
    """What the language model did, in the words of the part that asked it: they hold no secret."""

    def __init__(self, error: ModelCallError) -> None:
        super().__init__(504 if error.timed_out else 502, "model_slow" if error.timed_out else "model_failed")
        self._sentence = error.sentence

    def model(self, language: Language) -> ErrorModel:
        """Return the answer's body."""
        return ErrorModel(code=self.code, message=self._sentence.text(language))


def as_response(status: int, model: ErrorModel, language: Language, headers: Mapping[str, str]) -> Response:
    """Return an error answer."""
    headers = {**headers, "Content-Language": language, "Vary": "Accept-Language"}
    return JSONResponse(model.model_dump(exclude_none=True), status_code=status, headers=headers)


def not_found() -> Problem:
    """Return the answer to whatever is not there, or may not be seen: always the same."""
    return Problem(404, "not_found")


def problem_of(error: Exception) -> Problem:
    """Return what a client hears of an error. What it is about goes to the log, never to the client."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, DocumentError):
        return Problem(422, "unreadable_document", document_status=error.status)
    if isinstance(error, ModelCallError):
        _LOG.error("the language model failed: %s", error.code)
        return ModelProblem(error)
    for kind, status, code in _FAILURES:
        if isinstance(error, kind):
            _LOG.error("%s: %s", code, error)
            return Problem(status, code, _RETRY_SOON if status == 503 else None)  # noqa: PLR2004 - service unavailable
    request_id = secrets.token_hex(8)
    _LOG.error("request %s failed", request_id, exc_info=error)
    return Problem(500, "internal", request_id=request_id)


def _invalid(error: RequestValidationError, language: Language) -> ErrorModel:
    problems = []
    for one in error.errors()[:_LOCATIONS]:
        values = {name: value for name, value in (one.get("ctx") or {}).items() if isinstance(value, int | float)}
        what = _what(str(one["type"]), language, values)
        problems.append(FieldProblem(where=".".join(_place(part) for part in one["loc"]), what=what))
    return ErrorModel(code="invalid", message=sentence(MESSAGES, "invalid", language), problems=problems)


def _what(kind: str, language: Language, values: dict[str, Any]) -> str:
    try:
        return sentence(PROBLEMS, kind, language, **values)
    except KeyError:
        return sentence(PROBLEMS, "other", language)


def _place(part: object) -> str:
    """Return one step of a place; a name that the client invented is shortened and made plain."""
    text = str(part)[:_WORD]
    return text if text.isascii() and text.isprintable() else "?"


def install(app: FastAPI) -> None:
    """Answer every error of ``app`` in the one shape."""

    def handler(make: Callable[[Any, Language], Response]) -> Callable[[Request, Any], Response]:
        return lambda request, error: make(error, language_of(request.headers))

    def invalid(error: RequestValidationError, language: Language) -> Response:
        return as_response(422, _invalid(error, language), language, {})

    def http(error: HTTPException, language: Language) -> Response:
        code = _BY_STATUS.get(error.status_code, "not_acceptable")
        return Problem(error.status_code, code, error.headers, limit="").response(language)

    app.add_exception_handler(RequestValidationError, handler(invalid))
    app.add_exception_handler(HTTPException, handler(http))
    for kind in (Problem, KnowledgeError):
        app.add_exception_handler(kind, handler(lambda error, language: problem_of(error).response(language)))
