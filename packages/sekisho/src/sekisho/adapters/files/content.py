"""The content of a file as text, or an error that says what the file is instead."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from sekisho.core.errors import InputFileError, Location
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    Path = str | os.PathLike[str]

PARQUET_MAGIC = b"PAR1"
_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
_HEAD = 4096  # bytes that tell white space or UTF-16 from the rest, without a copy of a large file

# First bytes of what people hand over by mistake.
_OTHER_FILES: Mapping[bytes, str] = {
    b"PK\x03\x04": "ZIP (or XLSX, DOCX)",
    b"%PDF": "PDF",
    b"\x04\x22\x4d\x18": "LZ4",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "XZ",
    b"\x89PNG": "PNG",
    b"SQLite format 3": "SQLite",
    b"ARROW1": "Arrow IPC",
}


class Content(NamedTuple):
    """What stands in a file.

    Attributes:
        name: The file as the user named it.
        text: Its text, without byte order mark; line breaks as they stand.
    """

    name: str
    text: str


def failure(
    code: str, name: str, line: int | None = None, column: int | None = None, /, **values: object
) -> InputFileError:
    """Return the error ``files.<code>`` at a place in the file ``name``."""
    return InputFileError(f"files.{code}", where=Location(name, line, column), **values)


def read_bytes(path: Path) -> tuple[str, bytes]:
    """Return the name and the bytes of a file; what gzip packed (whatever its name) is unpacked.

    Raises:
        InputFileError: The file is missing, a folder, unreadable, empty, or its gzip data are broken.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:  # noqa: PTH123  pathlib would cost a third of the start of a small run
            data = file.read()
    except (OSError, ValueError) as problem:
        raise _cannot_open(name, problem) from None
    if data.startswith(_GZIP_MAGIC):
        data = _unpacked(name, data)
    if not data[:_HEAD].strip() and not data.strip():
        raise failure("empty", name)
    return name, data


def read_content(path: Path) -> Content:
    """Return the text of a UTF-8 file.

    Raises:
        InputFileError: As :func:`read_bytes`, or the file is not UTF-8 text; what it is instead is named.
    """
    name, data = read_bytes(path)
    return decoded(name, data)


def decoded(name: str, data: bytes) -> Content:
    """Return bytes as text; see :func:`read_content`."""
    if data.startswith(PARQUET_MAGIC):
        raise failure("other_file", name, kind="Parquet")
    for magic, kind in _OTHER_FILES.items():
        if data.startswith(magic):
            raise failure("other_file", name, kind=kind)
    _refuse_utf16(name, data)
    if (place := data.find(b"\0")) >= 0:
        raise failure("nul", name, *_line_column(data, place))
    data = data.removeprefix(_UTF8_MARK)
    try:
        return Content(name, data.decode())
    except UnicodeDecodeError as problem:
        raise _name_encoding(name, data, problem.start) from None


def _cannot_open(name: str, problem: OSError | ValueError) -> InputFileError:
    if isinstance(problem, IsADirectoryError) or os.path.isdir(name):  # noqa: PTH112  see read_bytes
        return failure("directory", name)
    if isinstance(problem, FileNotFoundError):
        folder, base = os.path.split(name)
        try:
            near = did_you_mean(base, os.listdir(folder or "."))  # noqa: PTH208  see read_bytes
        except OSError:
            near = None
        if near:
            return failure("missing_near", name, near=os.path.join(folder, near))  # noqa: PTH118  see read_bytes
        return failure("missing", name)
    reason = (problem.strerror if isinstance(problem, OSError) else None) or str(problem)
    return failure("unreadable", name, reason=reason)


def _unpacked(name: str, data: bytes) -> bytes:
    import gzip  # noqa: PLC0415  most files are not packed
    import zlib  # noqa: PLC0415  as above

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as problem:
        raise failure("broken_gzip", name, reason=str(problem)) from None


def _refuse_utf16(name: str, data: bytes) -> None:
    head = data[:_HEAD]
    even, odd = head[::2].count(0), head[1::2].count(0)
    threshold = len(head) // 8  # in text a quarter of the pairs or more have one zero byte, always on one side
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or (min(even, odd) == 0 and max(even, odd) > threshold):
        little = data.startswith(b"\xff\xfe") or (odd > even and not data.startswith(b"\xfe\xff"))
        encoding = "UTF-16LE" if little else "UTF-16BE"
        raise failure("encoding", name, 1, encoding=encoding)


def _name_encoding(name: str, data: bytes, place: int) -> InputFileError:
    line, column = _line_column(data, place)
    for codec, encoding in (("cp932", "Shift_JIS"), ("euc_jp", "EUC-JP")):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        wide = [char for char in text if not char.isascii()]
        japanese = sum("\u3041" <= char <= "\u30fe" or "\u4e00" <= char <= "\u9fff" for char in wide)
        if japanese * 2 > len(wide):
            return failure("encoding", name, line, encoding=encoding)
    return failure("not_utf8", name, line, column, byte=f"0x{data[place]:02x}")


def _line_column(data: bytes, place: int) -> tuple[int, int]:
    return data.count(b"\n", 0, place) + 1, place - data.rfind(b"\n", 0, place)
