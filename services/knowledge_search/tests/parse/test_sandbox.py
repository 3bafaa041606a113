"""The child process is not believed, and cannot do what it need not."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from knowledge_search.domain import DocumentError
from knowledge_search.parse import sandbox
from knowledge_search.parse.sandbox.records import document_of

if TYPE_CHECKING:
    from pathlib import Path

LIMITS = sandbox.Limits(pages=3, characters=100)
PAGE = {"page": 1, "label": "i", "text": "a", "shows": True, "pictured": False, "vertical": False}


def lines(*records: object) -> bytes:
    """Give what a child would write."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def test_an_honest_child_is_believed() -> None:
    """Title and pages."""
    found = document_of(lines({"title": "T"}, PAGE, {**PAGE, "page": 3, "label": None}, {"end": True}), LIMITS)

    assert found is not None
    assert found.title == "T"
    assert [(page.number, page.label, page.text) for page in found.pages] == [(1, "i", "a"), (3, None, "a")]


@pytest.mark.parametrize(
    "record",
    [
        [], "text", 1, None, {},
        {**PAGE, "page": "1"}, {**PAGE, "page": True}, {**PAGE, "page": 0}, {**PAGE, "text": 1},
        {**PAGE, "text": "a" * 101}, {**PAGE, "shows": 1}, {**PAGE, "pictured": None}, {**PAGE, "vertical": "no"},
        {"error": "ingested"}, {"error": 1}, {"error": ["encrypted"]},
    ],
)  # fmt: skip
def test_a_lie_is_a_crash(record: object) -> None:
    """Wrong types, sizes and numbers."""
    with pytest.raises(DocumentError) as caught:
        document_of(lines({"title": None}, record, {"end": True}), LIMITS)

    assert caught.value.status == "crashed"


@pytest.mark.parametrize(
    "output",
    [b"", b"\n\n", b"{", lines({"title": None}), lines({"title": None}, PAGE), lines(PAGE, {"end": True}),
     lines({"title": None}, PAGE)[:-20], b"[" * 100_000 + b"\n", b"\xff\xfe\n"],
)  # fmt: skip
def test_output_that_breaks_off_is_no_document(output: bytes) -> None:
    """Neither half a document nor an unexpected error."""
    assert document_of(output, LIMITS) is None


def test_too_many_or_repeated_pages_are_a_crash() -> None:
    """Whatever the child counted."""
    for pages in ([PAGE, PAGE], [{**PAGE, "page": 2}, PAGE], [{**PAGE, "page": number} for number in range(1, 9)]):
        with pytest.raises(DocumentError, match="crashed"):
            document_of(lines({"title": None}, *pages, {"end": True}), LIMITS)


def test_a_failure_keeps_its_status() -> None:
    """And its words, within reason."""
    with pytest.raises(DocumentError) as caught:
        document_of(lines({"error": "encrypted", "detail": "x" * 999}), LIMITS)

    assert (caught.value.status, len(caught.value.detail)) == ("encrypted", 200)


def test_the_child_cannot_write_open_or_grow(tmp_path: Path) -> None:
    """It limits itself before it reads."""
    program = """
import os, sys
from knowledge_search.parse.sandbox.child import limit_itself
limit_itself(400 * 2**20, 5, 5.0)
file = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
for attempt in (lambda: os.write(file, b"x"), lambda: bytearray(2**30), lambda: [os.dup(1) for _ in range(64)]):
    try:
        attempt()
        print("done")
    except (OSError, MemoryError) as error:
        print(type(error).__name__)
print(sorted(os.environ.keys() - {"LC_CTYPE"}))
"""
    ran = subprocess.run(
        [sys.executable, "-I", "-c", program, str(tmp_path / "file")],
        env={}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert ran.stdout.split("\n") == ["OSError", "MemoryError", "OSError", "[]", ""]


def test_a_killed_child_is_a_crash() -> None:
    """Not an unexpected error: here it has no memory to start with."""
    with pytest.raises(DocumentError) as caught:
        sandbox.read(b"%PDF-1.7", "pypdf", sandbox.Limits(memory_bytes=2**20))

    assert caught.value.status in {"crashed", "too_large"}
