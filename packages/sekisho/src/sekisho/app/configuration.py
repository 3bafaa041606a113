"""``sekisho.toml``: found, read and checked before anything runs."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from sekisho.app.checking import Table
from sekisho.app.places import Places
from sekisho.app.reading import read_suite
from sekisho.app.settings import SuiteSettings
from sekisho.core.errors import ConfigurationError, Location

FILE_NAME = "sekisho.toml"
PROJECT_FILE = "pyproject.toml"
OWN_TABLE = ("tool", "sekisho")
_LARGEST = 1_000_000
"""Bytes; beyond a megabyte it is another file."""


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """All suites of a file, and the folder that its paths and imports start from."""

    suites: tuple[SuiteSettings, ...]
    root: Path
    path: Path | None = None


def find_configuration(start: Path) -> Path | None:
    """Return ``sekisho.toml``, or a ``pyproject.toml`` with a table ``tool.sekisho``, from ``start`` upward.

    Raises:
        ConfigurationError: One on the way is there and cannot be it: a broken link, no regular file, in the wrong
            case, or a ``pyproject.toml`` that cannot be read. To pass it over would run other suites, or none.
    """
    for folder in (start, *start.parents):
        own = folder / FILE_NAME
        if os.path.lexists(own):
            _check_regular(own)
            return own
        _refuse_wrong_case(folder)
        shared = folder / PROJECT_FILE
        if os.path.lexists(shared) and _own_part(_parse(_read(shared), shared), shared) is not None:
            return shared
    return None


def load_found(path: Path | None) -> Configuration:
    """Return the configuration in a file, or in the one that is found from the working directory upward.

    Raises:
        ConfigurationError: There is none, or as :func:`find_configuration` and :func:`load_configuration`.
    """
    if path is None:
        path = find_configuration(Path.cwd())
        if path is None:
            raise ConfigurationError("app.no_configuration", folder=str(Path.cwd()))
    return load_configuration(path)


def _refuse_wrong_case(folder: Path) -> None:
    try:
        names = os.listdir(folder)  # noqa: PTH208  names alone, of folders that may be large
    except OSError:
        return
    for name in names:
        if len(name) == len(FILE_NAME) and name.lower() == FILE_NAME:
            raise ConfigurationError("app.wrong_case", where=Location(str(folder / name)), found=name, wanted=FILE_NAME)


def load_configuration(path: Path) -> Configuration:
    """Return the checked configuration in a file.

    Raises:
        ConfigurationError: It cannot be read, or holds an unknown key or a value out of range; with file and line.
    """
    text = _read(path)
    data: object = _parse(text, path)
    in_project = path.name == PROJECT_FILE
    if in_project:
        data = _own_part(data, path) or {}
    table = Table(data, path=OWN_TABLE if in_project else (), places=Places(text, file=str(path)))
    suites = table.tables("suite")
    table.refuse_unknown()
    if not suites:
        raise ConfigurationError("app.no_suites", where=Location(str(path)))
    root = path.resolve().parent
    return Configuration(suites=tuple(read_suite(name, suite, root) for name, suite in suites), root=root, path=path)


def _read(path: Path) -> str:
    try:
        _check_regular(path)
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigurationError("app.no_such_file", path=str(path)) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError("app.not_utf8", where=Location(str(path))) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise ConfigurationError("app.unreadable", path=str(path), reason=_reason(error)) from error


def _check_regular(path: Path) -> None:
    """Raise where a path leads to no regular file: reading a pipe could wait for ever."""
    try:
        state = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        if isinstance(error, FileNotFoundError) and not path.is_symlink():
            raise
        raise ConfigurationError("app.unreadable", path=str(path), reason=_reason(error)) from error
    if not stat.S_ISREG(state.st_mode):
        raise ConfigurationError("app.not_a_file", path=str(path))
    if state.st_size > _LARGEST:
        raise ConfigurationError("app.too_large", path=str(path), size=state.st_size, most=_LARGEST)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _parse(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # a TOMLDecodeError, or a whole number of thousands of digits
        raise ConfigurationError("app.not_toml", where=Location(str(path)), reason=str(error)) from error
    except RecursionError as error:
        raise ConfigurationError("app.not_toml", where=Location(str(path)), reason="nested too deeply") from error


def _own_part(project: object, path: Path) -> object:
    """Return the table of this tool in a ``pyproject.toml``, or None.

    Raises:
        ConfigurationError: There is one in the wrong case instead.
    """
    for name in OWN_TABLE:
        if not isinstance(project, Mapping):
            return None
        if name not in project:
            for other in project:
                if other.lower() == name:
                    raise ConfigurationError("app.wrong_case", where=Location(str(path)), found=other, wanted=name)
        project = project.get(name)
    return project
