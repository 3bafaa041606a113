"""Summaries and the tree over them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_search.search.raptor import CLUSTER, Leaf, build_tree, clusters
from knowledge_search.search.summary import sentences, summarise
from knowledge_search.search.tokens import BigramTokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

TOKENIZER = BigramTokenizer()
TOPICS = ("休暇の申請は{}日前までに上長へ出す。", "経費の精算は{}日以内に行う。", "出張の宿泊は一泊{}千円までとする。")
LEAVES = [Leaf(id=number, text=TOPICS[number % 3].format(number)) for number in range(100)]


def embed(texts: Sequence[str]) -> np.ndarray:
    """Return a vector for each text, from its terms alone."""
    vectors = np.zeros((len(texts), 32), np.float32)
    for at, text in enumerate(texts):
        for term in TOKENIZER.terms(text):
            vectors[at, hashlib.sha256(term.encode()).digest()[0] % 32] += 1
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def tree(leaves: list[Leaf]) -> list[tuple]:
    """Return what makes a tree, for comparison."""
    nodes = build_tree(leaves, embed([leaf.text for leaf in leaves]), embed=embed, tokenizer=TOKENIZER)
    return [(node.level, node.ordinal, node.text, node.leaf_ids, node.embedding.tobytes()) for node in nodes]


def test_each_level_covers_every_leaf_once() -> None:
    """Level by level, fewer nodes each time, until one cluster could hold them."""
    nodes = tree(LEAVES)
    levels = {level: [node for node in nodes if node[0] == level] for level in {node[0] for node in nodes}}

    assert len(levels) >= 2
    for found in levels.values():
        assert sorted(leaf for node in found for leaf in node[3]) == list(range(100))
    sizes = [len(levels[level]) for level in sorted(levels)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] <= CLUSTER


def test_a_summary_quotes_its_own_leaves() -> None:
    """Every sentence of a node stands in a leaf below it."""
    texts = {leaf.id: leaf.text for leaf in LEAVES}
    for _, _, text, leaf_ids, _ in tree(LEAVES):
        below = "\n".join(texts[leaf] for leaf in leaf_ids)
        assert all(sentence in below for sentence in text.split("\n"))


@settings(max_examples=5)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_leaves_does_not_matter(random: Random) -> None:
    """The same tree to the byte."""
    shuffled = LEAVES[:30]
    random.shuffle(shuffled)

    assert tree(shuffled) == tree(LEAVES[:30])


def test_few_passages_need_no_tree() -> None:
    """One cluster would hold them all."""
    assert tree(LEAVES[:CLUSTER]) == []
    assert tree(LEAVES[: CLUSTER + 1]) != []


@settings(max_examples=30)
@given(st.integers(1, 60), st.integers(2, 9), st.booleans())
def test_clusters_always_shrink(count: int, size: int, equal: bool) -> None:  # noqa: FBT001 - given by Hypothesis
    """Also where all vectors are equal: everything is in one group, none is larger than allowed."""
    vectors = np.ones((count, 3)) if equal else np.random.default_rng(count).normal(size=(count, 3))
    groups = clusters(vectors, size)

    assert sorted(member for group in groups for member in group) == list(range(count))
    assert max(map(len, groups)) <= size


def test_sentences_of_both_languages() -> None:
    """Closing brackets stay with their sentence, numbers with a point are whole, lines end sentences."""
    assert sentences("「半休は12時まで。」翌日も可！\nSee 3.5 first. Ask then?  Yes") == [
        "「半休は12時まで。」", "翌日も可！", "See 3.5 first.", "Ask then?", "Yes",
    ]  # fmt: skip
    assert sentences("") == sentences(" \n\n ") == []


@given(st.text(alphabet="休暇は。 \na.!?", max_size=60))
def test_sentences_lose_only_blanks(text: str) -> None:
    """Nothing is dropped and nothing comes twice."""
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_a_summary_does_not_repeat_itself() -> None:
    """Three sentences that say the same and one that says something else: both things are said."""
    texts = [
        "経費の精算は月末まで。",
        "経費の精算は月末までに。",
        "経費の精算を月末までに。",
        "休暇は前日までに申請する。",
    ]
    summary = summarise(texts, TOKENIZER, characters=26)

    assert "経費" in summary
    assert "休暇" in summary
    assert len(summary.replace("\n", "")) <= 26


@pytest.mark.parametrize("text", ["長" * 900, "", "。。。"])
def test_a_summary_keeps_its_length(text: str) -> None:
    """One endless sentence is cut; nothing gives nothing."""
    assert len(summarise([text], TOKENIZER, characters=100)) <= 100
