"""Questions as they come from outside, and the language to answer in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_search.answer import NOT_FOUND, QuestionError, Sentence, checked_question, language_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \n\u3000", "empty"),
        ("\u200b\ufeff", "empty"),
        ("a" * 2001, "too_long"),
        ("a\x00b", "control_characters"),
        ("a\x1b[31m", "control_characters"),
        ("a\x85b", "control_characters"),
        ("a\ud800", "control_characters"),
    ],
)
def test_what_is_no_question_is_refused_in_both_languages(text: str, code: str) -> None:
    """With a word for programs and a sentence for people."""
    with pytest.raises(QuestionError) as caught:
        checked_question(text)

    assert caught.value.code == code
    assert "質問" in caught.value.sentence.text("ja")
    assert "question" in caught.value.sentence.text("en")


@pytest.mark.parametrize("text", ["有休は？", "  a\nb\t ", "🍣", "a" * 2000 + "  ", "家族👨‍👩‍👧の手当"])
def test_questions_are_stripped_and_otherwise_kept(text: str) -> None:
    """Line breaks, emoji and joiners are part of what people type."""
    assert checked_question(text) == text.strip()


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.text(st.characters(), max_size=40))
def test_every_text_is_a_question_or_refused(text: str) -> None:
    """A question that passes can be stored, and passes again."""
    try:
        question = checked_question(text)
    except QuestionError:
        return
    question.encode()
    assert checked_question(question) == question


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("有休は何日？", "ja"),
        ("VPNの設定", "ja"),
        ("Microsoft Teamsの使い方", "ja"),
        ("経費精算", "ja"),
        ("ﾊﾟｽﾜｰﾄﾞ", "ja"),
        ("AWS 料金 比較", "ja"),
        ("How many days off?", "en"),
        ("What does 有給 mean?", "en"),
        ("", "en"),
        ("12:00?", "en"),
        ("Où est le bureau ?", "en"),
        ("𠮷野家", "ja"),
    ],
)
def test_the_language_is_told_by_the_script(text: str, language: str) -> None:
    """Hiragana decides; without it the weight of the letters."""
    assert language_of(text) == language


def test_the_polite_sentence_is_known_by_its_word() -> None:
    """People and cases look for it."""
    assert "見つかりません" in NOT_FOUND.ja
    assert str(Sentence(ja="はい", en="yes")) == "はい / yes"
