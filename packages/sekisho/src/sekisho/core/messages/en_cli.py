"""Sentences of the area ``cli``, in English."""

MESSAGES: dict[str, str] = {}
