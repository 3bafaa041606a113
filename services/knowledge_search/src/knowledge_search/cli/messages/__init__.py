"""Every sentence of the command, in English and Japanese; a test checks that both catalogues are complete."""

from __future__ import annotations

from typing import Final, Literal

from knowledge_search.cli.messages import en, ja

Language = Literal["en", "ja"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "ja")
_CATALOGUES: Final[dict[Language, dict[str, str]]] = {"en": en.MESSAGES, "ja": ja.MESSAGES}


def message(code: str, language: Language, /, **values: object) -> str:
    """Return the sentence behind a code, filled in. Text is made printable, since it may come from a document."""
    safe = {name: printable(value) if isinstance(value, str) else value for name, value in values.items()}
    return _CATALOGUES[language][code].format(**safe)


def printable(text: str) -> str:
    """Return ``text`` with control characters shown as escapes, so that no document can steer the terminal."""
    return "".join(
        sign if sign.isprintable() or sign == "\n" else sign.encode("unicode_escape").decode() for sign in text
    )
