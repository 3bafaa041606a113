"""PDFs made for the tests."""

from __future__ import annotations

import io
import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, EncodedStreamObject, NameObject, NumberObject

if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLES = Path(__file__).parents[4] / "samples"
DATA = Path(os.environ.get("SHARED_DATA", Path(__file__).parents[5] / "shared" / "data"))


class Pdf:
    """Makes PDFs: a page is its lines, or its content stream."""

    def __init__(self) -> None:
        self.writer = pypdf.PdfWriter()

    def page(self, *lines: str, image: bool = False) -> Pdf:
        """Add a page of lines, with an image that covers it if so wanted."""
        text = "".join(f"BT /F1 11 Tf 60 {760 - 20 * at} Td ({line}) Tj ET\n" for at, line in enumerate(lines))
        page = self.writer.add_blank_page(595, 842)
        font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
                                 NameObject("/BaseFont"): NameObject("/Helvetica")})  # fmt: skip
        resources = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})})
        if image:
            text = f"q 595 0 0 842 0 0 cm /I1 Do Q\n{text}"
            resources[NameObject("/XObject")] = DictionaryObject({NameObject("/I1"): self._image()})
        page[NameObject("/Resources")] = resources
        stream = DecodedStreamObject()
        stream.set_data(text.encode())
        page[NameObject("/Contents")] = self.writer._add_object(stream)  # noqa: SLF001 - pypdf has no public way
        return self

    def stream(self, data: bytes, *, filters: Sequence[str]) -> Pdf:
        """Add a page whose content is packed data."""
        page = self.writer.add_blank_page(595, 842)
        stream = EncodedStreamObject()
        stream._data = data  # noqa: SLF001 - packed already
        stream[NameObject("/Filter")] = pypdf.generic.ArrayObject(NameObject(name) for name in filters)
        page[NameObject("/Contents")] = self.writer._add_object(stream)  # noqa: SLF001 - pypdf has no public way
        return self

    def _image(self) -> pypdf.generic.IndirectObject:
        image = EncodedStreamObject()
        image._data = zlib.compress(b"\x80")  # noqa: SLF001 - packed already
        image.update({
            NameObject("/Type"): NameObject("/XObject"), NameObject("/Subtype"): NameObject("/Image"),
            NameObject("/Width"): NumberObject(1), NameObject("/Height"): NumberObject(1),
            NameObject("/ColorSpace"): NameObject("/DeviceGray"), NameObject("/BitsPerComponent"): NumberObject(8),
            NameObject("/Filter"): NameObject("/FlateDecode"),
        })  # fmt: skip
        return self.writer._add_object(image)  # noqa: SLF001 - pypdf has no public way

    @property
    def content(self) -> bytes:
        """The file."""
        out = io.BytesIO()
        self.writer.write(out)
        return out.getvalue()


@pytest.fixture
def pdf() -> Pdf:
    """Give an empty PDF."""
    return Pdf()


@pytest.fixture(scope="session")
def samples() -> Path:
    """Give the folder of the sample documents."""
    return SAMPLES
