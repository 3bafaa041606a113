"""Whether a text contains a wanted one, however either is written: width, case, hidden characters, spaces, numbers."""

from __future__ import annotations

from sekisho.matching.matcher import Occurrence, TextMatcher, contains, fold
from sekisho.matching.readings import quantities

__all__ = ["Occurrence", "TextMatcher", "contains", "fold", "quantities"]
