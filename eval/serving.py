"""The knowledge search as a target over HTTP: the real application on a real socket, a key for each kind of asker."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx
import uvicorn

from eval.knowledge import Knowledge, text_of
from knowledge_search.api import create_app
from knowledge_search.domain import Scope
from sekisho import Answer, Context, Document

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from knowledge_search.bootstrap import Services

_START_S = 20.0
_ANSWER_S = 30.0


@dataclass(frozen=True)
class KnowledgeOverHttp:
    """Asks a running service as its users do; what it sees of documents is what it is sent.

    Attributes:
        knowledge: The service's own side: keys are made there, and documents removed.
        http: Has the address of the service.
        keys: Departments to the key of someone who has them, made when first needed.
    """

    knowledge: Knowledge
    http: httpx.Client
    keys: dict[Scope, str] = field(default_factory=dict)

    def answer(self, question: str, departments: Sequence[str]) -> Answer:
        """Return the answer for someone with a key of these departments."""
        got = self._sent("POST", "/ask", departments, json={"question": question})
        contexts = tuple(Context(document_id=str(one["document_id"]), text=one["text"]) for one in got["contexts"])
        return Answer(text=got["text"], sources=tuple(got["sources"]), found=got["found"], contexts=contexts)

    def search(self, question: str, departments: Sequence[str], k: int) -> list[str]:
        """Return the documents of the ``k`` nearest passages, each once, best first."""
        hits = self._sent("GET", "/search", departments, params={"q": question, "k": k})["hits"]
        return list(dict.fromkeys(str(hit["document_id"]) for hit in hits))

    def documents(self) -> list[Document]:
        """Return every document, as someone with a key of all departments reads them."""
        found: list[Document] = []
        after: dict[str, str] = {}
        while True:
            listed = self._sent("GET", "/documents", (), everything=True, params=after)
            found += map(self._document, listed["documents"])
            if listed["next"] is None:
                return found
            after = {"after": listed["next"]}

    @contextmanager
    def without(self, document_ids: Collection[str]) -> Iterator[KnowledgeOverHttp]:
        """Give the same service while these documents are gone."""
        with self.knowledge.without(document_ids):
            yield self

    def _document(self, record: dict[str, Any]) -> Document:
        pages = [
            self._sent("GET", f"/documents/{record['id']}/pages/{page}", (), everything=True)
            for page in range(1, (record["pages"] or 1) + 1)
        ]
        passages = [(tuple(one["title_path"]), one["text"]) for page in pages for one in page["passages"]]
        return Document(
            id=str(record["id"]),
            name=record["source"],
            title=record["title"],
            departments=(record["department"],),
            text=text_of(passages),
            pages=record["pages"],
        )

    def _sent(
        self,
        method: str,
        path: str,
        departments: Sequence[str],
        *,
        everything: bool = False,
        **request: Any,  # noqa: ANN401  httpx's own options
    ) -> Any:  # noqa: ANN401  a parsed body
        scope = Scope.of(*(self.knowledge.departments if everything else departments))
        if scope not in self.keys:
            name = "+".join(scope.sorted)
            self.keys[scope] = self.knowledge.services.keys.create(name=name, scope=scope).text
        headers = {"Authorization": f"Bearer {self.keys[scope]}", "Accept-Language": "ja"}
        return self.http.request(method, path, headers=headers, **request).raise_for_status().json()


@contextmanager
def over_http(knowledge: Knowledge) -> Iterator[KnowledgeOverHttp]:
    """Give the target behind a socket, served as ``knowledge-search serve`` does."""
    with (
        _serving(knowledge.services) as address,
        httpx.Client(base_url=address, timeout=_ANSWER_S, trust_env=False) as http,
    ):
        yield KnowledgeOverHttp(knowledge, http)


@contextmanager
def _serving(services: Services) -> Iterator[str]:
    """Give the address of the application, which ends with the block.

    Raises:
        RuntimeError: It does not start.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        app = create_app(services)
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False, server_header=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        until = time.monotonic() + _START_S
        while not server.started and thread.is_alive() and time.monotonic() < until:
            time.sleep(0.01)
        try:
            if not server.started:
                message = "the application of the knowledge search did not start"
                raise RuntimeError(message)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(timeout=_START_S)
