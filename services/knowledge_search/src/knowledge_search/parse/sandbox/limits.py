"""What one file may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one attempt to read a file may cost; a PDF has at most two attempts.

    Attributes:
        memory_bytes: Address space. A PDF of 1.5 MB was seen to unpack into 640 MB; 300 pages need 65 MB.
        cpu_s: Processor time in whole seconds.
        wall_s: Time on the clock; two attempts have to end within 20 s.
        pages: Most pages of a document.
        characters: Most characters of text.
    """

    memory_bytes: int = 768 * 2**20
    cpu_s: int = 8
    wall_s: float = 8.5
    pages: int = 1000
    characters: int = 5_000_000
