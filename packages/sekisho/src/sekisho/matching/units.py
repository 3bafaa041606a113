"""Units and counters, and the words of Japanese that look like a number with one.

A kanji numeral is a number only before a unit, and even there some words are not numbers (一部, 十分な, 二人三脚).
Three judgements: ``number``, ``word``, and ``either`` for what only the sentence could tell (十分, 一人).
"""

from __future__ import annotations

from typing import Literal

from sekisho.matching.patterns import pattern

Judgement = Literal["number", "either", "word"]

_ALIASES = {
    "圓": "円", "yen": "円", "jpy": "円", "パーセント": "%", "percent": "%", "per cent": "%", "才": "歳",
    "頁": "ページ",
    "粁": "km", "瓩": "kg", "弗": "ドル",
    **{small + what: "か" + what for small in "カヵヶケ箇個ヵ" for what in ("月", "月間", "所", "国", "年", "条")},
}  # fmt: skip
_KANJI_UNITS = (
    "円", "圓", "%", "パーセント", "割", "歳", "週間", "時間", "日間", "年間", "分間", "秒間", "か月", "か月間", "か所",
    "か国", "か年", "か条", "時", "分", "秒", "日", "月", "年", "年度", "人", "名", "回", "件", "号", "条", "階", "倍",
    "個", "枚", "台", "項", "章", "社", "位", "度", "点", "ページ", "ドル", "ユーロ", "冊", "週", "丁目", "番",
    *(alias for alias in _ALIASES if alias[0] in "カヵヶケ箇個"),
)  # fmt: skip
_ASCII_UNITS = (
    "部", "本", "才", "頁", "世紀", "期", "等級", "級", "等", "代", "杯", "匹", "通", "店", "軒", "戸", "世帯", "文字",
    "字", "行", "列", "段", "畳", "坪", "着", "足", "株", "口", "票", "便", "語", "巻", "節", "班", "室", "泊", "番地",
    "キロ", "メートル", "センチ", "ミリ", "グラム", "キログラム", "トン", "リットル", "ポイント", "ウォン", "元", "弗",
    "粁", "瓩", "℃", "°c", "営業日",
)  # fmt: skip
_LATIN_UNITS = (
    "yen", "jpy", "percent", "per cent", "usd", "dollars?", "eur", "euros?", "kg", "mg", "g", "km", "cm", "mm", "m",
    "gb", "mb", "tb", "kb", "hours?", "minutes?", "seconds?", "days?", "weeks?", "months?", "years?", "people",
    "persons?", "times", "points?", "items?", "pages?", "ms", "s", "h", "pt", "px",
)  # fmt: skip


def _longest_first(units: tuple[str, ...]) -> str:
    return "|".join(sorted(dict.fromkeys(units), key=lambda unit: (-len(unit), unit)))


UNIT = rf"(?:{_longest_first(_KANJI_UNITS + _ASCII_UNITS)}| ?(?:{_longest_first(_LATIN_UNITS)})(?![a-z])| %)"
"""The pattern of what may stand after a number in ASCII digits."""
UNIT_CHARACTERS = frozenset("".join((*_KANJI_UNITS, *_ASCII_UNITS, *_ALIASES, *_ALIASES.values())))
"""Every character that a unit has, however it is written, beside those of Latin units."""


def _by_first(units: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return for each first character the units that begin with it, longest first: most characters begin none."""
    firsts: dict[str, list[str]] = {}
    for unit in sorted(dict.fromkeys(units), key=len, reverse=True):
        firsts.setdefault(unit[0], []).append(unit)
    return {first: tuple(units) for first, units in firsts.items()}


_AFTER_KANJI = _by_first(_KANJI_UNITS)
_AFTER_ASCII = _by_first(_KANJI_UNITS + _ASCII_UNITS)
_LATIN = pattern(rf" ?(?:{_longest_first(_LATIN_UNITS)})(?![a-z])| %")
NO_LEADING_ZERO = frozenset({"月", "日", "時", "分", "秒"})

_WORD = pattern(
    "十分(?:[なにだ]|すぎ|過ぎ|条件|間に合)|一部|一般|一番(?!線|地)|一度に|千円[札玉]|[一二五]?[十百千万]+円(?:札|玉|硬貨|ショップ|均一|紙幣)|"
    "[一五]円(?:玉|硬貨)|二人三脚|二人静|一人前|一人ひとり|一人一人|一人暮らし|一人っ子|一人称|[二三]人称|十人十色|千人針|"
    "百人一首|一件落着|一回り|一日中|一日千秋|一日一善|一年中|一時[的期凌停]|一時しのぎ|四六時中|二六時中|三日(?:坊主|月|天下)|"
    "二日酔|五月(?:雨|病|晴れ|蠅|蝿|人形)|四月馬鹿|二十日(?:鼠|大根)|[二四五六七八廿]日市|十日[町市]|初七日|七五三|五分五分|九分九厘|"
    "[一二三四五六七八九]分(?:咲|丈|袖|目|方|どおり|通り|音符|割)|一分の隙|[一二三四五六七八九十百千万]+分の[一二三四五六七八九十百千万0-9]|"
    "二枚[目舌]|三枚[目お]|一枚岩|一枚看板|二階堂|二度と|二度寝|二の次|三度目の正直|三年坂|石の上にも三年|六本木|八百[屋長万]|"
    "千代田|千葉|万一|三重|一応|一個人|一台詞|一社会|一点張|三点倒立|一社員|一名詞|一号泣|一週遅|一倍体|十割そば|一度も|もう一度|今一度|百度参|百年の計|二番煎|一条[市通]"
)
"""Words that are no number, from where the numeral begins."""
_BEFORE_WORD = pattern(r"(?:[初腹]|石の上にも)\Z")
_ORDINAL = pattern(r"(?:第|法|規則|規程|規定|令和|平成|昭和|大正|明治|約|計|各|毎|午前|午後|時|月|あと|残り|満|築)\Z")
_IDIOM = pattern("[一二三四五六七八九]{2}")
_IN_ORDER = "一二三四五六七八九"
_EITHER_WITH_ONE = frozenset(
    "時 日 月 年 人 名 回 件 個 枚 台 社 度 点 番 倍 位 分 秒 号 項 章 冊 週 階".split()  # noqa: SIM905  a table
)
_EITHER_WITH_TWO = frozenset({"人", "度", "番"})
_EITHER = frozenset({"条", "番", "度"})
_LENGTH_OF_TIME = pattern(
    "間|前|後|以内|以上|以下|程度|おき|ごと|毎|早|遅|未満|弱|強|ほど|くらい|ぐらい|休憩|刻み|単位|頃|ころ|ごろ|から|まで|過ぎ|経|かか"
)


def unit_name(unit: str) -> str:
    """Return the one form of a unit."""
    plain = unit.lstrip(" ")
    return _ALIASES.get(plain, plain)


def unit_after(text: str, position: int, *, kanji: bool) -> str:
    """Return the unit that stands at ``position`` after a number, as it is written; empty where there is none."""
    char = text[position : position + 1]
    for unit in (_AFTER_KANJI if kanji else _AFTER_ASCII).get(char, ()):
        if text.startswith(unit, position):
            return unit
    first = text[position + 1 : position + 2] if char == " " else char
    found = _LATIN.match(text, position) if not kanji and ("a" <= first <= "z" or first == "%") else None
    return found[0] if found else ""


def word_end(text: str, start: int) -> int:
    """Return where the word ends that begins at ``start`` and is no number, ``start`` where there is none."""
    found = _WORD.match(text, start)
    return found.end() if found else start


def judged(text: str, start: int, end: int, unit: str) -> Judgement:
    """Return what a kanji numeral from ``start`` to ``end`` before ``unit`` is."""
    before = text[max(0, start - 6) : start]
    if _BEFORE_WORD.search(before):
        return "word"
    if _ORDINAL.search(before):
        return "number"
    numeral = text[start:end]
    if numeral == "十" and unit == "分":
        return "number" if _LENGTH_OF_TIME.match(text, end + 1) else "either"
    if _IDIOM.fullmatch(numeral):
        return "word" if numeral in _IN_ORDER else "either"
    one = numeral == "一" and unit in _EITHER_WITH_ONE
    return "either" if one or (numeral == "二" and unit in _EITHER_WITH_TWO) or unit in _EITHER else "number"
