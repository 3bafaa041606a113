"""Sentences of the area ``retrieval``, in English."""

MESSAGES: dict[str, str] = {}
