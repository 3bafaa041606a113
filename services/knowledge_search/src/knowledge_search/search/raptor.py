"""A tree of summaries over passages (Sarthi et al. 2024, "RAPTOR", ICLR), without a language model and repeatable.

The paper clusters with UMAP and Gaussian mixtures, which gave other clusters in each run. Here a set is halved at the
median along its direction of greatest variance until a part is small enough: balanced, it always shrinks, and depends
on nothing but the vectors and ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from knowledge_search.search.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from knowledge_search.ports import Tokenizer

CLUSTER: Final = 8
"""Passages under one node, at most."""
LEVELS: Final = 5
"""Levels above the leaves, at most, as in the paper."""
_ROUNDS: Final = 24
"""Rounds of the power method; the direction needs no precision, only to be the same each time."""


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """A passage: the bottom of the tree."""

    id: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Node:
    """A summary.

    Attributes:
        level: From 1, above the leaves.
        ordinal: Within its level, from 0.
        leaf_ids: Every leaf below, ascending.
        embedding: Of the text; shape ``(dimensions,)``.
    """

    level: int
    ordinal: int
    text: str
    leaf_ids: tuple[int, ...]
    embedding: npt.NDArray[np.float32]


def build_tree(
    leaves: Sequence[Leaf],
    vectors: npt.NDArray[np.float32],
    *,
    embed: Callable[[Sequence[str]], npt.NDArray[np.float32]],
    tokenizer: Tokenizer,
    cluster: int = CLUSTER,
) -> list[Node]:
    """Return the nodes above the leaves of one department, level by level; none where one cluster holds them all.

    The order of ``leaves`` does not matter.

    Args:
        leaves: All of one department: summaries quote them.
        vectors: Of the leaves; shape ``(len(leaves), dimensions)``.
        embed: Turns summaries into vectors.
        tokenizer: Makes the terms by which sentences are chosen.
        cluster: Members of a cluster, at most; at least 2.
    """
    order = sorted(range(len(leaves)), key=lambda at: leaves[at].id)
    texts = [leaves[at].text for at in order]
    below: list[tuple[int, ...]] = [(leaves[at].id,) for at in order]
    current = np.asarray(vectors, dtype=np.float64)[order]
    nodes: list[Node] = []
    for level in range(1, LEVELS + 1):
        if len(texts) <= cluster:
            break
        groups = clusters(current, cluster)
        summaries = [summarise([texts[at] for at in group], tokenizer) for group in groups]
        leaf_ids = [tuple(sorted(leaf for at in group for leaf in below[at])) for group in groups]
        embedded = embed(summaries)
        nodes += [
            Node(level=level, ordinal=at, text=text, leaf_ids=ids, embedding=embedded[at])
            for at, (text, ids) in enumerate(zip(summaries, leaf_ids, strict=True))
        ]
        texts, below, current = summaries, leaf_ids, embedded.astype(np.float64)
    return nodes


def clusters(vectors: npt.NDArray[np.float64], size: int) -> list[list[int]]:
    """Return the positions of ``vectors`` in groups of at most ``size``, ascending, groups by their first."""
    waiting = [list(range(len(vectors)))]
    done: list[list[int]] = []
    while waiting:
        group = waiting.pop()
        if len(group) <= size:
            done.append(sorted(group))
            continue
        along = _projection(vectors[group])
        ordered = [group[at] for at in sorted(range(len(group)), key=lambda at: (along[at], group[at]))]
        waiting += [ordered[: len(ordered) // 2], ordered[len(ordered) // 2 :]]
    return sorted(done)


def _projection(vectors: npt.NDArray[np.float64]) -> list[float]:
    """Return where each vector lies along the direction of greatest variance, rounded so that ties are ties."""
    centred = vectors - vectors.mean(axis=0)
    lengths = np.round((centred**2).sum(axis=1), 9)
    direction = centred[int(lengths.argmax())]
    for _ in range(_ROUNDS):
        length = float(np.sqrt((direction**2).sum()))
        if length == 0:
            break
        direction = centred.T @ (centred @ (direction / length))
    length = float(np.sqrt((direction**2).sum())) or 1.0
    return [round(float(value), 6) for value in centred @ (direction / length)]
