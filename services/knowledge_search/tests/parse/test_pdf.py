"""PDFs: pages, labels, headers, scans, passwords, broken and hostile files."""

from __future__ import annotations

import re
import time
import zlib
from typing import TYPE_CHECKING

import pytest

from knowledge_search.domain import DocumentError
from knowledge_search.parse import FileParser
from knowledge_search.parse.repeated import without_repeated
from knowledge_search.parse.ruby import without_ruby
from knowledge_search.parse.sandbox import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Pdf


def status_of(content: bytes, limits: Limits | None = None) -> str:
    """Give the status with which a file is refused."""
    with pytest.raises(DocumentError) as caught:
        FileParser(limits=limits).parse("a.pdf", content)
    return caught.value.status


def test_the_sample_keeps_pages_and_loses_headers(samples: Path) -> None:
    """Five pages; the limit of a night in a hotel stands on the third alone; lines are joined without a space."""
    found = FileParser().parse("business-trip.pdf", (samples / "business-trip.pdf").read_bytes())

    assert (found.title, found.media_type, found.department) == ("出張旅費規程", "application/pdf", None)
    assert [page.number for page in found.pages] == [1, 2, 3, 4, 5]
    assert [page.number for page in found.pages if "1泊11,000円" in page.text] == [3]
    assert not any(re.search(r"4月版|\d / 5", page.text) for page in found.pages)
    assert "それより近い場所での業務は外出とし、交通費だけを支給します。" in found.pages[0].text


def test_a_page_keeps_its_printed_label(pdf: Pdf) -> None:
    """Where it differs from its number."""
    pdf.page("preface of the book").page("first page of it").page("second page of it")
    pdf.writer.set_page_label(0, 0, style="/r")
    pdf.writer.set_page_label(1, 2, style="/D", start=1)
    found = FileParser().parse("book.pdf", pdf.content)

    assert [(page.number, page.label) for page in found.pages] == [(1, "i"), (2, "1"), (3, "2")]
    assert found.title == "book"


def test_scanned_pages_need_ocr(pdf: Pdf) -> None:
    """One page is marked; where all are, the document is refused; a stamp on each scan is no text."""
    mixed = FileParser().parse("a.pdf", pdf.page("Some words").page(image=True).content)
    stamped = type(pdf)()
    for number in range(1, 5):
        stamped.page("Confidential", f"Page {number}", image=True)

    assert [page.status for page in mixed.pages] == ["ok", "needs_ocr"]
    assert status_of(type(pdf)().page(image=True).content) == "needs_ocr"
    assert status_of(stamped.content) == "needs_ocr"


def test_a_blank_document_is_empty(pdf: Pdf) -> None:
    """Nothing to recognise."""
    assert status_of(pdf.page().content) == "empty"


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_passwords(pdf: Pdf, algorithm: str) -> None:
    """An owner's password alone keeps no reader out; a user's does."""
    pdf.page("Open to readers")
    pdf.writer.encrypt("", "owner", algorithm=algorithm)
    closed = type(pdf)().page("Closed")
    closed.writer.encrypt("user", "owner", algorithm=algorithm)

    assert FileParser().parse("a.pdf", pdf.content).pages[0].text == "Open to readers"
    assert status_of(closed.content) == "encrypted"


def test_broken_files(pdf: Pdf) -> None:
    """What can be repaired is read; what cannot is named."""
    content = pdf.page("Repaired").content
    cut = content[: content.rindex(b"xref\n")]

    assert FileParser().parse("a.pdf", cut).pages[0].text == "Repaired"
    assert status_of(b"%PDF-1.7\nnothing at all") == "malformed"
    assert status_of(content[:200]) == "malformed"
    assert status_of(b"<html><body>not found</body></html>") == "malformed"


def test_bombs(pdf: Pdf) -> None:
    """Streams that unpack into gigabytes, and more pages or text than allowed, end with a status and in time."""
    start = time.monotonic()
    packer = zlib.compressobj(9)
    bomb = b"".join([*(packer.compress(b" " * 2**24) for _ in range(80)), packer.flush()])
    nested = zlib.compress(bomb, 9)
    many = type(pdf)().page("x")
    for _ in range(30):
        many.writer.add_page(many.writer.pages[0])
    tight = Limits(pages=20, characters=1000)

    assert status_of(pdf.stream(bomb, filters=["/FlateDecode"]).content) in {"too_large", "crashed", "needs_ocr"}
    assert status_of(type(pdf)().stream(nested, filters=["/FlateDecode", "/FlateDecode"]).content) in {
        "too_large", "crashed", "needs_ocr", "empty"
    }  # fmt: skip
    assert status_of(many.content, tight) == "too_many_pages"
    assert status_of(type(pdf)().page(*["word " * 20] * 40).content, tight) == "too_large"
    assert time.monotonic() - start < 45


def test_a_reader_that_takes_too_long_is_stopped(pdf: Pdf) -> None:
    """Both attempts together stay within their time."""
    content = pdf.stream(zlib.compress(b"q 1 0 0 1 0 0 cm " * 4_000_000), filters=["/FlateDecode"]).content
    start = time.monotonic()

    assert status_of(content, Limits(wall_s=0.05)) == "timed_out"
    assert time.monotonic() - start < 3


def test_pages_that_point_at_themselves(pdf: Pdf) -> None:
    """A tree of pages with a loop has a status."""
    loop = (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Count 100000000/Kids[2 0 R 2 0 R]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )
    deep = b"%PDF-1.4\n1 0 obj" + b"[" * 200_000 + b"endobj\ntrailer<</Root 1 0 R>>\n%%EOF"

    assert status_of(loop) in {"too_many_pages", "malformed"}
    assert status_of(deep) in {"malformed", "crashed", "too_large"}
    assert FileParser().parse("a.pdf", pdf.page("alive").content).pages[0].text == "alive"


def test_repeated_lines_are_dropped_and_others_kept() -> None:
    """A running number counts as repeated only where it rises with the page."""
    pages = [f"規程 第2版\n本文{'甲乙丙丁'[at]}です\n同じ行\n続き{at * 7}\n- {at + 1} -" for at in range(4)]

    assert without_repeated(pages, scanned=[False] * 4) == [
        f"本文{'甲乙丙丁'[at]}です\n同じ行\n続き{at * 7}" for at in range(4)
    ]
    assert without_repeated(pages[:2], scanned=[False] * 2) == pages[:2]
    assert without_repeated(["一行だけ"] * 4, scanned=[False] * 4) == ["一行だけ"] * 4


def test_ruby_is_dropped_only_where_there_is_much_of_it() -> None:
    """A lone line of kana is a line of its own."""
    lines = [
        "きそく",
        "就業の規則を定める",
        "しゃいん",
        "社員は守らなければならない",
        "きゅうか",
        "休暇は別に定めるものとする",
    ]

    assert without_ruby("\n".join(lines)) == "\n".join(lines[1::2])
    assert without_ruby("\n".join([*lines[:2], "本文だけ"])) == "\n".join([*lines[:2], "本文だけ"])
