"""A service whose database went away."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import httpx

from knowledge_search.domain import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    import pytest

    from knowledge_search.bootstrap import Services


def test_health_and_questions_say_so_soon(
    services: Services,
    serve_with: Callable[..., AbstractContextManager[str]],
    keys: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """503 within the health check's patience, in both languages, without a word about where the database is."""
    headers = {"Authorization": f"Bearer {keys['all']}", "Accept-Language": "ja"}

    def away(*_: object) -> None:
        time.sleep(6)
        raise StoreError("PostgreSQL at db.internal cannot be reached: password=hunter2")

    with serve_with() as url:
        assert httpx.get(f"{url}/health").status_code == 200
        time.sleep(1.1)
        monkeypatch.setattr(services.database, "check", away)
        monkeypatch.setattr(services.store, "documents", away)
    with serve_with() as url:
        started = time.monotonic()
        health = httpx.get(f"{url}/health", timeout=30)
        took_s = time.monotonic() - started
        listed = httpx.get(f"{url}/documents", headers=headers, timeout=30)

    assert health.status_code == listed.status_code == 503
    assert health.json()["code"] == listed.json()["code"] == "database_away"
    assert took_s < 5
    assert "データベース" in listed.json()["message"]
    assert "hunter2" not in health.text + listed.text
