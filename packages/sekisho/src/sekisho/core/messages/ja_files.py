"""Sentences of the area ``files``, in Japanese."""

MESSAGES: dict[str, str] = {}
