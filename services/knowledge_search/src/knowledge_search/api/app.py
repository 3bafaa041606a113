"""The HTTP application: routes behind the gate, and the page."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from anyio import to_thread
from fastapi import FastAPI
from fastapi.responses import FileResponse
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

from knowledge_search import __version__
from knowledge_search.api import errors
from knowledge_search.api.door import Door
from knowledge_search.api.gate import STATIC, Gate
from knowledge_search.api.headers import SecurityHeaders
from knowledge_search.api.limits import RateLimit
from knowledge_search.api.routes import ask, documents, health, search, upload

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from knowledge_search.bootstrap import Services

_FILES: Final = Path(__file__).parent / "static"
_SPARE_THREADS: Final = 8
"""Beyond those that requests can hold: for the health of the service and for keys to be checked."""
_DESCRIPTION: Final = """
Answers questions from a company's own documents, each asker within what their department may see.

* **Who asks** is known from `Authorization: Bearer …`: an API key (`knowledge-search keys create`) or a token of the
  company's sign-in. Departments come from there alone; a request can narrow them, never widen.
* **What one may not see does not exist**: the same 404, the same body.
* **Errors** have one shape, with a `code` for programs and a `message` in Japanese or English by `Accept-Language`.

社内文書に基づいて質問に答えます。見える範囲は API キーまたはトークンの部署で決まります。
リクエストで絞ることはできても、広げることはできません。
エラーの message は Accept-Language に応じて日本語または英語です。
"""


def create_app(services: Services) -> FastAPI:
    """Return the application over open services; it neither opens nor closes them.

    Args:
        services: Open.
    """
    settings = services.settings
    door = Door(services.keys, services.tokens, anonymous=settings.anonymous == "all")
    app = FastAPI(
        title="knowledge_search",
        summary="An internal knowledge search with departments and citations.",
        description=_DESCRIPTION,
        version=__version__,
        docs_url=None,  # both pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"auto_configure": False},  # a trace would hold the question of a search in its address
        lifespan=_lifespan,
        generate_unique_id_function=lambda route: route.name,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(
                Gate,
                door=door,
                rate=RateLimit(settings.requests_per_minute),
                max_concurrent=settings.max_concurrent,
                max_upload_bytes=settings.max_body_bytes,
            ),
        ],
    )
    app.state.services = services
    app.state.probe = health.Probe(services.database.check)
    errors.install(app)
    for module in (ask, search, documents, upload, health):
        app.include_router(module.router)
    app.get("/", include_in_schema=False)(_page)
    app.mount(STATIC, StaticFiles(directory=_FILES), name="static")
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Give as many threads as there can be requests, so that slow models cannot starve the rest."""
    services: Services = app.state.services
    limiter: Any = to_thread.current_default_thread_limiter()
    limiter.total_tokens = max(limiter.total_tokens, services.settings.max_concurrent + _SPARE_THREADS)
    yield


def _page() -> FileResponse:
    return FileResponse(_FILES / "index.html", media_type="text/html; charset=utf-8")
