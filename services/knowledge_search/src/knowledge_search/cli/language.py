"""Which language the user reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knowledge_search.cli.messages import LANGUAGES
from knowledge_search.domain import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from knowledge_search.cli.messages import Language


def take_language(words: Sequence[str], environment: Mapping[str, str]) -> tuple[Language, list[str]]:
    """Return the language and the words without ``--lang``, which may stand anywhere before ``--``.

    The option comes first, then ``KNOWLEDGE_SEARCH_LANG``, then the locale (``LC_ALL``, ``LC_MESSAGES``, ``LANG``).

    Raises:
        ConfigurationError: A language that does not exist, or ``--lang`` without one.
    """
    rest: list[str] = []
    chosen: str | None = None
    pending = iter(words)
    for word in pending:
        if word == "--":
            rest += [word, *pending]
        elif word == "--lang":
            chosen = next(pending, "")
        elif word.startswith("--lang="):
            chosen = word.removeprefix("--lang=")
        else:
            rest.append(word)
    if chosen is None:
        chosen = environment.get("KNOWLEDGE_SEARCH_LANG") or locale_language(environment)
    for language in LANGUAGES:
        if chosen == language:
            return language, rest
    message = f"言語は ja か en です: {chosen!r} / the language is ja or en, not {chosen!r}"
    raise ConfigurationError(message)


def locale_language(environment: Mapping[str, str]) -> Language:
    """Return the language of the locale; English where there is none."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            return "ja" if value.lower().startswith("ja") else "en"
    return "en"
