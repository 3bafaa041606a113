"""Which language the sentences of a test run are in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from sekisho.core.languages import locale_language
from sekisho.core.messages import LANGUAGES, message

if TYPE_CHECKING:
    from sekisho.core.messages import Language


def language_of(config: pytest.Config) -> Language:
    """Return the language of ``sekisho_lang``, else of ``SEKISHO_LANG``, else of the locale.

    Raises:
        pytest.UsageError: There is no such language.
    """
    spoken = locale_language(os.environ)
    chosen = str(config.getini("sekisho_lang") or os.environ.get("SEKISHO_LANG") or spoken)
    for language in LANGUAGES:
        if language == chosen:
            return language
    raise pytest.UsageError(message("app.unknown_language", spoken, language=chosen, known=", ".join(LANGUAGES)))
