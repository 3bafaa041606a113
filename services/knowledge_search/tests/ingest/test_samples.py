"""The sample documents, as ``make serve`` takes them in."""

from __future__ import annotations

import hashlib
import importlib.util
from typing import TYPE_CHECKING

import pytest

from knowledge_search.domain import Scope

if TYPE_CHECKING:
    from pathlib import Path

    from knowledge_search.ingest import Ingest

    from .conftest import MemoryStore

DEPARTMENTS = {
    "business-trip.pdf": "all",
    "discount-policy.md": "sales",
    "expense.md": "all",
    "faq.md": "all",
    "it-support.html": "all",
    "meeting-rooms.txt": "all",
    "quotation.md": "sales",
    "remote-work.md": "all",
    "salary-grade.md": "hr",
    "security-handbook.md": "all",
    "vacation.md": "all",
}


def test_all_samples_are_taken_in_and_belong_to_someone(ingest: Ingest, store: MemoryStore, samples: Path) -> None:
    """What a department alone may see is filed under it."""
    report = ingest.folder(samples, default="all")

    assert {file.source: file.department for file in report.files if not file.left_out} == DEPARTMENTS
    assert report.left_out == ()
    texts = {
        record.source: " ".join(chunk.text for chunk in store.chunks(record.id, Scope.of("hr", "sales")))
        for record in store.documents(Scope.of("hr", "sales"))
    }
    assert "午前休は12時で終わり" in texts["vacation.md"]
    assert "20万円から24万円" in texts["salary-grade.md"]
    assert "承認なしで提示できる値引きは、定価の8%まで" in texts["discount-policy.md"]
    assert not any("万円から" in text for source, text in texts.items() if source != "salary-grade.md")


def test_the_pdf_is_what_its_script_makes(samples: Path, tmp_path: Path) -> None:
    """Byte by byte."""
    pytest.importorskip("reportlab", reason="reportlab is a development dependency")
    spec = importlib.util.spec_from_file_location("make_sample_pdf", samples.parent / "eval" / "make_sample_pdf.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.make(tmp_path / "made.pdf")

    digests = [
        hashlib.sha256(path.read_bytes()).hexdigest() for path in (tmp_path / "made.pdf", samples / "business-trip.pdf")
    ]
    assert digests[0] == digests[1]
