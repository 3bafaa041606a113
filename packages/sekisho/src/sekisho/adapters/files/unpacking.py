"""What gzip packed, unpacked piece by piece: a small file must not fill the memory."""

from __future__ import annotations

import gzip
import zlib
from io import BytesIO

from sekisho.adapters.files.content import MOST_BYTES, check_ratio, failure

_PIECE = 1 << 20


def unpacked(name: str, data: bytes) -> bytes:
    """Return the content of a gzip file of one member or more.

    Raises:
        InputFileError: The data are broken, or more comes out of them than a file of this kind holds.
    """
    packed, content = BytesIO(data), BytesIO()
    size = 0
    try:
        with gzip.GzipFile(fileobj=packed) as file:
            while piece := file.read(_PIECE):
                content.write(piece)
                size += len(piece)
                if size > MOST_BYTES:
                    raise failure("too_large", name, most=MOST_BYTES >> 30)
                check_ratio(name, size, packed.tell())
    except (OSError, EOFError, zlib.error) as problem:
        raise failure("broken_gzip", name, details=str(problem)) from None
    return content.getvalue()  # shares the memory of the buffer
