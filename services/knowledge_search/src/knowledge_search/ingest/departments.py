"""Whose document a file is: said by the file, its folder or the caller, and never guessed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from knowledge_search.domain import EVERYONE, DocumentError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class Said:
    """What is said about a file from outside, before it is read.

    Attributes:
        folder: The department of its folder.
        option: The caller's word: what the file or its folder says must not differ.
        default: For a file about which nothing else is said.
    """

    folder: str | None = None
    option: str | None = None
    default: str | None = None

    def decided(self, front_matter: str | None) -> str:
        """Return the department of a file whose front matter names ``front_matter``.

        A file may name its own department in a folder that is for everyone; in the folder of one department, a file
        that names another (or everyone) contradicts it.

        Raises:
            DocumentError: ``no_department``: nothing is said, or contradictions; says by whom.
        """
        folder = None if front_matter is not None and self.folder == EVERYONE else self.folder
        said = {"front matter": front_matter, "folder": folder, "option": self.option}
        named = {who: department for who, department in said.items() if department is not None}
        if len(set(named.values())) > 1:
            raise DocumentError("no_department", "; ".join(f"{who}: {name}" for who, name in named.items()))
        department = next(iter(named.values()), self.default)
        if department is None:
            raise DocumentError("no_department")
        return department


def folder_department(source: str, folders: Mapping[str, str]) -> str | None:
    """Return the department of the innermost folder on the way to ``source`` that has one."""
    names = PurePosixPath(source).parent.parts
    return next((folders[name] for name in reversed(names) if name in folders), None)
