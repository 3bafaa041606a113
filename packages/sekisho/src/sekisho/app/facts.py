"""Facts about a run that may differ between two runs of one commit: time, commit, versions, machine."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import sekisho

if TYPE_CHECKING:
    from pathlib import Path


def run_facts(root: Path) -> dict[str, Any]:
    """Return the facts of a run that starts now, in a project at ``root``."""
    numpy = sys.modules.get("numpy")
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(root),
        "versions": {
            "sekisho": sekisho.__version__,
            "python": platform.python_version(),
            "numpy": getattr(numpy, "__version__", None),
        },
        "machine": {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()},
    }


def _commit(root: Path) -> str | None:
    """Return the commit that is checked out at ``root``, or None where git does not know one."""
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)  # noqa: S603  fixed words
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() or None
