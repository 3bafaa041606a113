"""Sentences of the area ``ranking``, in Japanese."""

MESSAGES: dict[str, str] = {}
