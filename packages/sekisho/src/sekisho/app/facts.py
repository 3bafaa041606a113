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
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(root),
        "versions": {
            "sekisho": sekisho.__version__,
            "python": platform.python_version(),
            "numpy": _numpy_version(),
        },
        "machine": {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()},
    }


def _numpy_version() -> str | None:
    """Return the version that is installed, whether this run needed it or not."""
    if "numpy" in sys.modules:
        version = getattr(sys.modules["numpy"], "__version__", None)
        return version if isinstance(version, str) else None
    from importlib import metadata  # noqa: PLC0415  imports email, which no run on vectors needs

    try:
        return metadata.version("numpy")
    except metadata.PackageNotFoundError:
        return None


def _commit(root: Path) -> str | None:
    """Return the commit that is checked out at ``root``, or None where git does not know one."""
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)  # noqa: S603  fixed words
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() or None
