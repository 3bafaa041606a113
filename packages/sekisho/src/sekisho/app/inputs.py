"""What a suite is measured on: a preset, a synthetic corpus of its own, or the files of a collection."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.app.checking import shown
from sekisho.app.configuration import CollectionFiles
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import Note, note
from sekisho.core.records import EvalCase
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from sekisho.app.configuration import SuiteConfiguration
    from sekisho.corpora import SyntheticCorpus


class SuiteInputs(msgspec.Struct, frozen=True, kw_only=True):
    """A corpus with its cases.

    Attributes:
        corpus: What the target's factory gets.
        cases: With exact neighbours at depth k where the corpus can tell them.
        documents: Every id that a result may hold.
        facts: ``name``, ``kind``, ``documents``, ``queries``, ``parameters``: for reports.
        fingerprints: Name to SHA-256.
        warnings: What the reader should know.
    """

    corpus: Any
    cases: tuple[EvalCase, ...]
    documents: frozenset[str]
    facts: Mapping[str, Any]
    fingerprints: Mapping[str, str]
    warnings: tuple[Note, ...] = ()


def load_inputs(suite: SuiteConfiguration) -> SuiteInputs:
    """Return what a suite is measured on.

    Raises:
        SekishoError: An unknown preset or parameter, or files that do not hold a collection.
    """
    if isinstance(suite.corpus, CollectionFiles):
        return _collection(suite, suite.corpus)
    if isinstance(suite.corpus, str):
        return _synthetic(suite, suite.corpus, {})
    table = dict(suite.corpus)
    preset = table.pop("preset", None)
    if preset is not None and not isinstance(preset, str):
        raise ConfigurationError("app.not_text", key="corpus.preset", value=shown(preset))
    return _synthetic(suite, preset, table)


def _synthetic(suite: SuiteConfiguration, preset: str | None, parameters: Mapping[str, Any]) -> SuiteInputs:
    if preset is not None and (unknown := set(parameters) - {"seed"}):
        raise ConfigurationError("app.preset_parameter", preset=preset, names=", ".join(sorted(unknown)))
    corpus, warnings_ = _make(preset, parameters)
    cases = corpus.cases_for(suite.k)
    return SuiteInputs(
        corpus=corpus,
        cases=cases,
        documents=frozenset(corpus.chunks.ids),
        facts={
            "name": preset or "synthetic",
            "kind": "vectors" if preset == "real-vectors" else "synthetic",
            "documents": len(corpus.chunks),
            "queries": len(cases),
            "parameters": dict(corpus.parameters),
        },
        fingerprints={"corpus": corpus.fingerprint},
        warnings=warnings_,
    )


def _make(preset: str | None, parameters: Mapping[str, Any]) -> tuple[SyntheticCorpus, tuple[Note, ...]]:
    """Return a corpus with the warnings that its making gave."""
    from sekisho.corpora import SeedWarning, generate_synthetic_corpus, load_preset  # noqa: PLC0415  not for collections

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SeedWarning)
        if preset is not None:
            corpus = load_preset(preset, **parameters)
        else:
            _check_parameters(parameters, generate_synthetic_corpus)
            corpus = generate_synthetic_corpus(**parameters)
    seeds = [each.message for each in caught if isinstance(each.message, SeedWarning)]
    return corpus, tuple(note("corpora.seed_wraps", seed=seed.seed, used=seed.used) for seed in seeds[:1])


def _check_parameters(parameters: Mapping[str, Any], function: Any) -> None:  # noqa: ANN401  any function
    import inspect  # noqa: PLC0415  only for a corpus with parameters of its own

    known = inspect.signature(function).parameters
    for name in parameters:
        if name not in known:
            meant = did_you_mean(name, known)
            code = "app.unknown_key_meant" if meant else "app.unknown_key"
            raise ConfigurationError(code, key=name, meant=meant, known=", ".join(known))


def _collection(suite: SuiteConfiguration, files: CollectionFiles) -> SuiteInputs:
    from sekisho.adapters.files import load_text_collection  # noqa: PLC0415  not for synthetic corpora

    corpus = load_text_collection(
        files.corpus,
        files.queries,
        files.qrels,
        allow_missing=suite.allow_missing,
        relevance_threshold=suite.relevance_threshold,
    )
    return SuiteInputs(
        corpus=corpus,
        cases=corpus.cases,
        documents=frozenset(corpus.documents),
        facts={
            "name": files.corpus.name,
            "kind": "collection",
            "documents": len(corpus.documents),
            "queries": len(corpus.cases),
            "parameters": {},
        },
        fingerprints={"corpus": corpus.fingerprint},
        warnings=tuple(corpus.warnings),
    )
