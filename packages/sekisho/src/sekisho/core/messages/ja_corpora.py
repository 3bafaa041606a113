"""Sentences of the area ``corpora``, in Japanese."""

MESSAGES: dict[str, str] = {}
