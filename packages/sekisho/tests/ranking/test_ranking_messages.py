"""The sentences of this area, and its frozen records."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from string import Formatter

import pytest

import sekisho.ranking
from sekisho.core.messages import LANGUAGES, catalogue
from sekisho.ranking import Metric, score_many


def placeholders(template: str) -> set[str]:
    """Return the names of the placeholders in a sentence."""
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_both_languages_have_the_same_sentences() -> None:
    """The same names with the same placeholders."""
    english, japanese = (catalogue("ranking", language) for language in LANGUAGES)

    assert {name: placeholders(text) for name, text in english.items()} == {
        name: placeholders(text) for name, text in japanese.items()
    }
    assert not set(english.values()) & set(japanese.values())


def test_every_sentence_is_used_and_every_code_has_one() -> None:
    """Codes in the sources and sentences in the catalogue are the same set."""
    sources = Path(sekisho.ranking.__path__[0]).glob("*.py")
    used = {code for path in sources for code in re.findall(r'"ranking\.(\w+)"', path.read_text(encoding="utf-8"))}

    assert used == set(catalogue("ranking", "en"))


def test_scores_are_a_frozen_record() -> None:
    """Equal where their fields are, unchangeable, and told apart from other records."""
    scores = score_many({"q": ["a"]}, {"q": ["a"]}, ["mrr"])

    assert scores == pickle.loads(pickle.dumps(scores)) == score_many({"q": ["a"]}, {"q": ["a"]}, ["mrr"])  # noqa: S301  our own bytes
    assert scores != Metric("mrr")
    assert "means={'mrr': 1.0}" in repr(scores)
    with pytest.raises(AttributeError):
        scores.means = {}
    with pytest.raises(TypeError):
        type(scores)(**{name: getattr(scores, name) for name in scores.__slots__}, more=1)
