"""Sentences of the area ``ranking``, in English."""

MESSAGES: dict[str, str] = {}
