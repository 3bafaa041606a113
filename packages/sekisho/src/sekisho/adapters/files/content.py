"""The content of a file as text, or an error that says what the file is instead."""

from __future__ import annotations

import os
import re
from functools import wraps
from itertools import islice
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec, TypeVar

from sekisho.core.errors import InputFileError, Location
from sekisho.core.text import did_you_mean, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Path = str | os.PathLike[str]

_Given = ParamSpec("_Given")
_Read = TypeVar("_Read")

MOST_BYTES = 4 << 30
"""The largest file, and the most that may come out of a packed one."""

_MOST_RATIO = 200  # text of this kind is packed to a tenth; what promises more was made to fill a disk or the memory
_RATIO_FROM = 64 << 20  # bytes up to which any ratio is harmless
PARQUET_MAGIC = b"PAR1"
_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
_HEAD = 4096  # bytes that tell white space or UTF-16 from the rest, without a copy of a large file
_SAMPLE = 1000  # pieces of text in other scripts that tell Japanese from the rest
_FOREIGN = re.compile(r"[^\x00-\x7f]{1,100}")
_PATHS = frozenset({"file", "near"})
_LISTS = frozenset({"examples", "columns", "keys", "reason", "details"})
_MOST_SHOWN, _MOST_LISTED = 80, 300  # characters of one value, and of a list, that an error quotes

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
    """Return the error ``files.<code>`` at a place in the file ``name``; what it quotes is shortened, paths are not."""
    quoted = {
        key: shorten(value, _MOST_LISTED if key in _LISTS else _MOST_SHOWN)
        if isinstance(value, str) and key not in _PATHS
        else value
        for key, value in values.items()
    }
    return InputFileError(f"files.{code}", where=Location(name, line, column), **quoted)


def names_memory(read: Callable[Concatenate[Path, _Given], _Read]) -> Callable[Concatenate[Path, _Given], _Read]:
    """Return a reader that says which file the memory was too small for."""

    @wraps(read)
    def reader(path: Path, /, *args: _Given.args, **options: _Given.kwargs) -> _Read:
        try:
            return read(path, *args, **options)
        except MemoryError:
            pass  # raised outside, so that what was read so far is freed first
        raise failure("memory", os.fspath(path))

    return reader


def check_ratio(name: str, size: int, packed: int) -> None:
    """Refuse what grows beyond measure while it is unpacked.

    Raises:
        InputFileError: More than 64 MB came out of less than a two-hundredth of it.
    """
    if size > _RATIO_FROM and size > packed * _MOST_RATIO:
        raise failure("packed_bomb", name, most=_MOST_RATIO)


def read_bytes(path: Path) -> tuple[str, bytes]:
    """Return the name and the bytes of a file; what gzip packed (whatever its name) is unpacked.

    Raises:
        InputFileError: The file is missing, a folder, no regular file, unreadable, empty, too large, or its gzip data
            are broken or grow beyond measure.
    """
    name = os.fspath(path)
    try:
        _check_regular(name, os.stat(name))  # noqa: PTH116  pathlib would cost a third of the start of a small run
        with open(name, "rb", opener=_open_at_once) as file:
            status = os.fstat(file.fileno())
            _check_regular(name, status)  # it may be another one by now
            data = file.read() if status.st_size else file.read(1)
    except (OSError, ValueError) as problem:
        raise _cannot_open(name, problem) from None
    if not status.st_size and data != b"":  # made by the system while it is read, as in /proc
        raise failure("special", name)
    if data.startswith(_GZIP_MAGIC):
        from sekisho.adapters.files.unpacking import unpacked  # noqa: PLC0415  most files are not packed

        data = unpacked(name, data)
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


def _open_at_once(name: str, flags: int) -> int:
    """Open a file without waiting for whoever writes into it."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _check_regular(name: str, status: os.stat_result) -> None:
    if S_ISDIR(status.st_mode):
        raise failure("directory", name)
    if not S_ISREG(status.st_mode):
        raise failure("special", name)
    if status.st_size > MOST_BYTES:
        raise failure("too_large", name, most=MOST_BYTES >> 30)


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
        wide = "".join(found.group() for found in islice(_FOREIGN.finditer(text), _SAMPLE))
        japanese = sum("\u3041" <= char <= "\u30fe" or "\u4e00" <= char <= "\u9fff" for char in wide)
        if japanese * 2 > len(wide):
            return failure("encoding", name, line, encoding=encoding)
    return failure("not_utf8", name, line, column, byte=f"0x{data[place]:02x}")


def _line_column(data: bytes, place: int) -> tuple[int, int]:
    return data.count(b"\n", 0, place) + 1, place - data.rfind(b"\n", 0, place)
