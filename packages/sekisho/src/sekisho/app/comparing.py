"""Several targets measured on one corpus, without a gate."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sekisho.app.configuration import find_configuration
from sekisho.app.facts import run_facts
from sekisho.app.inputs import load_tools
from sekisho.app.prepared import Progress, Selection
from sekisho.app.settings import CollectionFiles, RetrievalSuite
from sekisho.app.suites import prepare_suite, run_suites
from sekisho.core.errors import ConfigurationError
from sekisho.core.text import did_you_mean
from sekisho.gate import RunResult, exit_code, overall

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST = 2
_LINE_ENDS = tuple("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def compare_targets(
    targets: Sequence[str],
    *,
    corpus: str = "seed",
    queries: str | None = None,
    qrels: str | None = None,
    k: int = 10,
    root: Path,
    on_progress: Progress | None = None,
) -> RunResult:
    """Return the measurements of all targets, the first of which is the one that the others are compared with.

    Args:
        targets: Each the name of a reference retriever, or ``module:factory``; either may be followed by options of
            the factory, as in ``two_stage?candidates=20&rerank=false``.
        corpus: A preset, or the corpus file of a collection, which then needs ``queries`` and ``qrels``.
        queries: The queries of a collection.
        qrels: The judgments of a collection.
        k: Cut-off.
        root: Where imports start from.
        on_progress: Called with (target, cases done, cases in all).

    Raises:
        SekishoError: Fewer than two targets, one of them twice, or anything that is wrong before the first one runs.
    """
    if len(targets) < _LEAST:
        raise ConfigurationError("app.compare_two")
    data = _data(corpus, queries, qrels)
    suites = [compared_suite(target, data, k) for target in targets]
    if len({_identity(suite) for suite in suites}) < len(suites):
        raise ConfigurationError("app.compare_twice")
    if not isinstance(data, CollectionFiles):
        load_tools()
    prepared = [prepare_suite(suite, root=root, selection=Selection()) for suite in suites]
    facts = run_facts(root)
    results = tuple(run_suites(prepared, on_progress=on_progress))
    verdict = overall([result.verdict for result in results])
    return RunResult(verdict=verdict, exit_code=exit_code(verdict), suites=results, not_run=(), facts=facts)


def import_root(start: Path) -> Path:
    """Return the folder that imports start from: that of the configuration, as for ``check``, or ``start`` itself."""
    configuration = find_configuration(start)
    return configuration.parent if configuration else start


def _data(corpus: str, queries: str | None, qrels: str | None) -> str | CollectionFiles:
    if queries is None and qrels is None:
        return corpus
    if queries is None or qrels is None:
        raise ConfigurationError("app.collection_incomplete", key="queries" if qrels else "qrels")
    return CollectionFiles(corpus=Path(corpus), queries=Path(queries), qrels=Path(qrels))


def compared_suite(target: str, data: str | CollectionFiles, k: int) -> RetrievalSuite:
    """Return a suite without a gate that measures one target, which may be followed by options of its factory.

    Raises:
        ConfigurationError: There is no such reference retriever, or an option is given twice.
    """
    reference, _, words = target.partition("?")
    if ":" not in reference:
        reference = _own_retriever(reference)
    options: dict[str, Any] = {}
    for word in filter(None, words.split("&")):
        name, _, value = word.partition("=")
        if name in options:
            raise ConfigurationError("app.compare_option_twice", target=target, option=name)
        if len(value.splitlines()) > 1 or value.endswith(_LINE_ENDS):
            raise ConfigurationError("app.compare_line_break", target=target, option=name)
        options[name] = _value(value)
    return RetrievalSuite(name=target, target=reference, target_options=options, corpus=data, k=k, min_recall=None)


def _identity(suite: RetrievalSuite) -> tuple[str, tuple[str, ...]]:
    """Return what makes two targets the same, however they are written."""
    return suite.target, tuple(sorted(f"{name}={value!r}" for name, value in suite.target_options.items()))


def _own_retriever(name: str) -> str:
    from sekisho.retrievers import RETRIEVERS  # noqa: PLC0415  only for the names of reference retrievers

    if name not in RETRIEVERS:
        meant = did_you_mean(name, RETRIEVERS)
        code = "app.no_such_retriever_meant" if meant else "app.no_such_retriever"
        raise ConfigurationError(code, name=name, meant=meant, known=", ".join(RETRIEVERS))
    return f"sekisho.retrievers:{name}"


def _value(text: str) -> object:
    """Return the value of an option as TOML reads it; what is no TOML value is text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, KeyError, RecursionError):
        return text
