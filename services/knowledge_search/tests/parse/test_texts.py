"""Markdown and plain text: kind, encoding, front matter, form and lines."""

from __future__ import annotations

import contextlib
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_search.domain import DocumentError, DocumentStatus
from knowledge_search.parse import FileParser
from knowledge_search.parse.encodings import decoded
from knowledge_search.parse.front_matter import front_matter
from knowledge_search.parse.kinds import kind_of
from knowledge_search.parse.lines import joined_page
from knowledge_search.parse.normal import normalised

SENTENCE = "経費の申請は、支払った日の翌月までに済ませてください。カタカナも、漢字も読めます。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932", "euc_jp", "iso2022_jp"])
def test_encodings_are_told_apart(encoding: str) -> None:
    """The same words arrive, and the encoding is named."""
    found = decoded(SENTENCE.encode(encoding))

    assert found.text == SENTENCE
    assert found.encoding in {encoding, {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}.get(encoding)}


@given(st.text(alphabet="あいうえおかきくけこさしすせそアイウエオ経費精算規程社員、。「」", min_size=8, max_size=80))
def test_japanese_encodings_are_never_confused(text: str) -> None:
    """Text of kana and kanji is read as what it was written in."""
    if any("あ" <= sign <= "ん" for sign in text):
        assert [decoded(text.encode(each)).text for each in ("cp932", "euc_jp")] == [text, text]


def test_an_unknown_encoding_is_refused() -> None:
    """Not guessed."""
    with pytest.raises(DocumentError, match=r"malformed.*UTF-8"):
        decoded(b"caf\xe9 au lait \xff\xfe\xfd")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.md", b"text", "markdown"),
        ("a.TXT", b"text", "text"),
        ("a.htm", b"<p>text", "html"),
        ("a.bin", b"%PDF-1.7", "pdf"),
        ("a.md", b"%PDF-1.7", "pdf"),
        ("a.md", b"The mark is %PDF-1.7 here", "markdown"),
        ("a.txt", b" \n<!DOCTYPE html><p>", "html"),
    ],
)
def test_content_tells_more_than_a_name(name: str, content: bytes, expected: str) -> None:
    """A PDF and a page are known by their first bytes."""
    assert kind_of(name, content) == expected


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.md", b"", "empty"),
        ("a.txt", b" \n\t\n", "empty"),
        ("a.pdf", b"<html><p>no", "malformed"),
        ("a.docx", b"PK\x03\x04...", "unsupported"),
        ("a.md", b"PK\x03\x04...", "unsupported"),
        ("a.txt", b"ab\0cd", "unsupported"),
        ("a.py", b"print()", "unsupported"),
        ("noending", b"text", "unsupported"),
        ("a.md", b"---\ndepartment: hr\n---\n", "empty"),
        ("a.md", b"---\ndepartment: hr\ntext", "malformed"),
        ("a.txt", "\u200b\ufeff".encode(), "empty"),
    ],
)
def test_what_is_no_document_has_a_status(name: str, content: bytes, expected: DocumentStatus) -> None:
    """Named, never an unexpected error."""
    with pytest.raises(DocumentError) as caught:
        FileParser().parse(name, content)

    assert caught.value.status == expected


def test_front_matter_gives_department_and_title() -> None:
    """Other keys may hold anything."""
    text = "---\n# note\ndepartment: hr\ntitle: '給与: 等級'\ntags:\n  - a\n- b\nauthor: {x: y}\n---\n本文\n---\n"
    found = front_matter(text)

    assert (found.department, found.title, text[found.end :]) == ("hr", "給与: 等級", "本文\n---\n")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("departement: hr", "line 2.*did you mean 'department'"),
        ("Department: hr", "line 2.*did you mean 'department'"),
        ("title: x\ndepartment: hr\ndepartment: all", "line 4.*twice"),
        ("department:", "line 2.*empty"),
        ("department: [hr, sales]", "line 2.*one plain"),
        ("department: HR", "cannot name a department"),
        ("department: hr sales", "cannot name a department"),
        ("just text", "line 2.*key: value"),
        ("department:hr", "line 2.*key: value"),
        (" department: hr", "line 2.*key: value"),
    ],
)
def test_broken_front_matter_is_an_error(lines: str, said: str) -> None:
    """A department that is overlooked would file the document elsewhere."""
    with pytest.raises(DocumentError, match=said) as caught:
        front_matter(f"---\n{lines}\n---\ntext")

    assert caught.value.status == "malformed"


def test_a_title_may_go_on_in_the_next_line() -> None:
    """A department may not."""
    assert front_matter("---\ntitle:\n  Play 6\n  - be kind\nx: y\n---\n").title == "Play 6 - be kind"
    with pytest.raises(DocumentError, match="line 3"):
        front_matter("---\ndepartment: hr\n  sales\n---\n")


def test_an_empty_title_is_no_title() -> None:
    """The first heading is."""
    found = FileParser().parse("a.md", "---\ntitle: \ndepartment: all # everyone\n---\n# 見出し\n".encode())

    assert (found.title, found.department) == ("見出し", "all")


def test_a_document_without_front_matter_has_none() -> None:
    """A line further down is no front matter, nor is one that only looks like it."""
    assert front_matter("text\n---\ndepartment: hr\n---\n").department is None
    assert front_matter("----\ndepartment: hr\n----\n").department is None


def test_markdown_as_a_whole() -> None:
    """Title, department, and a text without front matter."""
    found = FileParser().parse("x/y.md", "\ufeff---\r\ndepartment: sales\r\n---\r\n# 値引き\r\n\r\n８％まで。".encode())

    assert (found.title, found.department, found.media_type) == ("値引き", "sales", "text/markdown")
    assert found.pages[0].text == "# 値引き\n\n8%まで。"
    assert found.pages[0].number is None
    assert FileParser().parse("x/y.txt", b"# text").title == "y"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("１２時　ﾊﾝﾀﾞｶｸ ⽉⻑", "12時 ハンダカク 月長"),
        ("a\0b\x07c\u200b\u202e\ufeff\U000e0041", "abc"),
        ("10²と1½と①", "10^2と1 1⁄2と(1)"),
        ("a \r\nb\r\rc\n\n\n\nd\u2028e", "a\nb\n\nc\n\nd\ne"),
        ("\ud800x", "x"),
    ],
)
def test_the_form_of_text(text: str, expected: str) -> None:
    """NFKC, without what cannot be seen or stored; numbers keep their meaning."""
    assert normalised(text) == expected


@given(st.text(max_size=60))
def test_the_form_is_final(text: str) -> None:
    """Twice is the same as once, NFKC holds, and PostgreSQL can store it."""
    once = normalised(text)

    assert normalised(once) == once
    assert unicodedata.is_normalized("NFKC", once)
    assert "\0" not in once
    once.encode()


def test_broken_japanese_lines_are_joined_without_a_space() -> None:
    """English ones with a space; items, headings and short lines stay."""
    page = """\
出張から戻った日の翌日から数えて八営業日以内に、領収書を添えて旅費
を精算してください。
The allowance is paid once a month together with the salary and is
not taxed.
第2条 申請
- 一つめの項目です
- 二つめ
氏名
住所"""

    assert joined_page(page).split("\n") == [
        "出張から戻った日の翌日から数えて八営業日以内に、領収書を添えて旅費を精算してください。", "",
        "The allowance is paid once a month together with the salary and is not taxed.", "",
        "第2条 申請", "- 一つめの項目です", "- 二つめ", "氏名", "住所",
    ]  # fmt: skip


def test_markdown_paragraphs_are_joined_but_not_its_blocks() -> None:
    """Lists, tables, code and hard breaks keep their lines."""
    text = "有給休\n暇は年に\n二十日。\n\n- 甲\n- 乙\n\n| 甲 |\n| 乙 |\n\n```\n甲\n乙\n```\n\n甲\\\n乙\nA\nB"
    found = FileParser().parse("a.md", text.encode()).pages[0].text

    assert found == text.replace("休\n暇", "休暇").replace("に\n二", "に二").replace("乙\nA", "乙A")


@pytest.mark.parametrize("text", ["---\n" + "a: b\n" * 200_000, "a" * 2_000_000, "あ\n" * 500_000, "- " * 500_000])
def test_hostile_text_takes_linear_time(text: str) -> None:
    """No text makes it run away."""
    start = time.process_time()
    with contextlib.suppress(DocumentError):
        FileParser().parse("a.md", text.encode())
    assert time.process_time() - start < 8
