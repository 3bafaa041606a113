"""Fixtures and settings that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["SEKISHO_HISTORY"] = (
    "off"  # no test adds to the history of this repository, nor makes one in a folder it lists
)

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture
def shared_data() -> Path:
    """Return the folder of real collections beside the repository, or leave the test out where there is none."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder of real collections is not beside this repository")
    return folder
