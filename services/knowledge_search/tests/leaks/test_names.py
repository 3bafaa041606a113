"""L3 and L7 through names: ``source`` is unique over all departments, and nobody can learn or use that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from knowledge_search.domain import Scope
from knowledge_search.ingest import ingest

if TYPE_CHECKING:
    import httpx

    from knowledge_search.bootstrap import Services

    from .conftest import Kit


def put(http: httpx.Client, name: str) -> httpx.Response:
    """Upload a document for ``sales``."""
    return http.post("/documents", files={"file": (name, "# 題\n\n本文。".encode())}, data={"department": "sales"})


@pytest.mark.parametrize("kept", [True, False], ids=["as it is", "without kept names"])
def test_l3_no_name_of_a_hidden_document_is_told_by_an_upload(
    kept: bool, own_services: Services, kit: Kit, monkeypatch: pytest.MonkeyPatch  # noqa: FBT001 - a parameter
) -> None:  # fmt: skip
    """Whatever hr's files are called, uploads of sales end alike; without the kept names, a 409 tells of one."""
    if not kept:
        monkeypatch.setattr(ingest, "_check_prefix", lambda *_: None)
    reports = [own_services.ingest.upload(name, "秘密。".encode(), department="hr") for name in ("x.md", "sales:y.md")]
    with kit.reader(own_services, "sales", may_write=True) as http:
        statuses = [put(http, name).status_code for name in ("x.md", "y.md", "free.md")]

    assert [report.status for report in reports] == ["ingested", "unsupported" if kept else "ingested"]
    assert (statuses == [201, 201, 201]) == kept


@pytest.mark.parametrize("source", ["sales:a.md", "all:a.md"])
def test_names_are_kept_for_their_department(source: str, own_services: Services) -> None:
    """Its own files may have them; a colon after anything else means nothing."""
    own = source.partition(":")[0]
    taken = own_services.ingest.upload(source, b"text", department=own).status
    plain = own_services.ingest.upload("Minutes: a.md", b"text", department="hr").status
    refused = own_services.ingest.upload(source, b"text", department="hr")

    assert (taken, plain, refused.status) == ("ingested", "ingested", "unsupported")
    assert own in refused.detail


@pytest.mark.parametrize("checked", [True, False], ids=["as it is", "without the department"])
def test_l7_a_document_that_moves_away_meanwhile_is_not_removed(
    checked: bool, own_services: Services, kit: Kit  # noqa: FBT001 - a parameter
) -> None:  # fmt: skip
    """It became hr's after the look and before the deletion: it stays; unchecked, sales deletes what it cannot see."""
    services = own_services
    made = services.ingest.upload("moves.md", "移動。".encode(), department="sales")

    class Moving:
        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of the store
            return getattr(services.store, name)

        def remove(self, source: str, **options: Any) -> bool:  # noqa: ANN401 - of the store
            services.ingest.upload("moves.md", "移動。".encode(), department="hr")
            return services.store.remove(source, **(options if checked else {}))

    wired = replace(services, store=Moving())  # type: ignore[arg-type] - the store, but for one method
    with kit.reader(wired, "sales", may_write=True) as http:
        status = http.delete(f"/documents/{made.document_id}").status_code
    left = [record.source for record in services.store.documents(Scope.of("hr"))]

    assert (status, left) == ((404, ["moves.md"]) if checked else (204, []))
