"""The search strategies: each finds passages within a scope."""

from knowledge_search.store.strategies.dense import ExactStrategy, HnswStrategy, IvfFlatStrategy, TwoStageStrategy
from knowledge_search.store.strategies.fusion import FusionStrategy
from knowledge_search.store.strategies.lexical import LexicalStrategy
from knowledge_search.store.strategies.raptor import RaptorStrategy

__all__ = [
    "ExactStrategy",
    "FusionStrategy",
    "HnswStrategy",
    "IvfFlatStrategy",
    "LexicalStrategy",
    "RaptorStrategy",
    "TwoStageStrategy",
]
