"""A scripted embeddings server and the small measured set for the tests of this folder."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


def _local_server() -> ModuleType:
    name = "knowledge_search_local_server"
    if name not in sys.modules:
        path = Path(__file__).parents[1] / "llm" / "local_server.py"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.fixture(scope="session")
def local() -> ModuleType:
    """Give the module with ``Reply``."""
    return _local_server()


@pytest.fixture
def model_server(local: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Give a server that answers as scripted; no proxy of this machine stands between."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with local.running_server() as server:
        yield server


@pytest.fixture(scope="session")
def threshold_set() -> dict[str, object]:
    """Give the set by which the thresholds were chosen."""
    read: dict[str, object] = json.loads(Path(__file__).with_name("threshold_set.json").read_text(encoding="utf-8"))
    return read
