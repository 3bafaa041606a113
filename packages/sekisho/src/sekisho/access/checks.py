"""What the permission matrix is refused for, before anything is asked."""

from __future__ import annotations

import math

from sekisho.core.errors import ConfigurationError, RetrievalError


def check_arguments(*, everyone: object, k: object, concurrency: object, timeout_s: object) -> None:
    """Raise ConfigurationError or RetrievalError where an argument is out of range."""
    if not isinstance(everyone, str) or not everyone:
        raise ConfigurationError("access.everyone", value=everyone)
    for name, value in (("k", k), ("concurrency", concurrency)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise RetrievalError("retrieval.not_positive", name=name, value=value)
    if timeout_s is None:
        return
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, (int, float)) or not 0 < timeout_s < math.inf:
        raise RetrievalError("retrieval.not_positive_seconds", name="timeout_s", value=timeout_s)
