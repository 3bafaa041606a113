"""Sentences of the area ``corpora``, in English."""

MESSAGES: dict[str, str] = {}
