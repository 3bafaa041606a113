"""What the tests of this folder share: one healthy knowledge search a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from eval.targets import answers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eval.knowledge import Knowledge


@pytest.fixture(scope="session")
def healthy() -> Iterator[Knowledge]:
    """Give the healthy target; tests put faults around it, and leave it and its database as they were."""
    with answers() as target:
        yield target
