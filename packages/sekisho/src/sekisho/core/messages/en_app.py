"""Sentences of the area ``app``, in English."""

MESSAGES: dict[str, str] = {}
