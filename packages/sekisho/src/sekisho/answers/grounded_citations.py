"""Sentences of an answer, and the citations in brackets that each of them has."""

from __future__ import annotations

import re
from typing import NamedTuple

_DIGITS, _SPACE = "[0-9０-９]{1,4}", "[ \u3000]{0,3}"
_CITATION = re.compile(rf"[\[［【]{_SPACE}({_DIGITS}(?:{_SPACE}[,、，;]{_SPACE}{_DIGITS}){{0,20}}){_SPACE}[\]］】]")
_WITH_SPACE = re.compile(rf"[ \t\u3000]{{0,3}}{_CITATION.pattern}")
_LEADING = re.compile(rf"[ \t\u3000]*+(?:{_CITATION.pattern}[ \t\u3000]*+(?:[。.][ \t\u3000]*+)?+)+")
_NUMBER = re.compile(r"[0-9０-９]+")
_CLOSING = {"「": "」", "『": "』", "（": "）", "(": ")"}
_ENDS = frozenset("。！？!?")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_QUESTION = re.compile(r"(?:[?？]|ですか。|ますか。)[ \t]*\Z")
_INTRODUCTION = re.compile(r"[:：][ \t*_]*\Z")
_TABLE_ROW = re.compile(r"[ \t]*\|")
_LEAST_LETTERS = 8
"""A shorter piece, such as ``はい。`` or ``Yes, it is.``, states nothing that could be cited."""
_LONGEST_QUOTE = 300
"""Characters after which an opened bracket no longer holds a sentence together: it was most likely never closed."""


class Citations(NamedTuple):
    """What citations an answer has.

    Attributes:
        uncited: Sentences without a valid one; empty where the answer has no citation at all.
        miscited: Numbers beyond the contexts, each once.
        any: Whether there is any citation.
    """

    uncited: tuple[str, ...]
    miscited: tuple[int, ...]
    any: bool


def check_citations(text: str, contexts: int) -> Citations:
    """Return the sentences of an answer that cite no context, and the citations that lead nowhere.

    ``[1]``, ``［1］``, ``【1】`` and ``[1, 2]`` are citations; one after the full stop belongs to the sentence before.
    Headings, questions, introductions that end with a colon, rows of tables and pieces of fewer than eight letters need
    none. Where an answer holds no citation at all, its system may cite in another way: no sentence is then listed.

    Args:
        text: The answer.
        contexts: How many contexts the model was given; with 0 every number is taken for valid.
    """
    found = _numbers(text)
    beyond = {number for number in found if not _is_valid(number, contexts)}
    if not found:
        return Citations((), (), any=False)
    uncited = tuple(
        _WITH_SPACE.sub("", sentence).strip()
        for sentence in sentences_in(text)
        if _states_something(sentence) and not any(_is_valid(number, contexts) for number in _numbers(sentence))
    )
    return Citations(uncited, tuple(sorted(beyond)), any=True)


def without_citations(text: str) -> str:
    """Return a text without citations, whose numbers are no claims."""
    return _CITATION.sub(" ", text)


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a text, each with the citations that follow it.

    A sentence ends at 。！？!?, at a full stop before a space, and at the end of a line; never inside brackets or
    quotes that are closed on the same line.
    """
    sentences: list[str] = []
    for line in text.splitlines():
        first = len(sentences)
        for piece in _pieces(line):
            leading = _LEADING.match(piece)
            if leading and len(sentences) > first:
                sentences[-1] += leading[0]
                piece = piece[leading.end() :]  # noqa: PLW2901  the rest of it
            if piece.strip():
                sentences.append(piece.strip())
    return sentences


def _pieces(line: str) -> list[str]:
    pieces: list[str] = []
    start, waiting, opened = 0, "", 0
    for place, char in enumerate(line):
        if waiting:
            if char == waiting or place - opened > _LONGEST_QUOTE:
                waiting = ""
        elif char in _CLOSING and line.find(_CLOSING[char], place, place + _LONGEST_QUOTE) > 0:
            waiting, opened = _CLOSING[char], place
        elif char in _ENDS or (char == "." and _ends_sentence(line, place)):
            pieces.append(line[start : place + 1])
            start = place + 1
    return [*pieces, line[start:]]


def _ends_sentence(line: str, place: int) -> bool:
    """Tell whether a full stop ends a sentence: a space or a citation follows, and what precedes is no initial."""
    after = line[place + 1 : place + 3]
    before = line[max(place - 3, 0) : place]
    is_abbreviation = len(before.split(" ")[-1]) <= 1 or before.endswith((" No", " Mr", " Dr"))
    return not is_abbreviation and (not after or after[0].isspace() or after[0] in "[［【")


def _numbers(text: str) -> list[int]:
    return [int(number) for match in _CITATION.finditer(text) for number in _NUMBER.findall(match[1])]


def _is_valid(number: int, contexts: int) -> bool:
    return number >= 1 and (contexts == 0 or number <= contexts)


def _states_something(sentence: str) -> bool:
    bare = _CITATION.sub("", sentence)
    if any(form.match(bare) for form in (_HEADING, _TABLE_ROW)):
        return False
    if any(form.search(bare) for form in (_QUESTION, _INTRODUCTION)):
        return False
    return sum(map(str.isalpha, bare)) >= _LEAST_LETTERS
