"""Letters that look like others: a text read as it appears (Unicode Technical Standard #39, section 4).

Covered: Cyrillic, Greek, Armenian and Cherokee letters that look like Latin ones; O, 〇 and l between digits; kanji and
katakana that look alike, where the other script stands beside them (力ード, ハ月, ニ十万円, デ一タ); へ in either kana;
strokes laid over letters. Not covered: what only resembles in groups (rn and m), letters of further scripts, and whole
words that a reader would still guess.
"""

from __future__ import annotations

import re

from sekisho.matching.edits import Edited, substitute

_LATIN = str.maketrans(
    {
        **dict(zip("АВЕЅІЈКМНОРСТУХҮԜԚӀЬ", "ABESIJKMHOPCTYXYWQIB", strict=True)),
        **dict(zip("аеѕіјкморстухүԝԛӏһԁгѵԍ", "aesijkmopctyxywqihdrvg", strict=True)),
        **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳ", "ABEZHIKMNOPTYXCj", strict=True)),
        **dict(zip("αικνορτυχγωϲϱ", "aikvoptuxywcp", strict=True)),
        **dict(zip("ՍՕԼՏՈօսոհցզյ", "UOLSnounhgqj", strict=True)),
        **dict(zip("ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEHJKLMPRSTVWZ", strict=True)),
    }
)
_STROKES = re.compile("[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6]+")
_DIGIT = "0-9０-９"
_ZEROS, _ONES = "OoОоΟο〇○◯", "lIІӀ"
_IN_PLACE = (
    (
        re.compile(f"(?<=[{_DIGIT},，])[{_ZEROS}]+(?=[{_DIGIT}万億千円%,，.])"),
        str.maketrans(dict.fromkeys(_ZEROS, "0")),
    ),
    (re.compile(f"(?<=[{_DIGIT}])[{_ONES}]+(?=[{_DIGIT}])"), str.maketrans(dict.fromkeys(_ONES, "1"))),
    (re.compile(f"(?<=[{_DIGIT}])[ЗӠ]|[ЗӠ](?=[{_DIGIT}万億千円時])"), str.maketrans("ЗӠ", "33")),
    (re.compile("(?<=[ァ-ヺー])一(?=[ァ-ヺー]|(?![一-鿿0-9０-９]))"), str.maketrans("一", "ー")),
    (re.compile("(?<=[ァ-ヺー])[力口工夕八卜二才]+"), str.maketrans("力口工夕八卜二才", "カロエタハトニオ")),
    (
        re.compile("(?<![一-鿿0-9])[力口工夕八卜二才]+(?=[ァィゥェォッャュョー])"),
        str.maketrans("力口工夕八卜二才", "カロエタハトニオ"),
    ),
    (re.compile("(?<![ァ-ヺー])[カロエタハトニ]+(?=[一-鿿])"), str.maketrans("カロエタハトニ", "力口工夕八卜二")),
    (re.compile("(?<=[ァ-ヺー])へ|へ(?=[ァ-ヺー])"), str.maketrans("へ", "ヘ")),
)


_PLACED = re.compile("[OoОоΟο〇○◯lIІӀЗӠ一力口工夕八卜二才カロエタハトニへ]")


def as_it_looks(text: str) -> list[Edited]:
    """Return the layers from a raw text to one in which look-alikes are one letter; none where there are none."""
    if text.isascii() and not any(pattern.search(text) for pattern, _ in _IN_PLACE[:2]):
        return []
    layers = []
    seen = text
    if _STROKES.search(text):
        layers.append(substitute(text, _STROKES, lambda _: ""))
        seen = layers[0].text
    plain = seen
    for pattern, table in _IN_PLACE if _PLACED.search(seen) else ():
        plain = pattern.sub(lambda found, table=table: found[0].translate(table), plain)  # type: ignore[misc]
    if _FOREIGN.search(plain):
        plain = plain.translate(_LATIN)
    if plain != seen:
        layers.append(Edited(plain))
    return layers


_FOREIGN = re.compile("[ʹ-ϿЀ-ԯ԰-֏Ꭰ-Ᏽ]")
