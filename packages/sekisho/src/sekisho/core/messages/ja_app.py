"""Sentences of the area ``app``, in Japanese."""

MESSAGES: dict[str, str] = {}
