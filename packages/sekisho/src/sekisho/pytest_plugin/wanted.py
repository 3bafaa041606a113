"""Which configuration files and which of their suites a test run asks for."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sekisho.app.configuration import FILE_NAME, OWN_TABLE, PROJECT_FILE
from sekisho.pytest_plugin.naming import node_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.app.configuration import Configuration
    from sekisho.app.settings import SuiteSettings


class Wanted(NamedTuple):
    """What is asked for.

    Attributes:
        names: Suites that the option names, in any file; all but manual ones where it names none.
        by_file: Configuration files among the arguments, each with the suites that its arguments name.
    """

    names: tuple[str, ...]
    by_file: dict[Path, frozenset[str]]

    def takes(self, suite: SuiteSettings, file: Path) -> bool:
        """Tell whether a suite of a file is collected."""
        if node_name(suite.name) in self.by_file.get(file, ()):
            return True
        return suite.name in self.names if self.names else not suite.manual

    def suites(self, configuration: Configuration, file: Path) -> tuple[SuiteSettings, ...]:
        """Return the suites of a file that are collected, in its order."""
        return tuple(suite for suite in configuration.suites if self.takes(suite, file))


def named_files(arguments: Sequence[str], folder: Path) -> dict[Path, frozenset[str]]:
    """Return the configuration files among the arguments of a test run, each with the suites that they name."""
    found: dict[Path, frozenset[str]] = {}
    for argument in arguments:
        name, *parts = argument.split("::")
        path = Path(os.path.abspath(folder / name))  # noqa: PTH100  pytest does not follow links either
        if is_configuration(path):
            found[path] = found.get(path, frozenset()).union(parts[:1])
    return found


def is_configuration(path: Path) -> bool:
    """Tell whether a file that is an argument is a configuration: ``sekisho*.toml``, or a project file with a table."""
    name = path.name.lower()
    if name.startswith(Path(FILE_NAME).stem) and name.endswith(".toml"):
        return path.exists()
    return path.name == PROJECT_FILE and _has_own_table(path)


def _has_own_table(path: Path) -> bool:
    try:
        value: object = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False  # pytest says what is wrong with it
    for key in OWN_TABLE:
        value = value.get(key) if isinstance(value, dict) else None
    return value is not None


def split_names(written: Sequence[str], known: Sequence[str]) -> Iterator[str]:
    """Yield the suites that the option names; a comma separates, unless a suite's name holds it."""
    for value in written:
        if value in known:
            yield value
        else:
            yield from filter(None, map(str.strip, value.split(",")))
