"""``sekisho.toml``: found, read and checked before anything runs."""

from __future__ import annotations

import os
import stat
import sys
import tomllib
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from sekisho import ranking
from sekisho.app.checking import Table, shown
from sekisho.app.places import Places
from sekisho.core.errors import ConfigurationError, Location
from sekisho.gate import DEFAULT_MIN_RECALL

FILE_NAME = "sekisho.toml"
PROJECT_FILE = "pyproject.toml"
OWN_TABLE = ("tool", "sekisho")
KINDS = ("retrieval",)
STRUCTURE_KINDS = ("unknown", "duplicate", "empty", "short")
DEFAULT_PRESET = "seed"
MOST_RESULTS = 1_000_000
MOST_AT_ONCE = 1_000
LONGEST_TIMEOUT_S = 86_400.0
_LARGEST = 1_000_000
"""Beyond these a value is a slip of the hand: a million results, a thousand calls at once, a day, a megabyte."""


_BLANK_SIGNS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that leave their place empty: fillers of Hangul, and Braille without a dot."""


class CollectionFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The three files of a real test collection."""

    corpus: Path
    queries: Path
    qrels: Path


class SuiteConfiguration(msgspec.Struct, frozen=True, kw_only=True):
    """One suite, checked. Defaults are those of a suite that names only its target.

    Attributes:
        target: ``module:factory``.
        target_options: Passed to the factory.
        corpus: A preset's name, a table with ``preset`` and other parameters, or the files of a collection.
        min_recall: The gate; None where it is switched off.
        manual: Runs only when named.
        redact: No text of queries or documents in any report.
        allow_missing: Whether judgments may name documents that the collection does not hold.
        places: Where in the file the keys stand that can turn out wrong only later.
    """

    name: str
    target: str
    kind: str = "retrieval"
    target_options: Mapping[str, Any] = {}
    corpus: str | Mapping[str, Any] | CollectionFiles = DEFAULT_PRESET
    k: int = 10
    min_recall: float | None = DEFAULT_MIN_RECALL
    relevance_threshold: float = 1
    timeout_s: float | None = None
    concurrency: int = 1
    tolerate: frozenset[str] = frozenset()
    strict_structure: bool = False
    tags: frozenset[str] = frozenset()
    manual: bool = False
    redact: bool = False
    allow_missing: bool = False
    places: Mapping[str, Location] = {}


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """All suites of a file, and the folder that its paths and imports start from."""

    suites: tuple[SuiteConfiguration, ...]
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
    return Configuration(suites=tuple(_suite(name, suite, root) for name, suite in suites), root=root, path=path)


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


def _suite(name: str, table: Table, root: Path) -> SuiteConfiguration:
    if not any(_is_visible(char) for char in name):
        raise table.error("app.no_name", key="target")
    kind = table.choice("kind", KINDS, default="retrieval")
    target = table.text("target")
    if target is None:
        raise table.error("app.no_target", key="target", name=name)
    suite = SuiteConfiguration(
        name=name,
        kind=kind,
        target=target,
        target_options=table.mapping("target_options"),
        corpus=_corpus(table, root),
        k=table.whole("k", default=10, least=1, most=MOST_RESULTS),
        min_recall=_gate(table),
        relevance_threshold=table.number(
            "relevance_threshold", default=1.0, least=0.0, most=sys.float_info.max, above=True
        ),
        timeout_s=table.number("timeout_s", default=None, least=0.0, most=LONGEST_TIMEOUT_S, above=True),
        concurrency=table.whole("concurrency", default=1, least=1, most=MOST_AT_ONCE),
        tolerate=frozenset(table.texts("tolerate", choices=STRUCTURE_KINDS)),
        strict_structure=table.choice("structure", ("warn", "strict"), default="warn") == "strict",
        tags=frozenset(table.texts("tags")),
        manual=table.flag("manual"),
        redact=table.flag("redact"),
        allow_missing=table.flag("allow_missing"),
        places={key: table.place(key) for key in ("target", "target_options", "corpus")},
    )
    table.refuse_unknown()
    return suite


def _is_visible(char: str) -> bool:
    """Tell whether a character shows: a letter, a number, a sign; no space, mark or filler."""
    return unicodedata.category(char)[0] in "LNPS" and char not in _BLANK_SIGNS


def _gate(table: Table) -> float | None:
    written = table.value("gate")
    if isinstance(written, (int, float)) and not isinstance(written, bool):
        example = written if 0 <= written <= 1 else DEFAULT_MIN_RECALL
        raise table.error("app.gate_form", key="gate", example=f"{example:g}", value=shown(written))
    if isinstance(written, str):
        table.choice("gate", ("none",), default="none")
        return None
    gate = table.table("gate")
    if gate is None:
        return DEFAULT_MIN_RECALL
    least = gate.number("min_recall", default=DEFAULT_MIN_RECALL, least=0.0, most=1.0)
    gate.refuse_unknown()
    if ranking.gate_holds(0.0, least):
        raise gate.error("app.gate_nothing", key="min_recall")
    return least


def _corpus(table: Table, root: Path) -> str | Mapping[str, Any] | CollectionFiles:
    queries, qrels = table.text("queries"), table.text("qrels")
    if isinstance(table.value("corpus"), Mapping):
        if queries or qrels:
            raise table.error("app.collection_incomplete", key="corpus")
        return table.mapping("corpus")
    corpus = table.text("corpus")
    if queries is None and qrels is None:
        if corpus is not None and Path(corpus).suffix:
            raise table.error("app.collection_incomplete", key="corpus")
        return corpus or DEFAULT_PRESET
    if corpus is None or queries is None or qrels is None:
        known = {"corpus": corpus, "queries": queries, "qrels": qrels}
        raise table.error("app.collection_incomplete", key=next(key for key, file in known.items() if file is None))
    return CollectionFiles(corpus=root / corpus, queries=root / queries, qrels=root / qrels)
