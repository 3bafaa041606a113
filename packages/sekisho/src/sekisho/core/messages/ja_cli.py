"""Sentences of the area ``cli``, in Japanese."""

MESSAGES: dict[str, str] = {}
