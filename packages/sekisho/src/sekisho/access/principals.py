"""Who asks, and which documents each may see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import Note, note
from sekisho.core.text import did_you_mean, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.core.answers import Document

_LONGEST_NAME = 80


class Principal(NamedTuple):
    """One asker.

    Attributes:
        departments: Sorted, each once, without everyone's.
        unrestricted: Whether these are all.
        visible: Places of the documents that it may see, ascending.
        hidden: Places of the others.
    """

    departments: tuple[str, ...]
    unrestricted: bool
    visible: tuple[int, ...]
    hidden: tuple[int, ...]

    @property
    def label(self) -> str:
        """The departments as the configuration writes them: ``[hr, sales]``, ``[]`` for nobody."""
        return f"[{', '.join(self.departments)}]"

    def asks_as(self, everyone: str) -> list[str]:
        """Return the departments as a target gets them: sorted, each once, with everyone's."""
        return sorted({*self.departments, everyone})


def departments_of(documents: Sequence[Document], everyone: str) -> tuple[str, ...]:
    """Return all departments of documents, without everyone's, sorted."""
    return tuple(sorted({each for document in documents for each in document.departments} - {everyone}))


def principals_of(
    documents: Sequence[Document], configured: Sequence[Sequence[str]], everyone: str
) -> tuple[Principal, ...]:
    """Return nobody, each department alone, those of the configuration, and who has all, each once.

    Raises:
        ConfigurationError: A configured principal is not a list of departments.
    """
    alone = departments_of(documents, everyone)
    wanted = {(), alone, *((department,) for department in alone), *_configured(configured, everyone)}
    return tuple(
        _principal(departments, documents, everyone, unrestricted=set(alone) <= set(departments))
        for departments in sorted(wanted, key=lambda each: (len(each), each))
    )


def unknown_departments(
    documents: Sequence[Document], configured: Sequence[Sequence[str]], everyone: str
) -> Iterator[Note]:
    """Yield a warning for each configured department that no document has, everyone's own among them."""
    known = departments_of(documents, everyone)
    if not any(everyone in document.departments for document in documents):
        meant = did_you_mean(everyone, known)
        code = "access.unused_everyone_meant" if meant else "access.unused_everyone"
        yield note(code, name=shorten(everyone, _LONGEST_NAME), meant=meant)
    for name in sorted({each for principal in configured for each in principal} - {*known, everyone}):
        meant = did_you_mean(name, known)
        code = "access.unknown_department_meant" if meant else "access.unknown_department"
        yield note(code, name=shorten(name, _LONGEST_NAME), meant=meant)


def _configured(configured: Sequence[Sequence[str]], everyone: str) -> Iterator[tuple[str, ...]]:
    for each in configured:
        plain: object = each
        listed = isinstance(plain, Iterable) and not isinstance(plain, (str, bytes))
        if not listed or not all(isinstance(name, str) for name in each):
            raise ConfigurationError("access.principal", value=each)
        yield tuple(sorted(set(each) - {everyone}))


def _principal(
    departments: tuple[str, ...], documents: Sequence[Document], everyone: str, *, unrestricted: bool
) -> Principal:
    seen = {*departments, everyone}
    visible = [place for place, document in enumerate(documents) if not seen.isdisjoint(document.departments)]
    hidden = sorted(set(range(len(documents))).difference(visible))
    return Principal(departments, unrestricted, tuple(visible), tuple(hidden))
