"""Every sentence that a user reads, in English and Japanese.

A code is ``area.name``. The sentences of an area stand in two modules beside this one, ``en_<area>.py`` and
``ja_<area>.py``, each with one dictionary ``MESSAGES`` from name to a ``str.format`` template; an area is imported
when its first sentence is needed. A test checks that both languages have the same names and placeholders.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, NamedTuple

from sekisho.core.text import printable, shorten

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")
AREAS: tuple[str, ...] = (
    "ranking", "corpora", "retrievers", "calling", "retrieval", "answers", "access", "compare", "cases", "targets", "models",
    "files", "app", "report", "cli", "explain", "plugin", "history", "audit", "power",
)  # fmt: skip
_LONGEST = 2000
"""Characters of a value that a sentence shows: room for a traceback, not for a document."""


def catalogue(area: str, language: Language) -> dict[str, str]:
    """Return the sentences of one area: name to template."""
    module = import_module(f"sekisho.core.messages.{language}_{area}")
    messages: dict[str, str] = module.MESSAGES
    return messages


def message(code: str, language: Language = "en", /, **values: object) -> str:
    """Return the sentence behind a code, filled in.

    Args:
        code: ``area.name``.
        language: ``en`` or ``ja``.
        values: What the placeholders stand for. Text is shortened and made printable first: control characters and
            marks that reorder or hide text are shown as escapes, since it may come from a hostile document. A
            :class:`Note` is put into the same language.

    Raises:
        KeyError: The code or one of its placeholders is unknown (a mistake in this package, found by its tests).
    """
    area, _, name = code.partition(".")
    return catalogue(area, language)[name].format(**{key: _shown(value, language) for key, value in values.items()})


def _shown(value: object, language: Language) -> object:
    if isinstance(value, Note):
        return value.render(language)
    return printable(shorten(value, _LONGEST)) if isinstance(value, str) else value


class Note(NamedTuple):
    """A sentence not yet put into a language: a warning or a reason inside a record.

    Attributes:
        code: ``area.name``.
        values: What the placeholders stand for.
    """

    code: str
    values: dict[str, Any]

    def render(self, language: Language) -> str:
        """Return the sentence in one language."""
        return message(self.code, language, **self.values)

    def __str__(self) -> str:
        return self.render("en")


def note(code: str, /, **values: object) -> Note:
    """Return a :class:`Note` from a code and keyword values."""
    return Note(code, values)
