"""What the tests of this folder share: one healthy knowledge search a process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from eval.targets import answers

os.environ["SEKISHO_HISTORY"] = "off"  # no test adds to the history of this repository

if TYPE_CHECKING:
    from collections.abc import Iterator

    from eval.knowledge import Knowledge


@pytest.fixture(scope="session")
def healthy() -> Iterator[Knowledge]:
    """Give the healthy target; tests put faults around it, and leave it and its database as they were."""
    with answers() as target:
        yield target
