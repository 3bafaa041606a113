"""Sentences of the area ``report``, in Japanese."""

MESSAGES: dict[str, str] = {}
