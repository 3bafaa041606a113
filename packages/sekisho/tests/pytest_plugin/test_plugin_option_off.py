"""``-p no:sekisho`` and runs that ask for nothing: what the plugin costs and changes then."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Project

NOTHING_LOADED = """
import sys

def test_nothing_is_loaded():
    loaded = sorted(name for name in sys.modules if name.partition(".")[0] in {"sekisho", "numpy", "msgspec", "click"})
    assert loaded == ["sekisho", "sekisho.pytest_plugin"]
"""


def test_a_plain_run_imports_the_plugin_and_nothing_else(project: Project) -> None:
    """Neither numpy nor the rest of the package."""
    project.write("test_own.py", NOTHING_LOADED)

    run = project.pytest("test_own.py")

    assert run.last == "1 passed"


def test_installing_the_package_is_enough(good: Project) -> None:
    """Pytest finds the plugin by its entry point."""
    run = good.pytest("--sekisho", PYTEST_DISABLE_PLUGIN_AUTOLOAD="")

    assert run.last == "2 passed"


def test_the_plugin_can_be_switched_off(project: Project, plain_test: Callable[[str], None]) -> None:
    """By the name of its entry point; its option is unknown then."""
    plain_test("test_own.py")

    run = project.pytest("-p", "no:sekisho", "test_own.py", PYTEST_DISABLE_PLUGIN_AUTOLOAD="")
    refused = project.pytest("-p", "no:sekisho", "--sekisho", PYTEST_DISABLE_PLUGIN_AUTOLOAD="")

    assert run.last == "1 passed"
    assert refused.code == 4
    assert project.log() == []


def test_assertions_need_not_be_rewritten(good: Project) -> None:
    """Nothing depends on it."""
    run = good.pytest("sekisho.toml", "--assert=plain")

    assert run.last == "2 passed"
