"""How many tokens a reply says that it cost."""

from __future__ import annotations

import json
from typing import NamedTuple

_LARGEST = 1_000_000_000_000


class Usage(NamedTuple):
    """Tokens, added up; a reply that tells nothing counts in none.

    Attributes:
        replies: How many replies told.
        prompt: Tokens read.
        completion: Tokens written.
    """

    replies: int = 0
    prompt: int = 0
    completion: int = 0

    def plus(self, other: Usage) -> Usage:
        """Return the sum."""
        return Usage(*(one + another for one, another in zip(self, other, strict=True)))


def usage_of(body: bytes, *, is_stream: bool) -> Usage:
    """Return what the ``usage`` of a reply says: of an OpenAI-compatible server, or the same by its other names.

    Args:
        body: A JSON object, or events of which the last with a usage counts.
        is_stream: Whether it is events.
    """
    texts = [line[5:] for line in body.split(b"\n") if line.startswith(b"data:")][::-1] if is_stream else [body]
    for text in texts:
        if b'"usage"' in text and (found := _usage(text)):
            return found
    return Usage()


def _usage(text: bytes) -> Usage | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    usage = value.get("usage") if isinstance(value, dict) else None
    if not isinstance(usage, dict):
        return None
    prompt = _count(usage.get("prompt_tokens", usage.get("input_tokens")))
    completion = _count(usage.get("completion_tokens", usage.get("output_tokens")))
    return None if prompt is None and completion is None else Usage(1, prompt or 0, completion or 0)


def _count(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST
    return int(value) if is_count and isinstance(value, int) else None
