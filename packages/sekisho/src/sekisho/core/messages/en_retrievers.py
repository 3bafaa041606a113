"""Sentences of the area ``retrievers``, in English."""

MESSAGES: dict[str, str] = {}
