"""Sentences of the area ``retrieval``, in Japanese."""

MESSAGES: dict[str, str] = {}
