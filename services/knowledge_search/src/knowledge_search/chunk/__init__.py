"""Passages of documents: by headings and sentences, Japanese and English, each with its title path and offsets."""

from knowledge_search.chunk.split import VERSION, split

__all__ = ["VERSION", "split"]
