"""Letters that look like others: a text read as it appears (Unicode Technical Standard #39, section 4).

Covered: Cyrillic, Greek, Armenian and Cherokee letters that look like Latin ones; O, 〇 and l between digits; kanji and
katakana that look alike, where the other script stands beside them (力ード, ハ月, ニ十万円, デ一タ); へ in either kana;
strokes laid over letters. Not covered: what only resembles in groups (rn and m), letters of further scripts, and whole
words that a reader would still guess.
"""

from __future__ import annotations

from sekisho.matching.edits import Edited, substitute
from sekisho.matching.patterns import pattern

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
_STROKES = pattern("[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6]+")
_DIGIT = "0-9０-９"
_ZEROS, _ONES = "OoОоΟο〇○◯", "lIІӀ"
_KANJI, _KATAKANA = "力口工夕八卜二才", "カロエタハトニオ"
_ORDERED = (
    (
        f"[{_ZEROS}](?<=[{_DIGIT},，].)[{_ZEROS}]*(?=[{_DIGIT}万億千円%,，.])",
        str.maketrans(dict.fromkeys(_ZEROS, "0")),
    ),
    (f"[{_ONES}](?<=[{_DIGIT}].)[{_ONES}]*(?=[{_DIGIT}])", str.maketrans(dict.fromkeys(_ONES, "1"))),
    (f"[ЗӠ](?:(?<=[{_DIGIT}].)|(?=[{_DIGIT}万億千円時]))", str.maketrans("ЗӠ", "33")),
    ("一(?<=[ァ-ヺー].)(?=[ァ-ヺー]|(?![一-鿿0-9０-９]))", str.maketrans("一", "ー")),
    (f"[{_KANJI}](?<=[ァ-ヺー].)[{_KANJI}]*", str.maketrans(_KANJI, _KATAKANA)),
    (f"[{_KANJI}](?<![一-鿿0-9].)[{_KANJI}]*(?=[ァィゥェォッャュョー])", str.maketrans(_KANJI, _KATAKANA)),
    ("[カロエタハトニ](?<![ァ-ヺー].)[カロエタハトニ]*(?=[一-鿿])", str.maketrans(_KATAKANA, _KANJI)),
    ("へ(?:(?<=[ァ-ヺー].)|(?=[ァ-ヺー]))", str.maketrans("へ", "ヘ")),
)
"""What is read as another letter where it stands, each after the ones before it."""
_IN_PLACE = tuple((pattern(source), table) for source, table in _ORDERED)
_FOREIGN = pattern("[ʹ-ϿЀ-ԯ԰-֏Ꭰ-Ᏽ]")
_PLACED = pattern(
    "[OoОоΟο〇○◯lIІӀЗӠ一力口工夕八卜二才カロエタハトニへ]"
    f"(?:(?<=[{_DIGIT},，][{_ZEROS}])|(?<=[{_DIGIT}][{_ONES}ЗӠ])|(?<=[ЗӠ])(?=[{_DIGIT}万億千円時])"
    "|(?<=[ァ-ヺー]一)(?=[ァ-ヺー]|(?![一-鿿0-9０-９]))"
    f"|(?<=[ァ-ヺー][{_KANJI}へ])|(?<=[{_KANJI}])(?<![一-鿿0-9].)[{_KANJI}]*(?=[ァィゥェォッャュョー])"
    "|(?<![ァ-ヺー][カロエタハトニ])(?<=[カロエタハトニ])[カロエタハトニ]*(?=[一-鿿])|(?<=へ)(?=[ァ-ヺー]))"
)
"""Where one of them may be; where it is nowhere, nothing is in the place of another letter."""


EXCHANGED = frozenset(
    chr(each)
    for table in (_LATIN, *(table for _, table in _ORDERED))
    for pair in table.items()
    for each in pair
    if isinstance(each, int)
)
"""Every letter that is read as another, or that another is read as."""


def has_strokes(text: str) -> bool:
    """Return whether strokes are laid over letters of a raw text."""
    return not text.isascii() and _STROKES.search(text) is not None


def as_it_looks(text: str) -> list[Edited]:
    """Return the layers from a raw text to one in which look-alikes are one letter; none where there are none."""
    if text.isascii() and not any(each.search(text) for each, _ in _IN_PLACE[:2]):
        return []
    layers = []
    seen = text
    if _STROKES.search(text):
        layers.append(substitute(text, _STROKES, lambda _: ""))
        seen = layers[0].text
    plain = seen
    for each, table in _IN_PLACE if _PLACED.search(seen) else ():
        plain = each.sub(lambda found, table=table: found[0].translate(table), plain)  # type: ignore[misc]
    if _FOREIGN.search(plain):
        plain = plain.translate(_LATIN)
    if plain != seen:
        layers.append(Edited(plain))
    return layers
