"""What ``sekisho.toml`` says about each suite, checked: one record for each kind of suite."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from sekisho.core.answers import EVERYONE
from sekisho.core.errors import Location
from sekisho.gate import DEFAULT_MIN_RECALL

DEFAULT_PRESET = "seed"


class CollectionFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The three files of a real test collection."""

    corpus: Path
    queries: Path
    qrels: Path


class RetrievalSuite(msgspec.Struct, frozen=True, kw_only=True):
    """One suite, checked. Defaults are those of a suite that names only its target.

    Attributes:
        target: ``module:factory``.
        target_options: Passed to the factory.
        corpus: A preset's name, a table with ``preset`` and other parameters, or the files of a collection.
        min_recall: The gate; None where it is switched off.
        max_drop: The largest drop against the baseline of recall@k, nDCG@k and overlap@k each; None judges none.
        non_inferiority: Whether room for a larger drop fails, too.
        manual: Runs only when named.
        redact: No text of queries or documents in any report.
        allow_missing: Whether judgments may name documents that the collection does not hold.
        places: Where in the file the keys stand that can turn out wrong only later.
    """

    name: str
    target: str
    target_options: Mapping[str, Any] = {}
    corpus: str | Mapping[str, Any] | CollectionFiles = DEFAULT_PRESET
    k: int = 10
    min_recall: float | None = DEFAULT_MIN_RECALL
    max_drop: float | None = None
    non_inferiority: bool = False
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
    kind: Literal["retrieval"] = "retrieval"


class AnswersSuite(msgspec.Struct, frozen=True, kw_only=True):
    """One suite of answer cases; what it shares with a retrieval suite means the same.

    Attributes:
        target: ``module:factory``, or a table that describes an HTTP endpoint or a command.
        cases: The case file.
        gate: False where the suite only reports.
        exact: Whether texts are compared without folding.
        strict: Whether a known issue that passes fails the gate.
        max_known: The most known issues that may stand.
        everyone: The department that every asker has.
    """

    name: str
    target: str | Mapping[str, Any]
    cases: Path
    target_options: Mapping[str, Any] = {}
    gate: bool = True
    exact: bool = False
    strict: bool = False
    max_known: int | None = None
    everyone: str = EVERYONE
    timeout_s: float | None = None
    concurrency: int = 1
    tags: frozenset[str] = frozenset()
    manual: bool = False
    redact: bool = False
    places: Mapping[str, Location] = {}
    kind: Literal["answers"] = "answers"


class AccessSuite(msgspec.Struct, frozen=True, kw_only=True):
    """One permission matrix; what it shares with the other kinds means the same. It has no gate to set.

    Attributes:
        cases: A case file whose questions probe, too.
        principals: Combinations of departments beside each department alone and nobody.
        k: How many results a search may bring.
    """

    name: str
    target: str | Mapping[str, Any]
    target_options: Mapping[str, Any] = {}
    cases: Path | None = None
    principals: tuple[tuple[str, ...], ...] = ()
    k: int = 10
    everyone: str = EVERYONE
    timeout_s: float | None = None
    concurrency: int = 1
    tags: frozenset[str] = frozenset()
    manual: bool = False
    redact: bool = False
    places: Mapping[str, Location] = {}
    kind: Literal["access"] = "access"


SuiteSettings: TypeAlias = RetrievalSuite | AnswersSuite | AccessSuite
