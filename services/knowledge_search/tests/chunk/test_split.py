"""Passages of documents."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_search.chunk import split
from knowledge_search.chunk.headings import Heading, headings
from knowledge_search.chunk.packing import CAP, SMALL, TARGET
from knowledge_search.chunk.sentences import size
from knowledge_search.domain import Page, ParsedDocument, Piece

HEADINGS = [
    "# 休暇",
    "## 半日休暇",
    "### Half a day",
    "第1章 総則",
    "第2条",
    "(目的)",
    "■ 申請",
    "【注意】",
    "1. 概要",
    "1.1 Scope",
    "===",
]
ITEMS = [
    "1. first",
    "2. second",
    "- 一つめ",
    "- 二つめ",
    "| 列 | 値 |",
    "| --- | --- |",
    "| 交通費 | 800円 |",
    "a\tb\tc",
    "```",
]
PROSE = [
    "午前休は12時に終わる。",
    "「はい。」と答える。",
    "Ask e.g. Mr. Smith.",
    "Terms of Use",
    "The terms of use say what may be done, and what may not be.",
]
LINES = st.one_of(
    st.sampled_from([*HEADINGS, *ITEMS, *PROSE, "", "第3条 この規程は、全員に用いる。"]),
    st.sampled_from(["長い文" * 120 + "。", "word " * 400, "あ" * 900]),
    st.text(alphabet="あ漢a1 。.、!?\t|#-「」\n", max_size=60),
)
TEXTS = st.lists(LINES, max_size=30).map("\n".join)
MEDIA = st.sampled_from(["text/markdown", "text/plain", "text/html", "application/pdf"])


def document(*texts: str, media_type: str = "text/markdown", title: str = "文書") -> ParsedDocument:
    """Give a document of these pages."""
    pages = tuple(Page(text=text, number=number) for number, text in enumerate(texts, 1))
    return ParsedDocument(title=title, pages=pages, media_type=media_type)


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=3), MEDIA)
def test_no_text_is_lost_and_none_comes_twice(texts: list[str], media_type: str) -> None:
    """Passages follow each other; between them stands only space and headings that a later title path shows."""
    doc = document(*texts, media_type=media_type)
    pieces = split(doc)

    for page in doc.pages:
        at = 0
        own = [piece for piece in pieces if piece.page == page.number]
        found = headings(page.text, marked_up=media_type in {"text/markdown", "text/html"})
        for piece in [*own, None]:
            start = len(page.text) if piece is None else piece.start
            assert at <= start
            assert without_headings(page.text, at, start, found, pieces) == ""
            at = start if piece is None else piece.end


def without_headings(text: str, start: int, end: int, found: list[Heading], pieces: list[Piece]) -> str:
    """Give what of a gap is no heading; each heading there is in some title path."""
    rest = text[start:end]
    for heading in reversed(found):
        if start <= heading.start and heading.end <= end:
            assert any(heading.title in piece.title_path or heading.title == "文書" for piece in pieces)
            rest = rest[: heading.start - start] + rest[heading.end - start :]
    return rest.strip()


@settings(deadline=None)
@given(TEXTS, MEDIA)
def test_offsets_are_exact_and_passages_are_small_enough(text: str, media_type: str) -> None:
    """A passage is its page's text between its offsets, without space at its ends, and never over the cap."""
    for piece in split(document(text, media_type=media_type)):
        assert piece.text == text[piece.start : piece.end] == piece.text.strip() != ""
        assert size(piece.text) <= CAP or piece.text in {heading.title for heading in headings(text, marked_up=True)}
        assert piece.title_path[0] == "文書"


@settings(deadline=None)
@given(TEXTS)
def test_a_small_passage_has_joined_its_neighbour_where_both_fit(text: str) -> None:
    """Two passages in a row under one heading are never such that one is small and both fit the cap."""
    found = headings(text, marked_up=True)
    pieces = split(document(text))
    for one, other in pairwise(pieces):
        apart = any(one.end <= heading.start < other.start or one.start <= heading.start < one.end or
                    other.start <= heading.start < other.end for heading in found)  # fmt: skip
        if not apart and min(size(one.text), size(other.text)) < SMALL:
            assert size(text[one.start : other.end]) > CAP


def test_headings_become_the_title_path() -> None:
    """Document title, then the headings above; a heading equal to the title is not repeated."""
    pieces = split(
        document("# 文書\n\n前書き。\n\n## 半日休暇\n\n### 午前休\n\n12時に終わる。\n\n## 費用\n\n期限は7日。")
    )

    assert [(piece.title_path, piece.text) for piece in pieces] == [
        (("文書",), "前書き。"),
        (("文書", "半日休暇", "午前休"), "12時に終わる。"),
        (("文書", "費用"), "期限は7日。"),
    ]


def test_a_path_names_what_stands_above_and_nothing_twice() -> None:
    """On the pages of a handbook whose parts start with several titles, also after a heading was carried on."""
    prose = "The company pays what is needed, and the form says how it is asked for."
    first = f"TRAVEL\nTrain Fares\n{prose}\nTips for Travellers\n{prose}"
    pieces = split(document(first, f"HOTELS\nMeals\nMeals\n{prose}", media_type="application/pdf"))

    assert [piece.title_path[1:] for piece in pieces] == [
        ("TRAVEL", "Train Fares"),
        ("TRAVEL", "Train Fares", "Tips for Travellers"),
        ("HOTELS", "Meals"),
    ]


def test_a_heading_without_text_below_is_a_passage() -> None:
    """Nothing is lost."""
    assert [piece.text for piece in split(document("# A\n\n## B\n\n## C\n\ntext"))] == ["## B", "text"]


def test_a_passage_stands_on_one_page_and_the_path_goes_on() -> None:
    """A heading at the foot of a page stands above the text of the next."""
    pieces = split(document("第1章 総則\n本文。\n第2章 宿泊費", "上限は1泊いくら。", media_type="application/pdf"))

    assert [(piece.page, piece.title_path[1:], piece.text) for piece in pieces] == [
        (1, ("第1章 総則",), "本文。"),
        (2, ("第2章 宿泊費",), "上限は1泊いくら。"),
    ]


def test_short_clauses_under_one_heading_are_one_passage() -> None:
    """A clause below 80 characters joins its neighbour; one under another heading does not."""
    pieces = split(document("## 甲\n\n一つめ。\n\n二つめ。\n\n- 三つめ\n- 四つめ\n\n## 乙\n\n五つめ。"))

    assert [piece.text for piece in pieces] == ["一つめ。\n\n二つめ。\n\n- 三つめ\n- 四つめ", "五つめ。"]


def test_rows_and_items_stay_whole() -> None:
    """A long table falls between rows, a long list between items."""
    rows = [f"| {number}番 | {'説明。' * 12} | {number}00円 |" for number in range(60)]
    items = [f"- {number}番。{'説明。' * 12}" for number in range(60)]
    for lines in (rows, items):
        pieces = split(document("\n".join(lines)))

        assert len(pieces) > 5
        assert [line for piece in pieces for line in piece.text.split("\n")] == lines


@pytest.mark.parametrize(
    ("sentence", "longest"), [("有給休暇は年に二十日まで使えます。", 400), ("A day off is a day off at work. ", 900)]
)
def test_long_text_falls_at_sentences(sentence: str, longest: int) -> None:
    """About 400 Japanese or 900 English characters."""
    pieces = split(document(sentence * 300))

    assert all(piece.text.endswith(("。", ".")) for piece in pieces)
    assert all(longest * 0.8 < len(piece.text) <= longest for piece in pieces[:-1])
    assert all(size(piece.text) <= TARGET for piece in pieces[:-1])


def test_abbreviations_end_no_sentence() -> None:
    """An initial, a short form and a point inside a number are no ends."""
    pieces = split(document("Ask Mr. Jones, e.g. about 3.5 days. " * 100))

    assert all(piece.text.endswith("days.") for piece in pieces)


@pytest.mark.parametrize("text", [
    "あ" * 300_000, "a " * 300_000, "e.g. A " * 60_000, "。" * 300_000, "# a\n" * 60_000, "| " * 200_000,
    "\t" * 200_000,
    "```\n" * 50_000, "1. a\n" * 50_000, "a\n---\n" * 50_000, "(a)\n第1条\n" * 30_000, ". " * 200_000, "-\n" * 100_000,
])  # fmt: skip
def test_hostile_text_takes_linear_time(text: str) -> None:
    """No text makes it run away."""
    for media_type in ("text/markdown", "application/pdf"):
        start = time.process_time()
        split(document(text, media_type=media_type))
        assert time.process_time() - start < 6
