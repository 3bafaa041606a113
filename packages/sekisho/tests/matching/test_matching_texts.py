"""Characters, spaces, look-alikes, offsets and disguises of wanted texts."""

from __future__ import annotations

import bz2
import re
import time
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sekisho.matching import Occurrence, TextMatcher, contains, fold

if TYPE_CHECKING:
    from pathlib import Path

HIDDEN = ("", "\u200b", "\u00ad", "\u202e", "\ufe0f", "\U000e0101", "\u2060", "\u180e", "\u3164", "\U000e0041")
WANTED = (
    *("秘密計画アルファ", "secret plan", "20万円の手当", "ガイドブック", "秘密", "の", "計画書A", "給与規程"),
    *("vacation.md", "第3四半期の売上", "三か月以内", "パスワード", "Straße", "10 kg", "八月の会議", "へいわ"),
)
NUMERIC = "0123456789,、. -ー―〜:/¥\\一二三十百千万億〇円時分日月人第数かカガｶﾞ\u3099゛\n\u200b①½⒈|aァ%年é"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("ＡＢＣ", "abc"),
        ("Straße", "STRASSE"),
        ("ｶﾞｷﾞｸﾞ", "ガギグ"),
        ("か\u3099く", "がく"),
        ("か゛く", "がく"),
        ("㈱山田", "(株)山田"),
        ("⻑期", "長期"),
        ("⽇本", "日本"),
        ("サーバ―", "サーバー"),
        ("サ─バ‐", "サーバー"),
        ("サ ー バ", "サーバ"),
        ("東京ー大阪", "東京-大阪"),
        ("給 与\n規程", "給与規程"),
        ("her  book", "her book"),
        ("給与 rule", "給与rule"),
        ("don’t", "don't"),
        ("１〜２", "1～2"),
        ("力ード", "カード"),
        ("ニ十万円", "二十万円"),
        ("デ一タ", "データ"),
        ("СЕКРЕТ", "CEKPET"),
        ("secrеt", "secret"),
        ("s\u0336e\u0336c\u0336", "sec"),
        ("第三 四半期", "第三四半期"),
    ],
)
def test_variants_are_found(text: str, wanted: str) -> None:
    """However either side is written."""
    assert contains(text, wanted)
    assert contains(wanted, text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("her book", "herb"),
        ("ひらがな", "ヒラガナ"),
        ("resume", "résumé"),
        ("abc", ""),
        ("a。b", "。"),
        ("abc", "\u200b"),
        ("a b", " "),
        ("----", "--"),
    ],
)
def test_what_differs_is_not_found(text: str, wanted: str) -> None:
    """Words apart stay apart, kana stay apart, and a text without letter or digit is never contained."""
    assert not contains(text, wanted)


@pytest.mark.parametrize(
    ("text", "raw", "wanted"),
    [
        ("上限は ２０ 万\u200b円 です", "２０ 万\u200b円", "20万円"),
        ("計¥200,000。", "¥200,000", "20万円"),
        ("ああｶﾞｲﾄﾞです", "ｶﾞｲﾄﾞ", "ガイド"),
        ("あ㈱山田と", "㈱山", "株)山"),
        ("a  b  c", "b  c", "b c"),
        ("xе́y", "xе́y", "xе́y"),
        ("十分の休憩", "十分", "10分"),
        ("①②0万円", "①②0万円", "120万円"),
        ("見る力ードを", "力ード", "カード"),
        ("20〜24万円", "20", "20万円"),
        ("か\u3099く\u3099が", "く\u3099", "ぐ"),
        ("Привет ΑΒΓ", "ΑΒΓ", "αβγ"),
        ("秘密\ufe00の", "秘密\ufe00", "秘密"),
    ],
)
def test_occurrence_is_the_raw_piece(text: str, raw: str, wanted: str) -> None:
    """Offsets are those of the raw text, to the character."""
    found = TextMatcher([wanted]).occurrences(text)[wanted]

    start = text.index(raw)
    assert found == Occurrence(start, start + len(raw), raw)


def test_exact_compares_characters_only() -> None:
    """No folding, no whole numbers; an empty text is never contained."""
    found = TextMatcher(["20万円", "２０万円", "", "a"], exact=True).occurrences("120万円A")

    assert found == {"20万円": Occurrence(1, 5, "20万円")}


@given(st.text() | st.text(alphabet=NUMERIC) | st.text(alphabet=st.characters(categories=["Cs", "Mn", "Nd", "No"])))
@example("2\n200時間")
@example("百jpy 0円")
@example("か゛ ゛-5")
def test_folding_again_changes_nothing(text: str) -> None:
    """The canonical form is a fixed point."""
    once = fold(text)

    assert fold(once) == once


@given(st.text(alphabet=NUMERIC, max_size=20), st.text(alphabet=NUMERIC, min_size=1, max_size=6))
def test_contains_is_what_the_matcher_finds(text: str, wanted: str) -> None:
    """Also among many others."""
    others = [f"{number}番目の文" for number in range(40)]

    assert contains(text, wanted) == (wanted in TextMatcher([wanted, *others]).occurrences(text))


@given(st.data())
def test_a_disguised_text_is_found_with_its_span(data: st.DataObject) -> None:
    """Full width, hidden characters and case, next to other letters."""
    wanted = data.draw(st.sampled_from(WANTED))
    disguise = "".join(
        data.draw(st.sampled_from([char, chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char, char.upper()]))
        + data.draw(st.sampled_from(HIDDEN))
        for char in wanted
    )
    before, after = (
        data.draw(st.sampled_from(["", "あ", "x ", "等級1 ", "。"])),
        data.draw(st.sampled_from(["", "あ", "x", "9"])),
    )

    found = TextMatcher([wanted]).occurrences(before + disguise + after)[wanted]

    assert found.start <= len(before)
    assert found.end >= len(before + disguise)


@given(st.text(alphabet=NUMERIC, max_size=20), st.sampled_from(WANTED), st.sampled_from(["", "\u0336", "\u200b", "力"]))
def test_a_text_is_found_among_very_many(before: str, wanted: str, between: str) -> None:
    """What is told to be missing without being looked for is missing."""
    many = [f"{number}番目の{chr(0x4E00 + 7 * number)}文" for number in range(150)]
    text = before + "。" + wanted[:1] + between + wanted[1:]

    found = TextMatcher([*many, wanted]).occurrences(text)

    assert (wanted in found) == contains(text, wanted)
    assert found == {each: TextMatcher([each]).occurrences(text)[each] for each in found}


@given(st.text(alphabet=NUMERIC, max_size=20), st.sampled_from(WANTED))
def test_a_text_contains_itself_wherever_it_stands(before: str, wanted: str) -> None:
    """Alone, and after what ends a word."""
    text = before + "。" + wanted

    assert contains(wanted, wanted)
    assert contains(text, text)
    assert contains(text, wanted)


@pytest.mark.shared_data
def test_all_of_the_normalisation_test_folds_once(shared_data: Path) -> None:
    """Each of its strings folds to a fixed point, and its compatibility forms are found."""
    path = shared_data / "unicode-data" / "NormalizationTest.txt.bz2"
    rows = [
        ["".join(chr(int(code, 16)) for code in column.split()) for column in line.split(";")[:5]]
        for line in bz2.decompress(path.read_bytes()).decode().splitlines()
        if line and line[0] not in "#@"
    ]

    changed = [row for row in rows if any(fold(fold(each)) != fold(each) for each in row)]

    assert len(rows) > 18_000
    assert changed == []


@pytest.mark.parametrize(
    "text",
    [
        *("1", ",", "一", "\u0301\u0323", "\u200b", " ", "1,", "¥", "ー-", "①"),
        *("1 ", "1円", "¥1", "20-30円", "一円", "十分", "1億 ", "力", "ハ", "O", "1O", "一 ", "\ufdd0", "か゛"),
    ],
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    """Four times the text takes about four times as long, not sixteen."""
    matcher = TextMatcher(["20万円", "p.2", "1", "カード"])

    def seconds(length: int) -> float:
        start = time.process_time()
        matcher.occurrences("カード" + text * length)
        return time.process_time() - start

    short = min(seconds(20_000) for _ in range(3))
    assert seconds(80_000) < 10 * short + 0.05


@pytest.mark.shared_data
def test_compatibility_forms_and_variation_sequences_are_found(shared_data: Path) -> None:
    """Whatever NFKC_Casefold makes equal to a letter or digit is one, with or without a variation selector."""
    folder = shared_data / "unicode-data"
    properties = (folder / "DerivedNormalizationProps.txt").read_text(encoding="utf-8")
    variants = (folder / "StandardizedVariants.txt").read_text(encoding="utf-8")
    pairs = [
        (chr(code), "".join(chr(int(each, 16)) for each in found[3].split()))
        for found in re.finditer(r"^(\w+)(?:\.\.(\w+))?\s*; NFKC_CF;([ \w]*)", properties, re.MULTILINE)
        for code in range(int(found[1], 16), int(found[2] or found[1], 16) + 1)
    ]
    pairs += [(chr(int(base, 16)) + chr(int(selector, 16)), chr(int(base, 16))) for base, selector in
              re.findall(r"^(\w+) (\w+);", variants, re.MULTILINE)]  # fmt: skip
    known = [
        (disguise, plain)
        for disguise, plain in pairs
        if any(map(str.isalnum, plain)) and unicodedata.category(disguise[0]) != "Cn" and disguise != "ｰ"
    ]

    missed = [disguise for disguise, plain in known if not contains(f"秘{disguise}密", f"秘{plain}密")]

    assert len(known) > 6_000
    assert missed == []
