"""Which lines are headings."""

from __future__ import annotations

import pytest

from knowledge_search.chunk.headings import headings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# 休暇 #\n本文", [(1, "休暇")]),
        ("#hashtag\n\n####### seven", []),
        ("```\n# comment\n```\n# real\n", [(1, "real")]),
        ("題名\n====\n本文\n\n節\n---\n本文", [(1, "題名"), (2, "節")]),
        ("一行め\n二行め\n---\n", []),
        ("1. 目的\n\n本文", []),
        ("第3章 勤務\n本文", [(12, "第3章 勤務")]),
        ("■ 申請\n本文\n【注意】\n本文", [(20, "申請"), (20, "注意")]),
        ("■ 一つめ\n■ 二つめ\n■ 三つめ", []),
    ],
)
def test_markdown(text: str, expected: list[tuple[int, str]]) -> None:
    """Hashes and underlines outside code; marks and divisions alone on a line; numbered lines are list items."""
    assert [(heading.rank, heading.title) for heading in headings(text, marked_up=True)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# not a heading here", []),
        ("1. 目的\nこの規程は、旅費を定める。\n2. 対象\n社員に用いる。", ["1. 目的", "2. 対象"]),
        ("1. りんご\n2. みかん\n3. ぶどう", []),
        ("1.1 Scope\nThis is about travel.\n1.2 Terms\nA trip is a trip.", ["1.1 Scope", "1.2 Terms"]),
        ("1. This is a whole sentence.\nAnd more.", []),
        ("第1章 総則 ........ 3\n第2章 旅費 ........ 5", []),
        ("第4章 労働時間、休憩及び休日\n本文", ["第4章 労働時間、休憩及び休日"]),
        ("第2条(申請)\n本文", ["第2条(申請)"]),
        ("第2条 申請は、前日までに行う\n本文", []),
        ("第2条の2 特例\n本文", ["第2条の2 特例"]),
        ("(目的)\n第1条 この規程は、旅費を定める。", ["目的"]),
        ("(別紙を見る)\n本文", []),
        (f"It ends here.\nTerms of Use\nThe terms {'go on ' * 10}", ["Terms of Use"]),
        (f"It does not end\nTerms of Use\nThe terms {'go on ' * 10}", []),
        ("It ends here.\nTerms of Use\nCell two", []),
        (f"Tip\nThe tip {'goes on ' * 10}", []),
        (f"- no full stop\nTerms of Use\nThe terms {'go on ' * 10}", ["Terms of Use"]),
        (f"It ends.\nTRAVEL\nTrain Fares\nThe fares {'go on ' * 10}", ["TRAVEL", "Train Fares"]),
        (f"It does not end\nTRAVEL\nTrain Fares\nThe fares {'go on ' * 10}", []),
        (f"Red Wine\nWhite Wine\nRice Wine\nPlum Wine\nThe wine {'goes on ' * 10}", []),
        (f"{'A-' * 90}.\n{'A ' * 90}.\n{'long ' * 20}", []),
        ("2024年度の計画\n本文", []),
        ("12:30 に集合\n本文", []),
    ],
)
def test_text_and_pdf(text: str, expected: list[str]) -> None:
    """Numbered lines too, unless they are a list, a sentence or a table of contents."""
    assert [heading.title for heading in headings(text, marked_up=False)] == expected


def test_titles_upon_each_other_and_capitals_stand_above_a_title_alone() -> None:
    """A title alone names a part of what they name; the next ones of their kind end it."""
    prose = "\n" + "It goes on and on. " * 5 + "\n"
    text = prose.join(["TRAVEL\nTrain Fares\nTRAVEL: Train Fares", "Tips for Travellers", "HOTELS AND MEALS", ""])
    found = headings(text, marked_up=False)

    assert [heading.title for heading in found] == [*text.split("\n")[:3], "Tips for Travellers", "HOTELS AND MEALS"]
    travel, trains, again, tips, hotels = [heading.rank for heading in found]
    assert travel < trains < again < tips
    assert hotels == travel


def test_offsets_are_those_of_the_line() -> None:
    """From the first sign to the last, without the line break."""
    text = "前\n\n## 半日 \n後"
    (heading,) = headings(text, marked_up=True)

    assert text[heading.start : heading.end] == "## 半日"
