"""What a suite is measured on: a preset, a synthetic corpus of its own, or the files of a collection."""

from __future__ import annotations

import copy
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.app.checking import shown
from sekisho.app.settings import CollectionFiles
from sekisho.calling.exceptions import described
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import Note, note
from sekisho.core.records import EvalCase
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from sekisho.app.settings import RetrievalSuite
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
        titles: Id to title, of the documents of a text collection that have one.
    """

    corpus: Any
    cases: tuple[EvalCase, ...]
    documents: frozenset[str]
    facts: Mapping[str, Any]
    fingerprints: Mapping[str, str]
    warnings: tuple[Note, ...] = ()
    titles: Mapping[str, str] = {}


def load_tools() -> None:
    """Import what corpora of vectors are made with, before a target's folder comes first on the import path.

    Raises:
        ConfigurationError: A file of the project stands in the place of numpy.
    """
    try:
        import sekisho.corpora.generate  # noqa: F401, PLC0415  not for collections
    except Exception as error:
        place = getattr(sys.modules.get("numpy"), "__file__", None) or "-"
        raise ConfigurationError("app.shadowed", module="numpy", path=str(place), reason=described(error)) from error


def load_inputs(suite: RetrievalSuite) -> SuiteInputs:
    """Return what a suite is measured on; of the cases copies that its target, which gets the corpus, cannot reach.

    Raises:
        SekishoError: An unknown preset or parameter, or files that do not hold a collection.
    """
    inputs = _load(suite)
    return msgspec.structs.replace(inputs, cases=private_copies(inputs.cases))


def private_copies(cases: Sequence[EvalCase]) -> tuple[EvalCase, ...]:
    """Return cases that share nothing with the given ones that could be changed."""
    relevant = {id(case.relevant): case.relevant for case in cases}  # one object for all cases of a topic
    copies = {key: dict(value) if isinstance(value, Mapping) else tuple(value) for key, value in relevant.items()}
    return tuple(
        EvalCase(
            id=case.id,
            query=_private_query(case.query),
            relevant=copies[id(case.relevant)],
            neighbours=copy.copy(case.neighbours),
            tags=case.tags,
        )
        for case in cases
    )


def _private_query(query: object) -> object:
    private = copy.deepcopy(query)
    if hasattr(private, "setflags"):  # an array, which a target may no more change in place than that of the corpus
        private.setflags(write=False)
    return private


def _load(suite: RetrievalSuite) -> SuiteInputs:
    if isinstance(suite.corpus, CollectionFiles):
        return _collection(suite, suite.corpus)
    if isinstance(suite.corpus, str):
        return _synthetic(suite, suite.corpus, {})
    table = dict(suite.corpus)
    preset = table.pop("preset", None)
    if preset is not None and not isinstance(preset, str):
        raise ConfigurationError("app.not_text", key="corpus.preset", value=shown(preset))
    return _synthetic(suite, preset, table)


def _synthetic(suite: RetrievalSuite, preset: str | None, parameters: Mapping[str, Any]) -> SuiteInputs:
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
    load_tools()
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


def _collection(suite: RetrievalSuite, files: CollectionFiles) -> SuiteInputs:
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
        warnings=tuple(Note(each.code, dict(each.values)) for each in corpus.warnings),
        titles={id_: document.title for id_, document in corpus.documents.items() if document.title},
    )
