"""Questions as they come from outside: checked once, at the edge (route, command, evaluation)."""

from __future__ import annotations

import unicodedata
from typing import Final, Literal

from knowledge_search.answer.language import Sentence
from knowledge_search.domain import KnowledgeError

MAX_QUESTION_CHARS: Final = 2000
"""Longer than any question that a person types; a pasted document is not a question."""
_LAYOUT: Final = frozenset("\t\n\r")

QuestionFault = Literal["empty", "too_long", "control_characters"]


class QuestionError(KnowledgeError, ValueError):
    """A text that is no question.

    Attributes:
        code: Why, as a word.
        sentence: What to tell the asker, in both languages.
    """

    def __init__(self, code: QuestionFault, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.code = code
        self.sentence = sentence


def checked_question(text: str, *, limit: int = MAX_QUESTION_CHARS) -> str:
    """Return a question without the white space around it.

    Args:
        text: As it came.
        limit: Length in characters, at most, after stripping.

    Raises:
        QuestionError: It is empty (white space and invisible characters only), longer than ``limit``, or holds control
            characters other than tab and line breaks, or half a surrogate pair, which no database stores.
    """
    question = text.strip()
    if not any(_visible(each) for each in question):
        raise QuestionError(
            "empty",
            Sentence(ja="質問が空です。知りたいことを書いてください。", en="The question is empty: ask something."),
        )
    if len(question) > limit:
        raise QuestionError(
            "too_long",
            Sentence(
                ja=f"質問が長すぎます（{len(question):,} 文字）。{limit:,} 文字以内にしてください。",
                en=f"The question is too long ({len(question):,} characters): use at most {limit:,}.",
            ),
        )
    forbidden = next((each for each in question if _forbidden(each)), None)
    if forbidden is not None:
        raise QuestionError(
            "control_characters",
            Sentence(
                ja=f"質問に制御文字 U+{ord(forbidden):04X} が含まれています。取り除いてください。",
                en=f"The question holds the control character U+{ord(forbidden):04X}: remove it.",
            ),
        )
    return question


def _visible(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) != "Cf"


def _forbidden(character: str) -> bool:
    return character not in _LAYOUT and unicodedata.category(character) in {"Cc", "Cs"}
