"""Text to vectors: our own hashing (evaluation grade), multilingual E5 on this machine, or any compatible endpoint."""

from knowledge_search.embed.e5 import E5Embedder
from knowledge_search.embed.hashing import HashingEmbedder
from knowledge_search.embed.openai import OpenAIEmbedder

__all__ = ["E5Embedder", "HashingEmbedder", "OpenAIEmbedder"]
