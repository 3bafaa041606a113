"""Both languages say the same things."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import sekisho.adapters.files as package
from sekisho.core.messages import catalogue

SOURCES = Path(package.__file__).parent


def _placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_both_languages_have_the_same_sentences_and_placeholders() -> None:
    """A missing one would be a crash in the other language."""
    english, japanese = catalogue("files", "en"), catalogue("files", "ja")

    assert english.keys() == japanese.keys()
    for name, sentence in english.items():
        assert _placeholders(sentence) == _placeholders(japanese[name]), name
        assert not sentence.isascii() or japanese[name] != sentence


def test_every_code_in_the_readers_has_a_sentence() -> None:
    """Codes written out in the source; those built from a change of spelling are tested where they are raised."""
    source = "".join(path.read_text() for path in SOURCES.glob("*.py"))
    codes = set(re.findall(r'(?:failure|_refusal|BadValueError)\(\s*"([a-z_0-9]+)"', source))

    assert len(codes) > 30
    assert {code for code in codes if code not in catalogue("files", "en")} <= {"unknown_queries", "unknown_documents"}
