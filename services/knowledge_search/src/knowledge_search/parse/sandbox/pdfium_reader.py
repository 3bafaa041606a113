"""Reads a PDF with pdfium: fast, and repairs what is broken. Runs in the child process only."""

from __future__ import annotations

import contextlib
import ctypes
import re
from typing import TYPE_CHECKING, Any, Final

import pypdfium2
import pypdfium2.raw

from knowledge_search.parse.sandbox.child import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_JAPANESE: Final = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")
_SAMPLE: Final = 200
"""Characters of a page that are looked at to tell vertical writing, and objects to find an image."""
_PASSWORD, _SECURITY = pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY


def records(content: bytes, *, wanted: Sequence[int], most_pages: int) -> Iterator[dict[str, object]]:
    """Yield the title, then a record per page."""
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        encrypted = getattr(error, "err_code", None) in {_PASSWORD, _SECURITY} or "assword" in str(error)
        raise ReadError("encrypted" if encrypted else "malformed", f"pdfium: {error}") from error
    if len(document) > most_pages:
        raise ReadError("too_many_pages", f"{len(document)} pages, at most {most_pages}")
    if not len(document):
        raise ReadError("malformed", "pdfium: no pages")
    yield {"title": document.get_metadata_value("Title")}
    failed = 0
    for number in wanted or range(1, len(document) + 1):
        try:
            page = document[number - 1]
        except pypdfium2.PdfiumError:
            failed += 1
            yield {"page": number, "label": None, "text": "", "shows": False, "pictured": False, "vertical": False}
            continue
        yield _page(document, page, number)
        page.close()
    if failed == len(document):
        raise ReadError("malformed", "pdfium: no page can be read")


def _page(document: Any, page: Any, number: int) -> dict[str, object]:  # noqa: ANN401 - the library has no types
    text_page = page.get_textpage()
    text = text_page.get_text_range()
    label = None
    with contextlib.suppress(UnicodeDecodeError, pypdfium2.PdfiumError):
        label = document.get_page_label(number - 1) or None
    objects = pypdfium2.raw.FPDFPage_CountObjects(page.raw)
    vertical = _is_vertical(text_page, text)
    text_page.close()
    return {"page": number, "label": label, "text": text, "shows": objects > 0, "pictured": _has_image(page, objects),
            "vertical": vertical}  # fmt: skip


def _has_image(page: Any, objects: int) -> bool:  # noqa: ANN401 - the library has no types
    kinds = (
        pypdfium2.raw.FPDFPageObj_GetType(pypdfium2.raw.FPDFPage_GetObject(page.raw, at))
        for at in range(min(objects, _SAMPLE))
    )
    return any(kind == pypdfium2.raw.FPDF_PAGEOBJ_IMAGE for kind in kinds)


def _is_vertical(text_page: Any, text: str) -> bool:  # noqa: ANN401 - the library has no types
    if not _JAPANESE.search(text):
        return False
    left, bottom = ctypes.c_double(), ctypes.c_double()
    before: tuple[float, float] | None = None
    down = across = 0
    for at in range(min(text_page.count_chars(), _SAMPLE)):
        if not _JAPANESE.match(chr(pypdfium2.raw.FPDFText_GetUnicode(text_page.raw, at) & 0xFFFF)):
            before = None
            continue
        pypdfium2.raw.FPDFText_GetCharOrigin(text_page.raw, at, left, bottom)
        if before is not None:
            moved = abs(left.value - before[0]), before[1] - bottom.value
            down += moved[1] > moved[0]
            across += moved[0] > abs(moved[1])
        before = left.value, bottom.value
    return down > across
