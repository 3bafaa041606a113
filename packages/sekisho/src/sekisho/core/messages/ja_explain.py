"""Sentences of the area ``explain``, in Japanese."""

MESSAGES: dict[str, str] = {}
