"""Reads a hostile file in a process of its own, with limits on memory, time, pages and text."""

from knowledge_search.parse.sandbox.limits import Limits
from knowledge_search.parse.sandbox.records import RawDocument, RawPage
from knowledge_search.parse.sandbox.run import read

__all__ = ["Limits", "RawDocument", "RawPage", "read"]
