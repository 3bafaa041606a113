"""As whom the server runs: as ourselves, or as a service user where we are root, which PostgreSQL refuses."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import TypedDict

from knowledge_search.domain import StoreError

SERVICE_USER = "knowledge-search"
_ATTEMPTS = 20  # of 0.1 s: another process may be writing /etc/passwd just now


class Identity(TypedDict, total=False):
    """The arguments of ``subprocess.Popen`` that make a child another user's."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, kw_only=True)
class Account:
    """A user of the system.

    Attributes:
        dropped: Whether the server's processes must change to this user, because we are root.
    """

    name: str
    uid: int
    gid: int
    dropped: bool

    @property
    def identity(self) -> Identity:
        """What makes a child run as this user."""
        return Identity(user=self.uid, group=self.gid, extra_groups=[]) if self.dropped else Identity()


def account() -> Account:
    """Return who runs the server; as root, make the service user where it is lacking.

    Raises:
        StoreError: The service user is lacking and cannot be made, or is root again.
    """
    uid = os.geteuid()
    if uid != 0:
        return Account(name=user_name(uid), uid=uid, gid=os.getegid(), dropped=False)
    found = _entry() or _create()
    if found.pw_uid == 0:
        raise StoreError(f"The user {SERVICE_USER!r} is root; PostgreSQL must not be. Give it a user id of its own.")
    return Account(name=SERVICE_USER, uid=found.pw_uid, gid=found.pw_gid, dropped=True)


def user_name(uid: int) -> str:
    """Return the name of a user, or its number where it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _entry() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(SERVICE_USER)
    except KeyError:
        return None


def _create() -> pwd.struct_passwd:
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    output = "neither useradd nor adduser is installed"
    useradd, adduser = shutil.which("useradd", path=path), shutil.which("adduser", path=path)
    if useradd:
        shell = ["--home-dir", "/nonexistent", "--no-create-home", "--shell", "/usr/sbin/nologin"]
        command = [useradd, "--system", "--user-group", *shell, SERVICE_USER]
    elif adduser:  # busybox
        command = [adduser, "-S", "-D", "-H", "-h", "/nonexistent", "-s", "/sbin/nologin", SERVICE_USER]
    else:
        command = []
    for _ in range(_ATTEMPTS if command else 0):
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own words only
        output = (done.stderr or done.stdout).strip()
        if found := _entry():
            return found
        time.sleep(0.1)
    raise StoreError(
        f"PostgreSQL must not run as root, and the user {SERVICE_USER!r} for it cannot be made ({output}). "
        f"Create a system user of that name, run this as an ordinary user, or set DATABASE_URL."
    )
