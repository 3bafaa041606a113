"""Reading the table of one suite: every key checked, what is unknown refused."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sekisho import ranking
from sekisho.app.checking import shown
from sekisho.app.settings import DEFAULT_PRESET, AccessSuite, AnswersSuite, CollectionFiles, RetrievalSuite
from sekisho.core.answers import EVERYONE
from sekisho.gate import DEFAULT_MIN_RECALL

if TYPE_CHECKING:
    from sekisho.app.checking import Table
    from sekisho.app.settings import SuiteSettings

KINDS = ("retrieval", "answers", "access")
STRUCTURE_KINDS = ("unknown", "duplicate", "empty", "short")
MOST_RESULTS = 1_000_000
MOST_AT_ONCE = 1_000
MOST_KNOWN = 1_000_000
LONGEST_TIMEOUT_S = 86_400.0
"""Beyond these a value is a slip of the hand: a million results, a thousand calls at once, a million issues, a day."""
_BLANK_SIGNS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that leave their place empty: fillers of Hangul, and Braille without a dot."""


def read_suite(name: str, table: Table, root: Path) -> SuiteSettings:
    """Return the settings of one suite.

    Raises:
        ConfigurationError: A key is missing, unknown or out of range, with its place.
    """
    if not any(_is_visible(char) for char in name):
        raise table.error("app.no_name", key="target")
    if table.has("cases") and not table.has("kind"):
        raise table.misspelt("kind") or table.error("app.no_kind", key="cases", name=name)
    kind = table.choice("kind", KINDS, default="retrieval")
    suite: SuiteSettings
    if kind == "answers":
        suite = _answers(name, table, root)
    elif kind == "access":
        suite = _access(name, table, root)
    else:
        suite = _retrieval(name, table, root)
    table.refuse_unknown()
    return suite


def _answers(name: str, table: Table, root: Path) -> AnswersSuite:
    cases = table.text("cases")
    if cases is None:
        table.lacks("app.no_case_file", key="cases", name=name)
    known = table.whole("max_known", default=-1, least=0, most=MOST_KNOWN)
    return AnswersSuite(
        name=name,
        cases=root / (cases or ""),
        gate=not _gate_is_off(table),
        exact=table.choice("match", ("folded", "exact"), default="folded") == "exact",
        strict=table.choice("known_issues", ("report", "strict"), default="report") == "strict",
        max_known=None if known < 0 else known,
        places={key: table.place(key) for key in ("target", "target_options", "cases")},
        **_common(name, table),
    )


def _access(name: str, table: Table, root: Path) -> AccessSuite:
    if table.has("gate"):
        raise table.error("app.no_gate_on_leaks", key="gate")
    cases = table.text("cases")
    return AccessSuite(
        name=name,
        cases=None if cases is None else root / cases,
        principals=_principals(table),
        k=table.whole("k", default=10, least=1, most=MOST_RESULTS),
        places={key: table.place(key) for key in ("target", "target_options", "cases", "principals")},
        **_common(name, table),
    )


def _common(name: str, table: Table) -> dict[str, Any]:
    """Return what suites of answer cases and permission matrices share."""
    target: str | Mapping[str, Any] | None
    target = table.mapping("target") if isinstance(table.value("target"), Mapping) else table.text("target")
    if not target:
        table.lacks("app.no_target", key="target", name=name)
    return {
        "target": target or "",
        "target_options": table.mapping("target_options"),
        "everyone": table.text("everyone") or EVERYONE,
        "timeout_s": table.number("timeout_s", default=None, least=0.0, most=LONGEST_TIMEOUT_S, above=True),
        "concurrency": table.whole("concurrency", default=1, least=1, most=MOST_AT_ONCE),
        "tags": frozenset(table.texts("tags")),
        "manual": table.flag("manual"),
        "redact": table.flag("redact"),
    }


def _gate_is_off(table: Table) -> bool:
    """Tell whether a suite of answer cases only reports; it has no threshold that a gate could set."""
    if table.value("gate") is None:
        return False
    if not isinstance(table.value("gate"), str):
        raise table.error("app.answers_gate_form", key="gate", value=shown(table.value("gate")))
    table.choice("gate", ("none",), default="none")
    return True


def _principals(table: Table) -> tuple[tuple[str, ...], ...]:
    written = table.value("principals")
    if written is None:
        return ()
    principals = []
    for departments in written if isinstance(written, list) else [None]:
        if not isinstance(departments, list) or not all(isinstance(each, str) and each for each in departments):
            raise table.error("app.principals_form", key="principals", value=shown(written))
        principals.append(tuple(sorted(set(departments))))
    return tuple(principals)


def _retrieval(name: str, table: Table, root: Path) -> RetrievalSuite:
    target = table.text("target")
    if target is None:
        table.lacks("app.no_target", key="target", name=name)
    return RetrievalSuite(
        name=name,
        target=target or "",
        target_options=table.mapping("target_options"),
        corpus=_corpus(table, root),
        k=table.whole("k", default=10, least=1, most=MOST_RESULTS),
        **_gate(table),
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
        places={key: table.place(key) for key in ("target", "target_options", "corpus", "gate")},
    )


def _is_visible(char: str) -> bool:
    """Tell whether a character shows: a letter, a number, a sign; no space, mark or filler."""
    return unicodedata.category(char)[0] in "LNPS" and char not in _BLANK_SIGNS


def _gate(table: Table) -> dict[str, Any]:
    """Return the rules of the gate; with ``none`` there is none."""
    written = table.value("gate")
    if isinstance(written, (int, float)) and not isinstance(written, bool):
        example = written if 0 <= written <= 1 else DEFAULT_MIN_RECALL
        raise table.error("app.gate_form", key="gate", example=f"{example:g}", value=shown(written))
    if isinstance(written, str):
        table.choice("gate", ("none",), default="none")
        return {"min_recall": None}
    gate = table.table("gate")
    if gate is None:
        return {"min_recall": DEFAULT_MIN_RECALL}
    least = gate.number("min_recall", default=DEFAULT_MIN_RECALL, least=0.0, most=1.0)
    max_drop = gate.number("max_drop", default=None, least=0.0, most=1.0)
    strict = gate.flag("non_inferiority")
    gate.refuse_unknown()
    if ranking.gate_holds(0.0, least):
        raise gate.error("app.gate_nothing", key="min_recall")
    if max_drop is not None and ranking.gate_holds(max_drop, 1.0):
        raise gate.error("app.drop_nothing", key="max_drop")
    if strict and max_drop is None:
        raise gate.error("app.drop_needed", key="non_inferiority")
    return {"min_recall": least, "max_drop": max_drop, "non_inferiority": strict}


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
