"""The beginning of a test run that asks for suites: the file is found, names are checked, the rest registered."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from sekisho.app.configuration import find_configuration, load_configuration
from sekisho.core.errors import SekishoError
from sekisho.core.messages import message
from sekisho.core.text import did_you_mean
from sekisho.pytest_plugin.language import language_of
from sekisho.pytest_plugin.naming import node_name
from sekisho.pytest_plugin.session import SekishoSession
from sekisho.pytest_plugin.wanted import Wanted, named_files, split_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sekisho.core.messages import Language

PLUGIN_NAME = "sekisho-session"


def activate(config: pytest.Config) -> None:
    """Add the configuration to the arguments where the option asks for it, and register the hooks that run it.

    Raises:
        pytest.UsageError: There is no configuration, no suite of that name, or no such language.
    """
    language = language_of(config)
    written: Sequence[str] | None = config.getoption("sekisho")
    folder = config.invocation_params.dir
    files = named_files(config.args, folder)
    if written is not None and not files:
        path = _found(config, language)
        _add_argument(config, path)
        files = {path: frozenset()}
    if not files:
        return
    names = _checked_names([value for value in written or () if value], files, folder, language)
    plugin = SekishoSession(config, wanted=Wanted(names, files), language=language)
    config.pluginmanager.register(plugin, PLUGIN_NAME)


def _found(config: pytest.Config, language: Language) -> Path:
    folder = config.invocation_params.dir
    try:
        path = find_configuration(folder) or find_configuration(config.rootpath)
    except SekishoError as error:
        raise pytest.UsageError(error.render(language)) from None
    if path is None:
        raise pytest.UsageError(message("app.no_configuration", language, folder=str(folder)))
    return path


def _add_argument(config: pytest.Config, path: Path) -> None:
    """Add a file to the arguments; it takes the place of those that nobody wrote, such as ``testpaths``."""
    try:
        argument = os.path.relpath(path, config.invocation_params.dir)
    except ValueError:  # another drive
        argument = str(path)
    written = config.args_source is pytest.Config.ArgsSource.ARGS
    config.args = [*config.args, argument] if written else [argument]


def _checked_names(
    written: Sequence[str], files: Mapping[Path, frozenset[str]], folder: Path, language: Language
) -> tuple[str, ...]:
    """Return the suites that the option names; a file that cannot be read says so where it is collected.

    Raises:
        pytest.UsageError: No file has a suite of that name, or not the one that an argument names.
    """
    if not written and not any(files.values()):
        return ()
    known: dict[Path, list[str]] = {}
    for file in files:
        with suppress(SekishoError):
            known[file] = [suite.name for suite in load_configuration(file).suites]
    for file, suites in known.items():
        ids = list(map(node_name, suites))
        for id_ in sorted(files[file].difference(ids)):
            raise pytest.UsageError(_unknown(id_, ids, folder, language))
    everywhere = [name for suites in known.values() for name in suites]
    names = tuple(dict.fromkeys(split_names(written, everywhere)))
    for name in names:
        if name not in everywhere and len(known) == len(files):
            raise pytest.UsageError(_unknown(name, everywhere, folder, language))
    return names


def _unknown(name: str, known: Sequence[str], folder: Path, language: Language) -> str:
    with suppress(OSError, ValueError):  # a name that no file can have
        if (folder / name.partition("::")[0]).exists():
            return message("plugin.path_for_suite", language, name=name, known=", ".join(known))
    meant = did_you_mean(name, known)
    code = "app.unknown_suite_meant" if meant else "app.unknown_suite"
    return message(code, language, name=name, meant=meant, known=", ".join(known))
