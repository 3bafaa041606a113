"""The page in headless Chromium, against a real service with the sample documents."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import sync_playwright

from knowledge_search.bootstrap import OpenServices
from knowledge_search.domain import Scope
from knowledge_search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from knowledge_search.bootstrap import Services

_PLACE = Path(__file__).parent.parent / "api" / "conftest.py"
_SPEC = importlib.util.spec_from_file_location("knowledge_search_api_fixtures", _PLACE)
assert _SPEC is not None
assert _SPEC.loader is not None
_API = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = _API
_SPEC.loader.exec_module(_API)
serving = _API.serving
serve_with = _API.serve_with

SAMPLES = Path(__file__).parents[4] / "samples"
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
"""Chromium as root on a machine without a screen and without a way out."""
HOSTILE = """\
# 印鑑 <img src=x onerror="document.title='owned'">

<script>document.title='owned'</script> 印鑑の申請は <b>総務</b> の窓口です。
[2](javascript:document.title='owned') {{7*7}}

| 項目 | 値 |
| --- | --- |
| <img src=x onerror="document.title='owned'"> | "><svg onload="document.title='owned'"> |
"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give the browser; without one, CI fails and other machines leave these tests out."""
    if not CHROMIUM.exists():
        if os.environ.get("CI"):
            pytest.fail("install Debian's chromium")
        pytest.skip("these tests need Debian's chromium")
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def services(module_database_url: str) -> Iterator[Services]:
    """Give services with the sample documents and a hostile one."""
    settings = Settings(database_url=module_database_url, requests_per_minute=1_000_000, max_distance=2.0)
    with OpenServices(settings) as opened:
        for path in sorted(SAMPLES.glob("*.*")):
            opened.ingest.file(path)
        opened.ingest.file(SAMPLES / "business-trip.pdf", department="all")
        opened.ingest.upload("hostile.md", HOSTILE.encode(), department="all")
        yield opened


@pytest.fixture(scope="module")
def key(services: Services) -> str:
    """Give a key of an ordinary reader."""
    return services.keys.create(name="reader", scope=Scope.of()).text


@pytest.fixture(scope="module")
def address(services: Services) -> Iterator[str]:
    """Give the address of the running service."""
    with serving(services) as url:
        yield url


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Give a maker of visits; in the end, nothing may have gone wrong in any, nor left this machine."""
    contexts = []
    wrong: list[str] = []

    def make(
        *,
        key: str | None = None,
        locale: str = "ja-JP",
        size: tuple[int, int] = (1280, 900),
        dark: bool = False,
        url: str | None = None,
    ) -> Page:
        options: dict[str, Any] = {"viewport": {"width": size[0], "height": size[1]}, "locale": locale}
        context = browser.new_context(**options, color_scheme="dark" if dark else "light")
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if "Content Security" in said.text else None)
        page.on("request", lambda sent: None if sent.url.startswith(url or address) else wrong.append(sent.url))
        if key:
            page.add_init_script(f"sessionStorage.setItem('knowledge-search-key', '{key}')")
        page.goto(url or address)
        page.wait_for_selector("#notices p")
        return page

    yield make
    for context in contexts:
        context.close()
    assert not wrong
