"""Which language the user reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.errors import ConfigurationError
from sekisho.core.languages import locale_language
from sekisho.core.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sekisho.core.messages import Language


def take_language(words: Sequence[str], environment: Mapping[str, str]) -> tuple[Language, list[str]]:
    """Return the language and the words without ``--lang``, which may stand anywhere before ``--``.

    The option comes first, then ``SEKISHO_LANG``, then the locale (``LC_ALL``, ``LC_MESSAGES``, ``LANG``).

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
        chosen = environment.get("SEKISHO_LANG") or locale_language(environment)
    if chosen not in LANGUAGES:
        raise ConfigurationError("app.unknown_language", language=chosen, known=", ".join(LANGUAGES))
    return chosen, rest
