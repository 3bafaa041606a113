"""Many at once: askers, uploads of one file, uploads of two versions of it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import httpx
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import ThreadPoolExecutor

    from knowledge_search.bootstrap import Services

    from .conftest import Kit


@pytest.fixture(scope="module")
def address(kit: Kit, services: Services) -> Iterator[str]:
    """Give the address of the service."""
    with kit.serving(replace(services, settings=services.settings.model_copy(update={"max_concurrent": 64}))) as url:
        yield url


@pytest.fixture
def http(address: str, key: str) -> Iterator[httpx.Client]:
    """Give a client that writes."""
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=60) as client:
        yield client


def test_fifty_askers_while_documents_are_replaced(kit: Kit, address: str, http: httpx.Client, key: str) -> None:
    """Not one error, and every answer shows one whole version."""
    assert kit.put(http, 0) in {200, 201}
    with kit.askers(address, key, number=50) as askers:
        until = time.monotonic() + 5
        versions = 0
        while time.monotonic() < until:
            versions += 1
            assert kit.put(http, versions) == 201

    assert not askers.broken
    assert set(askers.statuses) == {200}
    assert askers.statuses[200] >= 100
    assert versions >= 3
    assert len(askers.versions) >= 2
    assert kit.seen(http) == versions


def test_one_file_sent_by_many_at_once(
    kit: Kit, address: str, http: httpx.Client, key: str, pool: ThreadPoolExecutor
) -> None:
    """One document, whole; everyone hears that it is there."""
    with kit.askers(address, key) as askers:
        kit.put(http, 40)
        sent = [pool.submit(kit.put, http, 41) for _ in range(8)]
        statuses = {one.result(60) for one in sent}

    assert statuses <= {200, 201}
    assert 201 in statuses
    assert not askers.broken
    assert kit.seen(http) == 41
    assert [one["source"] for one in http.get("/documents").json()["documents"]] == [f"all:{kit.name}"]


def test_versions_sent_at_once(kit: Kit, address: str, http: httpx.Client, key: str, pool: ThreadPoolExecutor) -> None:
    """Each is acknowledged, each reader sees one of them whole, and in the end one of them is there."""
    kit.put(http, 50)
    with kit.askers(address, key) as askers:
        sent = [pool.submit(kit.put, http, 51 + at % 3) for at in range(12)]
        statuses = {one.result(60) for one in sent}

    assert statuses <= {200, 201}
    assert not askers.broken
    assert kit.seen(http) in {51, 52, 53}
