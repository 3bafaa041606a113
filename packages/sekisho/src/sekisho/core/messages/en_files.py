"""Sentences of the area ``files``, in English."""

MESSAGES: dict[str, str] = {}
