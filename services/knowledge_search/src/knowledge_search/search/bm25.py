"""The constants of BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework", section 3.1)."""

from __future__ import annotations

from typing import Final

K1: Final = 1.2
"""How soon further occurrences of a term stop to count."""
B: Final = 0.75
"""How much a long passage is discounted: 0 not at all, 1 in full."""
