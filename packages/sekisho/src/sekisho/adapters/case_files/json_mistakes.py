"""What somebody who writes JSON by hand did where a parser only says what it expected."""

from __future__ import annotations

import re
from typing import NamedTuple

_BLANKS = re.compile(r"[ \t\n\r]*+")
_WORD = re.compile(r"[^\s,:;{}\[\]\"'，：]{1,80}")
_SPELLINGS = {"True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false"}
_WIDE = {"，": ",", "、": ",", "：": ":", "；": ",", "［": "[", "］": "]", "｛": "{", "｝": "}", "＂": '"'}
_QUOTES = "'“”‘’„«»「」『』`＇"
_UNCLOSED = "Unterminated string"
_CONTROL = "Invalid control character"
_ESCAPE = ("Invalid \\escape", "Invalid \\uXXXX escape")


class Mistake(NamedTuple):
    """One mistake.

    Attributes:
        code: Of its sentence, without the area.
        place: Index in the text.
        values: What the placeholders of the sentence stand for.
    """

    code: str
    place: int
    values: dict[str, object]


def mistake(text: str, place: int, expected: str) -> Mistake:
    """Return what was done wrong at an index of a JSON text.

    Args:
        text: The whole text.
        place: Where the parser stopped.
        expected: What the parser of the standard library says about it.
    """
    if expected.startswith(_UNCLOSED):
        return Mistake("json_open_quote", place, {})
    if expected.startswith(_CONTROL):
        return Mistake("json_line_break" if text[place] in "\r\n" else "json_control", place, {"sign": text[place]})
    if expected.startswith(_ESCAPE):
        return Mistake("json_escape", place, {})
    return _at_sign(text, place, expected)


def _at_sign(text: str, place: int, expected: str) -> Mistake:
    blanks = _BLANKS.match(text, place)
    place = blanks.end() if blanks else place
    if place >= len(text):
        return Mistake("json_not_closed", len(text.rstrip()), {})
    before = len(text[:place].rstrip()) - 1
    found = _extra_comma(text, place, before, expected) or _wrong_sign(text, place)
    if found is not None:
        return found
    if expected.startswith("Expecting ',' delimiter"):
        return _missing_comma(text, place, before)
    if expected.startswith("Expecting ':' delimiter"):
        return Mistake("json_colon_missing", before + 1, {})
    return _at_word(text, place)


def _extra_comma(text: str, place: int, before: int, expected: str) -> Mistake | None:
    sign, last = text[place], text[before] if before >= 0 else ""
    if last == "," and sign in "]},":
        return Mistake("json_comma_too_many", before, {})
    if sign == "," and (last in "[{" or expected.startswith("Illegal trailing comma")):
        return Mistake("json_comma_too_many", place, {})
    return None


def _wrong_sign(text: str, place: int) -> Mistake | None:
    sign = text[place]
    if sign in _WIDE:
        return Mistake("json_wide_sign", place, {"sign": sign, "meant": _WIDE[sign]})
    if sign.isspace():  # none of the four blanks of JSON, which end before this place
        return Mistake("json_wide_blank", place, {})
    if sign in _QUOTES:
        return Mistake("json_quotes", place, {"sign": sign})
    if text.startswith(("//", "/*", "#"), place):
        return Mistake("json_comment", place, {})
    return None


def _missing_comma(text: str, place: int, before: int) -> Mistake:
    if text[place] in "]})":
        return Mistake("json_bracket", place, {"sign": text[place]})
    if text[before] == '"' and text[place] not in '"{[-0123456789':
        return Mistake("json_inner_quote", before, {})
    return Mistake("json_comma_missing", before + 1, {})


def _at_word(text: str, place: int) -> Mistake:
    found = _WORD.match(text, place)
    if found is None:
        return Mistake("json_bracket", place, {"sign": text[place]})
    word = found.group()
    if word in _SPELLINGS:
        return Mistake("json_spelling", place, {"word": word, "meant": _SPELLINGS[word]})
    return Mistake("json_word", place, {"word": word})
