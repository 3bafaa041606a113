"""Sentences of the area ``explain``, in English."""

MESSAGES: dict[str, str] = {}
