"""Real PDFs from many makers end in text or a named status, and none takes long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from knowledge_search.chunk import split
from knowledge_search.domain import DocumentError
from knowledge_search.parse import FileParser

from .conftest import DATA

if TYPE_CHECKING:
    from pathlib import Path

CORPUS = DATA / "pdf-corpus"
EXPECTED = {
    "encrypted/pdfminer__rc4-40.pdf": "encrypted",
    "encrypted/pypdf__r4-aes-user-password.pdf": "encrypted",
    "encrypted/pypdf__r6-owner-password.pdf": "text",
    "encrypted/unstructured__password.pdf": "encrypted",
    "malformed/qpdf__issue-141a.pdf": "malformed",
    "scanned/docling__ocr_test.pdf": "needs_ocr",
    "scanned/pypdf__Seige_of_Vicksburg_Sample_OCR.pdf": "text",
    "structure/pdfminer__pagelabels.pdf": "text",
    "structure/unstructured__DA-619p.pdf": "text",
    "en-manuals/debmake-doc.en.pdf": "text",
}
MOST_SECONDS = 20


def outcome(path: Path) -> tuple[str, str]:
    """Return how reading one file ends, and what is to be said about it."""
    try:
        document = FileParser().parse(path.name, path.read_bytes())
    except DocumentError as error:
        return error.status, error.detail
    return "text", f"{len(document.pages)} pages, {len(split(document))} passages"


@pytest.mark.shared_data
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the real collections are not here")
def test_every_pdf_ends_in_text_or_a_named_status() -> None:
    """The table of all files is the message of a failure."""
    table = []
    for path in sorted(CORPUS.rglob("*.pdf")):
        start = time.monotonic()
        status, said = outcome(path)
        if status in {"crashed", "timed_out"}:  # a crowded machine can starve one process; a bad file does it again
            start = time.monotonic()
            status, said = outcome(path)
        table.append((path.relative_to(CORPUS).as_posix(), status, time.monotonic() - start, said))
    shown = "\n" + "\n".join(f"{seconds:6.2f} s  {status:15} {name}  {said}" for name, status, seconds, said in table)

    assert len(table) == 65, shown
    assert max(seconds for _, _, seconds, _ in table) < MOST_SECONDS, shown
    assert {name: status for name, status, _, _ in table if name in EXPECTED} == EXPECTED, shown
    assert not [name for name, status, _, _ in table if status in {"crashed", "timed_out"}], shown
