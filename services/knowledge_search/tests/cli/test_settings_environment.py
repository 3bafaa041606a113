"""Settings come from the environment, where a misspelt name is an error."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from knowledge_search.settings import Settings


def test_a_misspelt_variable_is_refused_with_the_right_spelling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignored, it would leave the default in place without a word."""
    monkeypatch.setenv("KNOWLEDGE_SEARCH_EMBEDER", "e5")

    with pytest.raises(ValidationError, match=r"EMBEDER is no setting; did you mean KNOWLEDGE_SEARCH_EMBEDDER\?"):
        Settings()


def test_the_language_of_the_command_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the prefix and is read by the command alone."""
    monkeypatch.setenv("KNOWLEDGE_SEARCH_LANG", "ja")

    assert Settings().embedder == "hashing"
