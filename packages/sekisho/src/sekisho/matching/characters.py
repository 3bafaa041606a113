r"""One form for characters that are written in several ways: width, case, composition, hidden characters, dashes.

The base is toNFKC_Casefold (The Unicode Standard, section 3.13, R5; UAX #31, UAX #15): compatibility forms, case and
default-ignorable code points. Beyond it: digits of every script become ASCII, and variants that Japanese text mixes
become one: dashes, long-vowel marks, wave dashes, quotes, spacing voiced marks, radicals. Hiragana and katakana stay
apart.

Only runs of characters that could change are looked at. A run begins with the character before it and ends before one
that nothing composes with, so that each is folded by itself. That holds for any version of the Unicode data.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from sekisho.matching.edits import Edited, edit, in_pieces, replaced, substitute
from sekisho.matching.patterns import pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from sekisho.matching.edits import Edit, Span

APART = "\ufdd0"
"""Stands between two numbers that only look like one (①20, 三 20); a noncharacter, which is dropped from any text."""
GROUPED = "\ufdd1"
"""Stands for a space inside what may be one number (200 000, 1億 2000万) or two."""

_CHANGING = pattern(r"[^\t\n\r -~、。々〆〇〈-】〔〕ぁ-ゖァ-ヺー・㐀-䶿一-鿼]+")
"""What may change or compose, apart from capital letters, which are lowered at once."""
_CONTROLS = pattern(r"[\x00-\x08\x0e-\x1b\x7f]+")
_IGNORABLE = (
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""Default_Ignorable_Code_Point (UAX #44), controls that are no white space, annotation and internal characters."""
_MOST_MARKS = 30
"""The longest run of combining marks in real text (UAX #15, Stream-Safe Text Format)."""
_MOST_KEPT = 64
_SPACING = pattern("[゛゜ﾞﾟ]")
_VOICED = str.maketrans({"゛": "\u3099", "゜": "\u309a", "ﾞ": "\u3099", "ﾟ": "\u309a"})
_VARIANTS = str.maketrans(
    {
        **dict.fromkeys(map(chr, range(0x2010, 0x2016)), "-"),
        **dict.fromkeys("\u02d7\u058a\u1806\u2043\u2212\u23af\u2500\u2501\u2796\u2e3a\u2e3b\ua7f7", "-"),
        **dict.fromkeys("\u301c\u223c\u223e\u2053\u3030", "~"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u301d\u301e\u301f", '"'),
        **dict.fromkeys("\u2028\u2029\u0085", "\n"),
        **dict.fromkeys("\u2800\u1680", " "),
        **dict(zip("\u066a\u066b\u066c", "%.,", strict=True)),
        **dict(
            zip(
                "⺅⺇⺎⺒⺟⺠⺡⺫⺼⻁⻄⻆⻌⻑⻘⻝⻣⻤⻨⻩⻫⻭⻯⻲",
                "亻几兀巳母民氵目肉虎西角辶長青食骨鬼麦黄斉歯竜亀",
                strict=True,
            )
        ),
    }
)
_VARYING = pattern(f"[{''.join(map(chr, _VARIANTS))}]")
_MOST_ROUNDS = 8
_SIGNS = pattern("[²³¹¼-¾⁰-₟⅐-\u218f①-\u24ff❶-➓㈠-㈩㉈-㉏㉑-㉟㊀-㊉㊱-㋋㍘-㍰㏠-㏾\U0001f100-\U0001f10c]+")
"""Characters that are a number, or begin or end with one, once they are folded."""
_IGNORED = pattern(_IGNORABLE)
_IGNORED_LATER = pattern(_IGNORABLE.replace(APART, GROUPED))
_OTHER_DIGIT = pattern(r"\d(?<![0-9])")
_SEPARATIONS = pattern(f"{APART}+")
NUMERALS = frozenset("0123456789〇零一二三四五六七八九壱壹弐貳貮参參肆伍陸漆捌玖十百千拾佰仟万萬億兆")
_BEFORE_NUMBER = NUMERALS | {".", ","}
_NEEDLESS = pattern(
    f"{APART}(?<![{''.join(sorted(_BEFORE_NUMBER))}].)(?<!{APART}.){APART}*"
    f"|{APART}++(?![{''.join(sorted(NUMERALS))}])|{APART}(?<={APART}.){APART}*"
)
"""Marks of separation that :func:`_needed` leaves out."""
_LONG_VOWELS = pattern("[-ー]+")
_KANA = pattern("[ぁ-ゖァ-ヺ]")
_AFTER_KANA = pattern(r"[ぁ-ゖァ-ヺー]\s+\Z")
_AMOUNT = pattern("[0-9¥$]")


def fold_characters(text: str) -> list[Edited]:
    """Return the layers from ``text`` to its folded characters; white space and numbers stay as they are."""
    if text.isascii():
        lowered = text.lower()
        return [substitute(lowered, _CONTROLS, _nothing) if _CONTROLS.search(text) else Edited(lowered)]
    if not _CHANGING.search(text):
        layers = [Edited(text.lower())]
    else:
        runs = edit(text, lambda: _folded_runs(text)).text.lower()
        layers = [Edited(runs, lambda: _folded_runs(text), lambda old, new: _parts(text, old, new))]
        if APART in runs:
            layers.append(Edited(_NEEDLESS.sub("", runs), lambda: replaced(runs, _SEPARATIONS, _needed)))
    inside = layers[-1].text
    if "-" in inside or "ー" in inside:
        layers.append(Edited(_LONG_VOWELS.sub(_long_vowel, inside)))
    return layers


def _nothing(_: re.Match[str]) -> str:
    return ""


def _folded_runs(text: str) -> Iterator[Edit]:
    for found in _CHANGING.finditer(text):
        start, end = found.span()
        start -= start > 0
        run = text[start:end]
        yield start, end, _fold_kept(run) if len(run) <= _MOST_KEPT else _fold_run(run)


def _fold_run(run: str) -> str:
    """Return the folded form of a run that nothing before or behind it composes with."""
    folded = _IGNORED.sub("", run)
    if _SIGNS.search(folded):
        folded = _SIGNS.sub(_apart, folded)
    if _SPACING.search(folded):
        folded = folded.translate(_VOICED)
    for _ in range(_MOST_ROUNDS):
        before = folded
        if _VARYING.search(folded):
            folded = folded.translate(_VARIANTS)
        folded = _normalized(folded).casefold()
        folded = _OTHER_DIGIT.sub(_digit, _IGNORED_LATER.sub("", _normalized(folded)))
        if folded == before:
            break
    return folded


_fold_kept = lru_cache(maxsize=8192)(_fold_run)


def _apart(signs: re.Match[str]) -> str:
    return "".join(map(_sign_apart, signs[0]))


@lru_cache(maxsize=512)
def _sign_apart(sign: str) -> str:
    """Return a number that is one character, set apart from numbers beside it."""
    value = unicodedata.normalize("NFKC", sign)
    if value == sign and (number := unicodedata.numeric(value, 0.5)).is_integer():
        value = str(int(number))  # ❶ and its like have no compatibility form
    return APART + value + APART


def _digit(digit: re.Match[str]) -> str:
    return str(unicodedata.decimal(digit[0]))


def _normalized(text: str) -> str:
    """Return NFKC, in linear time also for marks without end, which ``normalize`` sorts by insertion."""
    if _many_marks(text) and not unicodedata.is_normalized("NFKC", text):
        text = _with_marks_sorted(text)
    return unicodedata.normalize("NFKC", text)


def _many_marks(text: str) -> bool:
    """Return whether more marks than real text has may stand together: two of them half that far apart do."""
    step = _MOST_MARKS // 2
    combining = unicodedata.combining
    return any(map(combining, text[::step])) and any(
        combining(text[at]) and combining(text[at + step]) for at in range(0, len(text) - step, step)
    )


def _with_marks_sorted(text: str) -> str:
    """Return the compatibility decomposition in canonical order (The Unicode Standard, section 3.11, D109)."""
    parts: list[str] = []
    marks: list[str] = []
    for char in "".join([unicodedata.normalize("NFKD", each) for each in text]):
        if unicodedata.combining(char):
            marks.append(char)
            continue
        if marks:
            parts += sorted(marks, key=unicodedata.combining)
            marks.clear()
        parts.append(char)
    return "".join(parts + sorted(marks, key=unicodedata.combining))


def _parts(text: str, old: Span, new: Span) -> Edited:
    """Return a run again as edits of its smallest pieces that fold by themselves."""
    pieces: list[tuple[int, int, int]] = []
    start = old[0]
    folded = _fold_run(text[start])
    for position in range(start + 1, old[1]):
        char = text[position]
        alone = "" if unicodedata.combining(char) else _fold_kept(char)
        if not alone:
            folded = ""  # not known until something follows that may be a piece of its own
            continue
        piece = text[start:position]
        folded = folded or _fold_run(piece)
        if _fold_run(piece + char) == folded + alone:
            pieces.append((start, position, len(folded)))
            start, folded = position, alone
        else:
            folded = ""
    pieces.append((start, old[1], len(_fold_run(text[start : old[1]]))))
    return in_pieces(old, new, pieces)


def _needed(marks: re.Match[str]) -> str:
    """Return a mark of separation only between numbers."""
    text, start, end = marks.string, marks.start(), marks.end()
    between = start > 0 and end < len(text) and text[start - 1] in _BEFORE_NUMBER and text[end] in NUMERALS
    return APART if between else ""


def _long_vowel(found: re.Match[str]) -> str:
    """Return dashes and long-vowel marks that stand together as what they are where they stand."""
    text, start, end = found.string, found.start(), found.end()
    marks = found[0]
    before = text[start - 1 : start]
    if before.isspace():
        spaces = _AFTER_KANA.search(text, max(0, start - _MOST_MARKS), start)
        kept = spaces and marks.count("ー") == len(marks) and not text.endswith("パーセント", 0, spaces.start() + 1)
        return marks if kept else "-" * len(marks)
    if not _KANA.match(before) or text.endswith("パーセント", 0, start):
        return "-" * len(marks)
    if marks[-1] == "-" and _AMOUNT.match(text, end):
        return "ー" * (len(marks) - 1) + "-"
    return "ー" * len(marks)
