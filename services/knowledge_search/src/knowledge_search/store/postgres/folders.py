"""The folders of one embedded server: checked, made, and moved to where the service user can go."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge_search.domain import StoreError
from knowledge_search.store.postgres.account import Account, user_name
from knowledge_search.store.postgres.refusals import explained

if TYPE_CHECKING:
    from collections.abc import Callable

SOCKET_NAME = ".s.PGSQL.5432"
_SOCKET_PATH_BYTES = 100  # sun_path holds 104 bytes on macOS and 108 on Linux
_PLAIN_PATH = re.compile(r"/[A-Za-z0-9._/+-]*")  # commas, quotes and @ mean something to libpq and PostgreSQL
_OURS = {"cluster", "run", "postgres.log", "postgres.log.1", "server.json", "location.json"}
_MAY_LIE_THERE = {"lost+found", ".gitignore", ".gitkeep", "locks"} | _OURS
_POINTER, _ORIGIN = "location.json", "origin.json"


@dataclass(frozen=True, kw_only=True)
class Folders:
    """Where things are.

    Attributes:
        data_dir: As asked for, absolute and without symbolic links; holds the locks.
        home: Holds everything else; ``data_dir`` itself unless the service user cannot go there.
    """

    data_dir: Path
    home: Path

    @property
    def locks(self) -> Path:
        """Files that are only ever locked: ``start``, ``server`` and ``users``."""
        return self.data_dir / "locks"

    @property
    def state(self) -> Path:
        """What the running server's users need to know, as JSON."""
        return self.data_dir / "server.json"

    @property
    def cluster(self) -> Path:
        """PostgreSQL's own data folder."""
        return self.home / "cluster"

    @property
    def log(self) -> Path:
        """The server's log; an older part is in ``postgres.log.1``."""
        return self.home / "postgres.log"

    def read_state(self) -> dict[str, str]:
        """Return the state, empty where there is none or it is broken."""
        try:
            state = json.loads(self.state.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return state if isinstance(state, dict) else {}


def data_folder(data_dir: Path) -> Path:
    """Make the data folder and its locks where they are lacking, and return its absolute path.

    No parent that exists is changed.

    Raises:
        StoreError: It is another user's, others may write in it, or it holds something else.
    """
    if any(sign in str(data_dir) for sign in "\0\n\r"):
        raise StoreError(f"The data folder {str(data_dir)!r} has a line break or NUL in its name; choose another name.")
    path = data_dir.expanduser().absolute().resolve()
    with explained("use the data folder", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
        _check_own(path)
        locks = path / "locks"
        if not locks.exists():
            foreign = sorted({entry.name for entry in path.iterdir()} - _MAY_LIE_THERE)
            if foreign and not locks.exists():
                raise StoreError(
                    f"{path} holds something else ({foreign[0]!r}): give the database a folder of its own with "
                    f"KNOWLEDGE_SEARCH_DATA_DIR."
                )
            locks.mkdir(mode=0o700, exist_ok=True)
    return path


def system_folder(system_dir: Path) -> Path:
    """Make root's own folder, which holds the programs' copy and moved data, and return it.

    Raises:
        StoreError: It is not root's alone.
    """
    with explained("use root's folder", system_dir):
        if not system_dir.exists():
            system_dir.mkdir(parents=True, exist_ok=True)
            system_dir.chmod(0o755)
        _check_own(system_dir)
    return system_dir


def locate(data_dir: Path, owner: Account, system_dir: Path, progress: Callable[[str], None]) -> Folders:
    """Return the folders of ``data_dir``, moved below ``system_dir`` where ``owner`` could not reach them.

    Call it with the start lock held.

    Args:
        data_dir: As ``data_folder`` returned it.
        owner: As whom the server runs.
        system_dir: Root's own folder.
        progress: Told where the data are when they are elsewhere.
    """
    if not owner.dropped:
        return Folders(data_dir=data_dir, home=data_dir)
    pointer = data_dir / _POINTER
    with explained("prepare the data folder", data_dir):
        if not pointer.exists() and all(enterable(parent, owner) for parent in data_dir.parents):
            _let_in(data_dir, owner)
            return Folders(data_dir=data_dir, home=data_dir)
        home = moved_home(data_dir, system_dir)
        if not _same(pointer, home / _ORIGIN):
            _move(data_dir, home, progress)
        _let_in(home.parent, owner)
        _let_in(home, owner)
    return Folders(data_dir=data_dir, home=home)


def moved_home(data_dir: Path, system_dir: Path) -> Path:
    """Return where the data of ``data_dir`` are when they cannot stay there."""
    return system_dir / "data" / hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]


def enterable(folder: Path, user: Account) -> bool:
    """Return whether the mode of ``folder`` lets ``user`` pass through it."""
    found = folder.stat()
    if found.st_uid == user.uid:
        return bool(found.st_mode & stat.S_IXUSR)
    if found.st_gid == user.gid:
        return bool(found.st_mode & stat.S_IXGRP)
    return bool(found.st_mode & stat.S_IXOTH)


def socket_folder(folders: Folders, owner: Account, system_dir: Path) -> tuple[Path, bool]:
    """Return a folder for the socket, of ``owner`` alone, and whether it goes with the server.

    It lies beside the data where that path is short and plain enough for a socket, else in the run-time or temporary
    folder under a name that nobody can foresee.
    """
    beside = folders.home / "run"
    with explained("make a folder for the socket in", folders.home):
        if fits(beside):
            beside.mkdir(mode=0o700, exist_ok=True)
            _give(beside, owner)
            return beside, False
        previous = Path(folders.read_state().get("sockets", ""))
        if fits(previous) and _private(previous, owner):
            return previous, True
        folder = Path(tempfile.mkdtemp(prefix="ks-", dir=_short_base(owner, system_dir)))
        _give(folder, owner)
    if not fits(folder):
        raise StoreError(f"The socket's path {folder} is too long; set TMPDIR to a shorter folder, such as /tmp.")
    return folder, True


def fits(folder: Path) -> bool:
    """Return whether a socket in ``folder`` has a path that every part of PostgreSQL understands."""
    length = len(os.fsencode(folder / SOCKET_NAME))
    return length < _SOCKET_PATH_BYTES and _PLAIN_PATH.fullmatch(str(folder)) is not None


def _short_base(owner: Account, system_dir: Path) -> Path:
    if owner.dropped:
        base = system_dir / "run"
        if not fits(base / "ks-12345678"):
            base = Path("/run")
        if not base.exists():
            base.mkdir(exist_ok=True)
            base.chmod(0o711)
        return base
    for name in (os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir(), "/tmp"):  # noqa: S108 - mkdtemp inside
        base = Path(name)
        if base.is_absolute() and fits(base / "ks-12345678") and os.access(base, os.W_OK | os.X_OK) and _steady(base):
            return base
    raise StoreError("No short folder for the socket; set TMPDIR to a short folder of your own, such as /tmp/own.")


def _steady(folder: Path) -> bool:
    """Whether nobody but root and ourselves can rename what we make in ``folder``."""
    found = folder.stat()
    writable = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return found.st_uid in {0, os.geteuid()} and (not writable or bool(found.st_mode & stat.S_ISVTX))


def _private(folder: Path, owner: Account) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == owner.uid and stat.S_IMODE(found.st_mode) == stat.S_IRWXU


def _check_own(path: Path) -> None:
    found = path.stat()
    if found.st_uid != os.geteuid():
        owner, we = user_name(found.st_uid), user_name(os.geteuid())
        raise StoreError(
            f"{path} belongs to {owner!r}, but this runs as {we!r}: run it as {owner!r}, or choose another folder with "
            f"KNOWLEDGE_SEARCH_DATA_DIR."
        )
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise StoreError(f"Others may write in {path}, so its content cannot be trusted: run 'chmod go-w {path}'.")


def _give(folder: Path, owner: Account) -> None:
    """Make ``folder`` the private one of ``owner``; it lies where only we can write."""
    if owner.dropped:
        os.chown(folder, owner.uid, owner.gid, follow_symlinks=False)
    folder.chmod(0o700)


def _let_in(folder: Path, owner: Account) -> None:
    """Let ``owner`` pass through a folder that stays root's."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.chown(folder, -1, owner.gid)
    folder.chmod(0o710)


def _same(pointer: Path, origin: Path) -> bool:
    return pointer.exists() and origin.exists() and pointer.read_bytes() == origin.read_bytes()


def _move(data_dir: Path, home: Path, progress: Callable[[str], None]) -> None:
    """Begin a home elsewhere. What an earlier data folder of this path left there is set aside, never used again."""
    pointer = data_dir / _POINTER
    if pointer.exists():
        raise StoreError(
            f"{pointer} says that the data of {data_dir} are in {home}, but they are not. Bring them back, or remove "
            f"{data_dir} to begin anew."
        )
    if home.exists():
        aside = home.with_name(f"{home.name}.left-{secrets.token_hex(4)}")
        home.rename(aside)
        progress(f"{aside} was left by an earlier {data_dir}; it is no longer used and can be deleted.")
    home.mkdir(mode=0o700, parents=True)
    note = json.dumps({"data_dir": str(data_dir), "home": str(home), "id": secrets.token_hex(16)})
    (home / _ORIGIN).write_text(note, encoding="utf-8")
    fresh = pointer.with_suffix(".new")
    fresh.write_text(note, encoding="utf-8")
    fresh.replace(pointer)
    progress(f"PostgreSQL cannot enter the folders above {data_dir}; its data are in {home}.")


def remove(folders: Folders) -> None:
    """Delete everything that belongs to a data folder; nobody may be using it."""
    with explained("delete", folders.data_dir):
        shutil.rmtree(folders.home)
        if folders.home != folders.data_dir:
            shutil.rmtree(folders.data_dir)
