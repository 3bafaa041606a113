"""``sekisho.toml``: found, read and checked before anything runs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sekisho.app.checking import Table
from sekisho.core.errors import ConfigurationError, Location
from sekisho.gate import DEFAULT_MIN_RECALL

FILE_NAME = "sekisho.toml"
KINDS = ("retrieval",)
STRUCTURE_KINDS = ("unknown", "duplicate", "empty", "short")
DEFAULT_PRESET = "seed"


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


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """All suites of a file, and the folder that its paths and imports start from."""

    suites: tuple[SuiteConfiguration, ...]
    root: Path
    path: Path | None = None


def find_configuration(start: Path) -> Path | None:
    """Return ``sekisho.toml``, or a ``pyproject.toml`` with a table ``tool.sekisho``, from ``start`` upward."""
    for folder in (start, *start.parents):
        own = folder / FILE_NAME
        if own.is_file():
            return own
        shared = folder / "pyproject.toml"
        if shared.is_file() and "sekisho" in _read(shared).get("tool", {}):
            return shared
    return None


def load_configuration(path: Path) -> Configuration:
    """Return the checked configuration in a file.

    Raises:
        ConfigurationError: It cannot be read, or holds an unknown key or a value out of range; with file and line.
    """
    data = _read(path)
    in_pyproject = path.name == "pyproject.toml"
    if in_pyproject:
        data = data.get("tool", {}).get("sekisho", {})
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    table = Table(data, path=("tool", "sekisho") if in_pyproject else (), file=str(path), lines=lines)
    suites = table.tables("suite")
    table.refuse_unknown()
    if not suites:
        raise ConfigurationError("app.no_suites", where=Location(str(path)))
    root = path.resolve().parent
    return Configuration(suites=tuple(_suite(name, suite, root) for name, suite in suites), root=root, path=path)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigurationError("app.no_such_file", path=str(path)) from error
    except OSError as error:
        raise ConfigurationError("app.unreadable", path=str(path), reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError("app.not_utf8", where=Location(str(path))) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError("app.not_toml", where=Location(str(path)), reason=str(error)) from error


def _suite(name: str, table: Table, root: Path) -> SuiteConfiguration:
    kind = table.choice("kind", KINDS, default="retrieval")
    target = table.text("target")
    if target is None:
        raise table.error("app.no_target", name=name)
    suite = SuiteConfiguration(
        name=name,
        kind=kind,
        target=target,
        target_options=table.mapping("target_options"),
        corpus=_corpus(table, root),
        k=table.whole("k", default=10, least=1),
        min_recall=_gate(table),
        relevance_threshold=table.number("relevance_threshold", default=1.0, least=0.0, above=True),
        timeout_s=table.number("timeout_s", default=None, least=0.0, above=True),
        concurrency=table.whole("concurrency", default=1, least=1),
        tolerate=frozenset(table.texts("tolerate", choices=STRUCTURE_KINDS)),
        strict_structure=table.choice("structure", ("warn", "strict"), default="warn") == "strict",
        tags=frozenset(table.texts("tags")),
        manual=table.flag("manual"),
        redact=table.flag("redact"),
        allow_missing=table.flag("allow_missing"),
    )
    table.refuse_unknown()
    return suite


def _gate(table: Table) -> float | None:
    if table.value("gate") == "none":
        table.text("gate")
        return None
    gate = table.table("gate")
    if gate is None:
        return DEFAULT_MIN_RECALL
    least = gate.number("min_recall", default=DEFAULT_MIN_RECALL, least=0.0, most=1.0)
    gate.refuse_unknown()
    return least


def _corpus(table: Table, root: Path) -> str | Mapping[str, Any] | CollectionFiles:
    value = table.value("corpus")
    files: Sequence[str | None] = (table.text("queries"), table.text("qrels"))
    if isinstance(value, Mapping) and files == (None, None):
        return table.mapping("corpus")
    corpus = table.text("corpus")
    if files == (None, None):
        if corpus is not None and Path(corpus).suffix:
            raise table.error("app.collection_incomplete", key="corpus")
        return corpus or DEFAULT_PRESET
    if corpus is None or None in files:
        raise table.error("app.collection_incomplete", key="qrels" if files[1] else "queries")
    return CollectionFiles(corpus=root / corpus, queries=root / str(files[0]), qrels=root / str(files[1]))
