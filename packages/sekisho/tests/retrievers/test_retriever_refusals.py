from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sekisho.core.errors import RetrieverError
from sekisho.core.messages import Language, catalogue, message
from sekisho.core.vectors import VectorSet
from sekisho.retrievers import RETRIEVERS, exact, fusion, ivf_flat, raptor, two_stage

from .corpora_for_retrievers import Chunks, corpus_of, random_table

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = corpus_of(random_table(1, 20, 3))


def code_of(action: Callable[[], object]) -> str:
    """Return the code of the error that an action raises."""
    with pytest.raises(RetrieverError) as caught:
        action()
    assert str(caught.value)
    return caught.value.code


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
@pytest.mark.parametrize(
    ("ids", "values", "code"),
    [
        ((), np.empty((0, 3)), "empty_corpus"),
        (("a", "b"), np.zeros((3, 2)), "vectors_shape"),
        (("a",), np.zeros(3), "vectors_shape"),
        (("a",), np.zeros((1, 0)), "vectors_shape"),
        (("a",), np.zeros((1, 2**16 + 1), np.int8), "vectors_shape"),
        (("a",), np.asarray([["x"]]), "vectors_type"),
        (("a",), np.asarray([[1j]]), "vectors_type"),
        (("a", "b"), [[1.0, 2.0], [1.0]], "vectors_type"),
        (("a", "b"), np.asarray([[1.0], [math.nan]]), "vectors_not_finite"),
        (("a", "b"), np.asarray([[1.0], [-math.inf]]), "vectors_not_finite"),
        (("a", 7), np.ones((2, 1)), "id_not_text"),
        (("a", "b", "a"), np.ones((3, 1)), "duplicate_id"),
    ],
)
def test_a_corpus_that_cannot_be_searched_is_refused(
    name: str, ids: tuple[str, ...], values: object, code: str
) -> None:
    """Every factory checks what it is built from, once."""
    corpus = Chunks(VectorSet(ids=ids, numbers=values))

    assert code_of(lambda: RETRIEVERS[name](corpus, 1)) == f"retrievers.{code}"


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
@pytest.mark.parametrize(
    ("query", "code"),
    [
        ([1.0, 2.0], "query_shape"),
        ([[1.0, 2.0, 3.0]], "query_shape"),
        (1.0, "query_shape"),
        ("text", "query_type"),
        ([True, False, True], "query_type"),
        ([1.0, math.nan, 0.0], "query_not_finite"),
        ([1.0, math.inf, 0.0], "query_not_finite"),
    ],
)
def test_a_query_that_cannot_be_compared_is_refused(name: str, query: object, code: str) -> None:
    """A wrong embedding is an error, never a low score."""
    retriever = RETRIEVERS[name](GOOD, 2)

    assert code_of(lambda: retriever.retrieve(query)) == f"retrievers.{code}"


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
@pytest.mark.parametrize(
    ("queries", "code"),
    [
        ([1.0, 2.0, 3.0], "query_shape"),
        ([[1.0, 2.0]], "query_shape"),
        ([[1.0, 2.0, 3.0], [1.0]], "query_type"),
        ([[1.0, 2.0, 3.0], [math.nan, 2.0, 3.0]], "query_not_finite"),
    ],
)
def test_a_table_of_queries_is_checked_as_well(name: str, queries: object, code: str) -> None:
    """One bad row refuses the table."""
    retriever = RETRIEVERS[name](GOOD, 2)

    assert code_of(lambda: retriever.retrieve_many(queries)) == f"retrievers.{code}"


def test_the_row_of_a_bad_query_is_named() -> None:
    """Among thousands one wants to know which."""
    with pytest.raises(RetrieverError, match="row 1"):
        exact(GOOD).retrieve_many([[1.0, 2.0, 3.0], [math.nan, 2.0, 3.0]])


@pytest.mark.parametrize(
    ("build", "code"),
    [
        (lambda: exact(GOOD, 0), "too_small"),
        (lambda: exact(GOOD, 2.0), "not_whole"),
        (lambda: exact(GOOD, k=True), "not_whole"),
        (lambda: ivf_flat(GOOD, 0), "too_small"),
        (lambda: ivf_flat(GOOD, 1, lists=0), "too_small"),
        (lambda: ivf_flat(GOOD, 1, lists=21), "too_many_lists"),
        (lambda: ivf_flat(GOOD, 1, lists="3"), "not_whole"),
        (lambda: ivf_flat(GOOD, 1, probes=0), "too_small"),
        (lambda: two_stage(GOOD, 0), "too_small"),
        (lambda: two_stage(GOOD, 10, candidates=9), "candidates_below_k"),
        (lambda: two_stage(GOOD, 10, candidates=None), "not_whole"),
        (lambda: two_stage(GOOD, 10, centred="false"), "not_switch"),
        (lambda: two_stage(GOOD, 10, rerank=0), "not_switch"),
        (lambda: fusion(GOOD, 0), "too_small"),
        (lambda: fusion(GOOD, 5, depth=4), "too_small"),
        (lambda: fusion(GOOD, 5, constant=-1), "not_non_negative"),
        (lambda: fusion(GOOD, 5, constant=math.inf), "not_non_negative"),
        (lambda: fusion(GOOD, 5, weights=(1, -1)), "not_non_negative"),
        (lambda: fusion(GOOD, 5, weights=(1, math.nan)), "not_non_negative"),
        (lambda: fusion(GOOD, 5, weights=(1, "2")), "not_non_negative"),
        (lambda: fusion(GOOD, 5, weights=(1, 1, 1)), "weight_count"),
        (lambda: fusion(GOOD, 5, weights=(0, 0)), "weights_zero"),
        (lambda: raptor(GOOD, 0), "too_small"),
        (lambda: raptor(GOOD, 1, branching=1), "too_small"),
        (lambda: raptor(GOOD, 1, levels=0), "too_small"),
        (lambda: raptor(GOOD, 1, expansions=0), "too_small"),
        (lambda: raptor(GOOD, 1, leaves_per_summary=0), "too_small"),
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused(build: Callable[[], object], code: str) -> None:
    """Nothing is guessed or cut to size."""
    assert code_of(build) == f"retrievers.{code}"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_retriever_has_a_line(language: Language) -> None:
    """A list of retrievers can be shown in both languages."""
    lines = [message(f"retrievers.{name}", language) for name in RETRIEVERS]

    assert len(set(lines)) == len(RETRIEVERS)
    assert not any("\n" in line for line in lines)


def test_both_languages_say_the_same() -> None:
    """The same names, with the same placeholders, in one order."""
    english, japanese = catalogue("retrievers", "en"), catalogue("retrievers", "ja")

    assert list(english) == list(japanese)
    for name in english:
        assert placeholders(english[name]) == placeholders(japanese[name])


def placeholders(template: str) -> set[str]:
    """Return the names between braces."""
    return {part.split("}")[0].split("!")[0] for part in template.split("{")[1:]}
