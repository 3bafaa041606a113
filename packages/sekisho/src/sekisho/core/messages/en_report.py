"""Sentences of the area ``report``, in English."""

MESSAGES: dict[str, str] = {}
