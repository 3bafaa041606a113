"""The sample system as a target of each kind."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sekisho.adapters.command_target import command_settings, command_target
from sekisho.adapters.http_target import http_settings, http_target
from sekisho.testing import AnswerSamples

from . import system_under_test as system
from .http_server import SETTINGS, Request, Response, serving, whole_system

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES = AnswerSamples(**system.SAMPLES)
SCRIPT = Path(system.__file__)


class InPython:
    """The system, called as it is."""

    def answer(self, question: str, departments: tuple[str, ...]) -> dict[str, Any]:
        """Return its answer."""
        return system.answer(question, list(departments))

    def search(self, question: str, departments: tuple[str, ...], k: int) -> list[str]:
        """Return its ids."""
        return system.search(question, list(departments), k)

    def documents(self) -> list[dict[str, Any]]:
        """Return its documents."""
        return system.documents()


class InPythonAsync(InPython):
    """The same with an async method."""

    async def answer(self, question: str, departments: tuple[str, ...]) -> dict[str, Any]:  # type: ignore[override]  # on purpose
        """Return its answer."""
        return system.answer(question, list(departments))


@contextmanager
def over_http() -> Iterator[object]:
    """Give the system behind a server of its own."""
    with serving(whole_system) as url:
        table = {
            "url": f"{url}/answer",
            **SETTINGS,
            "search_url": f"{url}/search",
            "search": "hits[].id",
            "documents_url": f"{url}/documents",
            "documents": "items",
        }
        with http_target(http_settings(table)) as target:
            yield target


@contextmanager
def by_principals() -> Iterator[object]:
    """Give the system behind a server that tells who asks by a header alone."""

    def respond(request: Request) -> Response:
        if request.path == "/documents":
            return whole_system(request)
        return whole_system(request._replace(json={**request.json, "departments": request.headers["X-Groups"].split()}))

    with serving(respond) as url:
        table = {
            "url": f"{url}/answer",
            **SETTINGS,
            "principals": {"nobody": {"X-Groups": "all"}, "board": {"X-Groups": "all board"}},
            "search_url": f"{url}/search",
            "search": "hits[].id",
            "documents_url": f"{url}/documents",
            "documents": "items",
        }
        with http_target(http_settings(table)) as target:
            yield target


def as_command() -> Any:  # noqa: ANN401  a context manager
    """Return the system as a command."""
    table = {"command": [sys.executable, str(SCRIPT)], "methods": ["answer", "search", "documents"]}
    return command_target(command_settings(table, root=SCRIPT.parent))
