"""Brings the embedded server back after it was given up, as long as it is wanted."""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from knowledge_search.domain import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge_search.store.postgres.server import EmbeddedServer

_EVERY_S: Final = 2.0
_LOG: Final = logging.getLogger(__name__)


@contextmanager
def kept(server: EmbeddedServer) -> Iterator[None]:
    """Within the block, start ``server`` again whenever nothing supervises it any more.

    Its supervisor restarts a killed server, and gives up one that ends by itself: on a full disk, PostgreSQL does, and
    cannot even recover. Once there is space, the next try here succeeds; without it, a service would stay without its
    database until somebody restarted it.
    """
    leave = threading.Event()

    def keep() -> None:
        said = ""
        while not leave.wait(_EVERY_S):
            try:
                if not server.supervised():
                    server.start()
                    said = ""
            except (StoreError, OSError) as error:
                if said != type(error).__name__:
                    _LOG.error("the database server has ended and cannot be started: %s", error)
                said = type(error).__name__

    thread = threading.Thread(target=keep, name="keeper of the database server", daemon=True)
    thread.start()
    try:
        yield
    finally:
        leave.set()
        thread.join(timeout=10)
