"""Clients that obey the proxies of the environment, and a server on this machine that no proxy can reach."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = "127.0.0.1"
_NAMES = ("no_proxy", "NO_PROXY")
"""Which of the two counts depends on the library."""


@contextmanager
def past_proxies() -> Iterator[None]:
    """Let HTTP clients of this process reach the loopback address directly, also where proxies are set.

    Clients read the variable when they are made, so it has to be there before the target is.
    """
    before = {name: os.environ.get(name) for name in _NAMES}
    named = next((value for value in before.values() if value), "")
    try:
        for name in _NAMES:
            os.environ[name] = f"{named},{HOST}" if named else HOST
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
