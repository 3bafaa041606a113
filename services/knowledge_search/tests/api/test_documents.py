"""Documents put in, read and taken out; the audit log; headers; the schema."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from knowledge_search.domain import Scope

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from knowledge_search.bootstrap import Services


def put(http: httpx.Client, name: str, text: str, department: str = "sales") -> httpx.Response:
    """Upload a document."""
    return http.post("/documents", files={"file": (name, text.encode())}, data={"department": department})


def test_a_document_is_found_until_it_is_taken_out(client: Callable[..., httpx.Client], keys: dict[str, str]) -> None:
    """In, unchanged, newer, read, out."""
    http = client(keys["write-sales"])
    first = put(http, "kaki.md", "# 柿\n\n柿の出荷は10月に始まります。")
    again = put(http, "kaki.md", "# 柿\n\n柿の出荷は10月に始まります。")
    newer = put(http, "kaki.md", "# 柿\n\n柿の出荷は9月に始まります。")
    number = first.json()["document"]["id"]
    page = http.get(f"/documents/{number}/pages/1").json()
    answer = http.post("/ask", json={"question": "柿の出荷はいつ？"}).json()
    gone = http.delete(f"/documents/{number}")

    assert [(one.status_code, one.json()["status"]) for one in (first, again, newer)] == [
        (201, "ingested"), (200, "unchanged"), (201, "ingested"),
    ]  # fmt: skip
    assert "".join(one["text"] for one in page["passages"]).strip() == "柿の出荷は9月に始まります。"
    assert answer["sources"][0] == "sales:kaki.md"
    assert gone.status_code == 204
    assert http.get(f"/documents/{number}").status_code == 404


def test_an_upload_neither_replaces_nor_reveals_a_hidden_document(
    client: Callable[..., httpx.Client], services: Services, keys: dict[str, str], ids: dict[str, int]
) -> None:
    """The name of a hidden document is answered as a free one is, and the hidden document stays as it was."""
    http = client(keys["write-sales"])
    before = services.store.chunks(ids["hr-himitsu.md"], Scope.of("hr"))
    taken = put(http, "hr-himitsu.md", "# 題\n\n本文。")
    free = put(http, "nobody-has.md", "# 題\n\n本文。")
    for one in (taken, free):
        http.delete(f"/documents/{one.json()['document']['id']}")

    assert taken.status_code == free.status_code == 201
    assert taken.json()["document"]["source"] == "sales:hr-himitsu.md"
    assert free.json()["document"]["source"] == "sales:nobody-has.md"
    assert services.store.chunks(ids["hr-himitsu.md"], Scope.of("hr")) == before


def test_a_visible_document_of_the_name_is_replaced(
    client: Callable[..., httpx.Client], services: Services, keys: dict[str, str]
) -> None:
    """What a folder's ingest brought can be renewed under its own name."""
    services.ingest.upload("plum.md", "# 梅\n\n古い。".encode(), department="sales")
    response = put(client(keys["write-sales"]), "plum.md", "# 梅\n\n新しい。")
    services.store.remove("plum.md")

    assert response.json()["document"]["source"] == "plum.md"


@pytest.mark.parametrize(
    ("key", "department", "refusal"),
    [
        ("write-sales", "hr", (403, "not_your_department")),
        ("write-sales", "nowhere", (403, "not_your_department")),
        ("sales", "sales", (403, "may_not_write")),
        ("write-sales", "Sales!", (422, "invalid")),
    ],
)
def test_one_writes_into_ones_own_departments_only(
    client: Callable[..., httpx.Client], keys: dict[str, str], key: str, department: str, refusal: tuple[int, str]
) -> None:
    """Neither a reader nor a writer of another department puts anything in."""
    response = put(client(keys[key]), "x.md", "# 題\n\n本文。", department)

    assert (response.status_code, response.json()["code"]) == refusal


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("x.exe", b"MZ\x00\x01", "unsupported"),
        ("x.pdf", b"%PDF-1.7\nbroken", "malformed"),
        ("x.md", b"---\ndepartment: hr\n---\n# a\n\ntext", "no_department"),
        ("x.md", b"", "empty"),
        ("..", b"# a\n\ntext", "unsupported"),
    ],
)
def test_what_cannot_be_read_is_named(
    client: Callable[..., httpx.Client], keys: dict[str, str], name: str, content: bytes, status: str
) -> None:
    """422 with the status as a word and a sentence; nothing is stored."""
    http = client(keys["write-sales"], language="ja")
    response = http.post("/documents", files={"file": (name, content)}, data={"department": "sales"})

    assert (response.status_code, response.json()["code"]) == (422, "unreadable_document")
    assert response.json()["document_status"] == status
    assert not [one for one in http.get("/documents").json()["documents"] if one["source"].startswith("sales:")]


def test_a_list_goes_on(client: Callable[..., httpx.Client], keys: dict[str, str]) -> None:
    """Page by page the same documents as at once."""
    http = client(keys["hr"])
    whole = http.get("/documents").json()["documents"]
    told: list[dict[str, Any]] = []
    after: str | None = None
    while True:
        one = http.get("/documents", params={"limit": 2} | ({"after": after} if after else {})).json()
        told += one["documents"]
        after = one["next"]
        if after is None:
            break

    assert told == whole


def test_what_was_done_stands_in_the_audit_log(
    client: Callable[..., httpx.Client], services: Services, keys: dict[str, str], ids: dict[str, int]
) -> None:
    """Who, with what departments, what, and the documents that were used."""
    http = client(keys["hr"])
    http.post("/ask", json={"question": "賞与の係数は？", "departments": ["hr"], "k": 1})
    http.get(f"/documents/{ids['hr-himitsu.md']}/pages/1")
    read, ask = services.audit.entries(limit=2)
    name = f"key:{keys['hr'].partition('.')[0]}"

    assert (ask.principal, ask.departments, ask.action, ask.question, ask.found) == (
        name, ("all", "hr"), "ask", "賞与の係数は？", True,
    )  # fmt: skip
    assert ask.document_ids == (ids["hr-himitsu.md"],)
    assert (read.action, read.document_ids) == ("read", (ids["hr-himitsu.md"],))
    assert keys["hr"].partition(".")[2] not in repr(services.audit.entries(limit=50))


def test_every_answer_has_its_headers(client: Callable[..., httpx.Client], keys: dict[str, str]) -> None:
    """Also errors; no cross-origin access, no name of the server."""
    for path in ("/", "/static/app.js", "/health", "/documents", "/nothing", "/openapi.json"):
        for http in (client(keys["all"]), client()):
            headers = http.get(path, headers={"Origin": "http://elsewhere.example"}).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "unsafe" not in headers["content-security-policy"]
            assert not [name for name in headers if name.startswith("access-control") or name == "server"]


def test_the_docs_that_load_scripts_from_elsewhere_are_off(
    client: Callable[..., httpx.Client], keys: dict[str, str]
) -> None:
    """The schema is served, its pages are not."""
    http = client(keys["all"])

    assert [http.get(path).status_code for path in ("/docs", "/redoc", "/openapi.json")] == [404, 404, 200]


def test_nothing_but_the_page_lies_open(client: Callable[..., httpx.Client]) -> None:
    """Paths that climb out of the page's folder, and addresses that nearly are public, are closed."""
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"):
        assert client().get(path).status_code in {401, 404}
    for path in ("/documents/", "/health/", "/HEALTH", "/openapi.json/", "/static"):
        assert client().get(path).status_code == 401


def test_the_schema_is_complete(client: Callable[..., httpx.Client]) -> None:
    """Each operation has a summary, each closed one its errors with examples in both languages."""
    schema = client().get("/openapi.json").json()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            if path == "/health":
                continue
            assert operation["security"] == [{"bearer": []}]
            assert {"401", "422", "429", "500", "503"} <= set(operation["responses"])
            for status, response in operation["responses"].items():
                if status >= "4":
                    shown = response["content"]["application/json"]
                    assert shown["schema"] == {"$ref": "#/components/schemas/ErrorModel"}, (path, status)
                    assert set(shown["examples"]) == {"en", "ja"}
    assert "HTTPValidationError" not in json.dumps(schema)
    assert not re.search(r"https?://", json.dumps(schema))


def test_health_tells_nothing_of_the_documents(client: Callable[..., httpx.Client]) -> None:
    """Whether the service works, and what the page has to say; no counts, no names, no addresses."""
    told = client().get("/health").json()

    assert told == {
        "status": "ok", "version": told["version"], "model": "extractive", "model_configured": False,
        "embedder": "hashing", "evaluation_grade": True, "strategy": "exact", "anonymous": False, "max_question": 2000,
    }  # fmt: skip


def test_strangers_see_the_documents_of_all_where_the_settings_allow_it(
    serve_with: Callable[..., AbstractContextManager[str]],
) -> None:
    """A bad key is refused even then, and strangers never write."""
    with serve_with(anonymous="all") as url:
        listed = httpx.get(f"{url}/documents").json()["documents"]
        bad = httpx.get(f"{url}/documents", headers={"Authorization": "Bearer ksr_0000000000000000.x"})
        write = httpx.delete(f"{url}/documents/{listed[0]['id']}")

    assert {one["department"] for one in listed} == {"all"}
    assert (bad.status_code, write.status_code) == (401, 403)
