"""Tags of cases and suites as markers of an item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.pytest_plugin.naming import can_be_marker

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest


def mark(item: pytest.Item, tags: Iterable[str]) -> None:
    """Make tags selectable: with ``-k`` every one, with ``-m`` those that an expression can name.

    A tag named like a marker that takes arguments, such as ``skip`` or ``parametrize``, does not become one: a tag
    selects, and must not change how a case runs.
    """
    tags = sorted(set(tags))
    item.extra_keyword_matches.update(tags)
    item.add_marker("sekisho")
    for tag in tags:
        if can_be_marker(tag) and tag not in _with_arguments(item.config):
            if tag not in _registered(item.config):
                item.config.addinivalue_line("markers", f"{tag}: a tag of sekisho.toml or of its cases.")
            item.add_marker(tag)


def _registered(config: pytest.Config) -> set[str]:
    return {line.partition(":")[0].partition("(")[0].strip() for line in config.getini("markers")}


def _with_arguments(config: pytest.Config) -> set[str]:
    lines = [line.partition(":")[0] for line in config.getini("markers")]
    return {line.partition("(")[0].strip() for line in lines if "(" in line}
