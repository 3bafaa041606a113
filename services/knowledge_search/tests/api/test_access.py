"""Who sees what: every route of the schema against every kind of credential."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from knowledge_search.api.errors import Problem
from knowledge_search.api.routes import ask
from knowledge_search.api.routes.documents import document_page
from knowledge_search.bootstrap import make_strategy
from knowledge_search.domain import Scope

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from knowledge_search.bootstrap import Services

QUESTION = "食堂 賞与の係数 値引きの上限"
SECRETS = {"hr": ("ヒミツジンジ", "hr-himitsu", "2.7"), "sales": ("ヒミツエイギョウ", "sales-himitsu", "13パーセント")}
PUBLIC = {("get", "/health")}
UPLOAD = {"files": {"file": ("new.md", "# 新\n\n本文。".encode())}, "data": {"department": "sales"}}


def requests(ids: dict[str, int]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return, for each operation of the schema, requests that would show hidden documents if they could."""
    every = list(ids.values())
    return {
        ("post", "/ask"): [
            {"url": "/ask", "json": {"question": QUESTION, "k": 50}},
            {"url": "/ask", "json": {"question": QUESTION, "k": 50}, "headers": {"Accept": "text/event-stream"}},
            {"url": "/ask", "json": {"question": QUESTION, "departments": ["hr", "sales"], "k": 50}},
        ],
        ("get", "/search"): [
            {"url": "/search", "params": {"q": QUESTION, "k": 50}},
            {"url": "/search", "params": {"q": QUESTION, "k": 50, "departments": ["hr", "sales"]}},
        ],
        ("get", "/documents"): [{"url": "/documents"}, {"url": "/documents", "params": {"after": "a", "limit": 1}}],
        ("get", "/documents/{document_id}"): [{"url": f"/documents/{one}"} for one in every],
        ("get", "/documents/{document_id}/pages/{page}"): [{"url": f"/documents/{one}/pages/1"} for one in every],
        ("post", "/documents"): [{"url": "/documents", **UPLOAD}],
        ("delete", "/documents/{document_id}"): [{"url": f"/documents/{one}"} for one in every],
        ("get", "/health"): [{"url": "/health"}],
    }


def send(http: httpx.Client, method: str, request: dict[str, Any], authorization: str | None) -> httpx.Response:
    """Send one request with this header."""
    headers = {**request.get("headers", {}), **({} if authorization is None else {"Authorization": authorization})}
    return http.request(method, **{**request, "headers": headers})


def test_the_matrix_covers_the_schema(client: Callable[..., httpx.Client], ids: dict[str, int]) -> None:
    """A route that is added without a line in the matrix fails here."""
    schema = client().get("/openapi.json").json()
    operations = {(method, path) for path, methods in schema["paths"].items() for method in methods}

    assert operations == set(requests(ids))


def test_nobody_is_let_in_without_a_good_credential(
    address: str, ids: dict[str, int], refused: dict[str, str | None]
) -> None:
    """All routes but the health answer 401 with one body, whatever is wrong with the credential."""
    bodies = set()
    with httpx.Client(base_url=address, timeout=30, headers={"Accept-Language": "en"}) as http:
        for (method, path), tries in requests(ids).items():
            for name, authorization in refused.items():
                response = send(http, method, tries[0], authorization)
                expected = 200 if (method, path) in PUBLIC else 401
                assert response.status_code == expected, (method, path, name)
                if expected == 401:
                    assert response.headers["www-authenticate"].startswith("Bearer")
                    bodies.add(response.text)

    assert len(bodies) == 1


def test_two_authorization_headers_are_refused(address: str, keys: dict[str, str]) -> None:
    """A proxy may have read the other one."""
    headers = [("Authorization", f"Bearer {keys['all']}"), ("Authorization", f"Bearer {keys['hr']}")]

    assert httpx.get(f"{address}/documents", headers=headers).status_code == 401


def test_no_route_shows_what_a_reader_may_not_see(
    client: Callable[..., httpx.Client], keys: dict[str, str], ids: dict[str, int], token: Callable[..., str]
) -> None:
    """Readers of each kind over all reading routes: no word, name or number of a hidden document."""
    readers = {
        "all": (keys["all"], ()),
        "hr": (keys["hr"], ("hr",)),
        "sales": (keys["sales"], ("sales",)),
        "token of sales": (token(), ("sales",)),
        "token without groups": (token(groups=None), ()),
        "token with unknown groups": (token(groups=["group-x", "hr", "all"]), ()),
        "token with too many groups": (token(groups=None, _claim_names={"groups": "src1"}), ()),
        "token that says it has groups": (token(groups=["group-hr"], hasgroups=True), ()),
        "token whose groups are a text": (token(groups="group-hr"), ()),
    }
    for name, (credential, seen) in readers.items():
        with client(credential) as http:
            for (method, path), tries in requests(ids).items():
                if method == "delete" or (path == "/documents" and method == "post"):
                    assert http.request(method, **tries[0]).status_code == 403, (name, path)
                    continue
                for one in tries:
                    text = http.request(method, **one).text
                    for department, words in SECRETS.items():
                        if department not in seen:
                            leaked = [word for word in words if word in text]
                            assert not leaked, (name, method, one["url"])


def test_every_reader_sees_what_it_may(
    client: Callable[..., httpx.Client], keys: dict[str, str], token: Callable[..., str]
) -> None:
    """The other side of the matrix: nothing is hidden that may be seen."""
    for credential, sources in (
        (keys["all"], {"canteen.md", "hostile.md"}),
        (keys["hr"], {"canteen.md", "hostile.md", "hr-himitsu.md"}),
        (
            token(groups=["group-hr", "group-sales", "group-x"]),
            {"canteen.md", "hostile.md", "hr-himitsu.md", "sales-himitsu.md"},
        ),
    ):
        with client(credential) as http:
            listed = {one["source"] for one in http.get("/documents").json()["documents"]}
            found = {one["source"] for one in http.get("/search", params={"q": QUESTION, "k": 50}).json()["hits"]}
            answer = http.post("/ask", json={"question": QUESTION, "k": 50}).json()
            assert listed == found == {one["source"] for one in answer["contexts"]} == sources


@pytest.mark.parametrize("suffix", ["", "/pages/1", "/pages/2"])
@pytest.mark.parametrize("language", ["ja", "en"])
def test_hidden_and_missing_are_one(
    client: Callable[..., httpx.Client], keys: dict[str, str], ids: dict[str, int], suffix: str, language: str
) -> None:
    """Status, body and headers of a hidden document are those of one that never was, for reading and deleting."""
    http = client(keys["write-sales"], language=language)
    for method in ("GET", "DELETE") if not suffix else ("GET",):
        hidden = http.request(method, f"/documents/{ids['hr-himitsu.md']}{suffix}")
        missing = http.request(method, f"/documents/{ids['hr-himitsu.md'] + 1}{suffix}")
        assert hidden.status_code == missing.status_code == 404
        assert hidden.content == missing.content
        assert {**hidden.headers, "date": ""} == {**missing.headers, "date": ""}


def test_hidden_and_missing_cost_the_same_work(services: Services, ids: dict[str, int], keys: dict[str, str]) -> None:
    """A hidden document is looked up as often as a missing one, and no passage of it is read."""
    calls: list[str] = []

    class Spy:
        def __getattr__(self, name: str) -> object:
            calls.append(name)
            return getattr(services.store, name)

    spied = replace(services, store=Spy())  # type: ignore[arg-type]
    asker = services.keys.principal(keys["sales"])
    seen = []
    for number in (ids["hr-himitsu.md"], ids["hr-himitsu.md"] + 1):
        calls.clear()
        with pytest.raises(Problem):
            document_page(spied, asker, number, 1)
        seen.append(list(calls))

    assert seen[0] == seen[1] == ["document"]


def test_the_body_narrows_and_never_widens(client: Callable[..., httpx.Client], keys: dict[str, str]) -> None:
    """Departments of the request are cut down to the key's own; an empty list leaves 'all'."""
    http = client(keys["sales"])

    def found(departments: list[str]) -> set[str]:
        body = {"question": QUESTION, "departments": departments, "k": 50}
        return {one["source"] for one in http.post("/ask", json=body).json()["contexts"]}

    assert found(["hr"]) == found([]) == {"canteen.md", "hostile.md"}
    assert found(["hr", "sales"]) == {"canteen.md", "hostile.md", "sales-himitsu.md"}


def test_the_leak_test_would_notice_a_body_that_widens(
    client: Callable[..., httpx.Client], keys: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the narrowing taken out, the same request leaks: so the test above guards it."""
    monkeypatch.setattr(ask, "scope_of", lambda principal, wished: Scope.of(*wished or principal.scope.departments))
    text = client(keys["sales"]).post("/ask", json={"question": QUESTION, "departments": ["hr"], "k": 50}).text

    assert "ヒミツジンジ" in text


def test_a_revoked_key_is_worthless_at_once(services: Services, client: Callable[..., httpx.Client]) -> None:
    """Nothing of a key is cached."""
    key = services.keys.create(name="short", scope=Scope.of("hr"))
    http = client(key.text)
    before = http.get("/documents").status_code
    services.table.revoke(key.id)

    assert (before, http.get("/documents").status_code) == (200, 401)


def test_a_document_that_moves_to_another_department_is_gone_at_once(
    services: Services, client: Callable[..., httpx.Client], keys: dict[str, str]
) -> None:
    """A citation kept by a reader opens nothing once the document is another department's."""
    made = services.ingest.upload("moves.md", "# 移る\n\n移動する文書。".encode(), department="sales")
    http = client(keys["sales"])
    before = http.get(f"/documents/{made.document_id}/pages/1").status_code
    services.ingest.upload("moves.md", "# 移る\n\n移動する文書。".encode(), department="hr")
    after = http.get(f"/documents/{made.document_id}/pages/1").status_code
    services.store.remove("moves.md")

    assert (before, after) == (200, 404)


def test_askers_in_turn_get_their_own_answers(client: Callable[..., httpx.Client], keys: dict[str, str]) -> None:
    """The same question by two askers, each after the other: no answer is kept for somebody else."""
    body = {"question": QUESTION, "k": 50}
    hr, everyone = client(keys["hr"]), client(keys["all"])
    first = everyone.post("/ask", json=body)
    hr.post("/ask", json=body)
    second = everyone.post("/ask", json=body)

    assert first.content == second.content
    assert first.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("strategy", ["exact", "lexical", "fusion"])
def test_hidden_documents_do_not_interfere(
    services: Services, keys: dict[str, str], serve_with: Callable[..., AbstractContextManager[str]], strategy: str
) -> None:
    """Answers, hits and lists are byte-equal before and after everything hidden was deleted."""
    chosen = make_strategy(
        services.settings.model_copy(update={"strategy": strategy}), services.database, services.embedder,
        services.tokenizer,
    )  # fmt: skip
    services.ingest.upload("more.md", "# 係数\n\n賞与の係数と食堂の係数。".encode(), department="hr")
    headers = {"Authorization": f"Bearer {keys['all']}"}
    with serve_with(strategy=chosen) as url, httpx.Client(base_url=url, headers=headers, timeout=30) as http:

        def everything() -> list[bytes]:
            return [
                http.post("/ask", json={"question": QUESTION, "k": 50}).content,
                http.get("/search", params={"q": QUESTION, "k": 50}).content,
                http.get("/documents").content,
            ]

        before = everything()
        services.store.remove("more.md")
        services.store.remove("hr-himitsu.md")
        after = everything()
        services.ingest.upload("hr-himitsu.md", DOCUMENT.encode(), department="hr")

    assert before == after


DOCUMENT = "# ヒミツジンジの表\n\nヒミツジンジ: 賞与の係数は2.7です。食堂の補助も含みます。\n"
