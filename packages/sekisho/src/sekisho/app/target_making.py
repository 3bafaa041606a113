"""From ``target`` in the configuration to a call that makes the target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.adapters import targets
from sekisho.app.prepared import placed
from sekisho.core.errors import ConfigurationError
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from sekisho.app.settings import SuiteSettings

_KINDS = ("url", "command")


class TargetMaker(NamedTuple):
    """How a target is made, and what a report calls it."""

    name: str
    make: Callable[[], Any]


def target_name(suite: SuiteSettings) -> str:
    """Return what a list of suites calls a target, without making it."""
    if isinstance(suite.target, str):
        return suite.target
    place = str(suite.target.get("url", "")).partition("?")[0]  # a query may hold a key
    command = suite.target.get("command")
    return place or (" ".join(map(str, command)) if isinstance(command, list) else "-")


def target_maker(suite: SuiteSettings, *, root: Path, offered: Mapping[str, object]) -> TargetMaker:
    """Return how the target of a suite is made; nothing of it runs yet but the import of its module.

    Args:
        suite: The suite.
        root: Where imports start from.
        offered: What a factory may ask for by name.

    Raises:
        SekishoError: The target cannot be imported, or a key or option of it is wrong.
    """
    if isinstance(suite.target, Mapping):
        with placed(suite, "target"):
            return _described(suite, suite.target, root)
    with placed(suite, "target"):
        factory = targets.load_factory(suite.target, root=root)
    with placed(suite, "target_options"):
        make = targets.bind_factory(factory, reference=suite.target, offered=offered, options=suite.target_options)
    return TargetMaker(suite.target, make)


def _described(suite: SuiteSettings, table: Mapping[str, Any], root: Path) -> TargetMaker:
    """Return the maker of an HTTP endpoint or a command, which a table describes."""
    if suite.target_options:
        raise ConfigurationError("app.options_of_table", key="target_options", where=suite.places.get("target_options"))
    if "url" in table:
        from sekisho.adapters.http_target import http_settings, http_target  # noqa: PLC0415  imports httpx

        http = http_settings(table)
        return TargetMaker(http.answer.place, lambda: http_target(http))
    if "command" in table:
        from sekisho.adapters.command_target import command_settings, command_target  # noqa: PLC0415  few suites need it

        command = command_settings(table, root=root)
        return TargetMaker(" ".join(command.command), lambda: command_target(command))
    meant = next((near for key in table if (near := did_you_mean(key, _KINDS))), None)
    raise ConfigurationError("app.target_table_meant" if meant else "app.target_table", meant=meant)
