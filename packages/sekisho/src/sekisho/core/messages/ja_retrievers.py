"""Sentences of the area ``retrievers``, in Japanese."""

MESSAGES: dict[str, str] = {}
