"""Which encoding a text is in. Only encodings that can be told apart are tried; none is assumed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from knowledge_search.domain import DocumentError

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ISO_2022_JP: Final = re.compile(rb"\x1b(?:\$[@B]|\([BJ])")
_DECLARED: Final = re.compile(rb"""charset\s{0,4}=\s{0,4}["']?\s{0,4}([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE)
_DECLARED_WITHIN: Final = 1024
"""The bytes in which a page has to declare its encoding (HTML standard, 13.2.3.2)."""
_DECLARABLE: Final = {
    "utf8": "utf-8", "utf-8": "utf-8", "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932",
    "x-sjis": "cp932", "windows-31j": "cp932", "euc-jp": "euc_jp", "x-euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp",
    "iso-8859-1": "cp1252", "latin1": "cp1252", "windows-1252": "cp1252",
}  # fmt: skip
_HALF_WIDTH_KANA: Final = re.compile("[\uff61-\uff9f]")
_JAPANESE: Final = re.compile("[\u3041-\u30fe\u3001\u3002\u300c\u300d]")


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """A text and the encoding it was in, as Python names it; ``cp932`` is Shift_JIS as Windows writes it."""

    text: str
    encoding: str


def decoded(content: bytes, *, html: bool = False) -> Decoded:
    """Return the text in ``content``: by byte order mark, UTF-8, ISO-2022-JP, then Shift_JIS or EUC-JP.

    Bytes that are both Shift_JIS and EUC-JP are read as the one that gives more kana and fewer half-width ones.

    Args:
        content: Of the whole file.
        html: Whether a ``charset=`` in the first 1,024 bytes counts, as in a web page.

    Raises:
        DocumentError: ``malformed``: it is in none of these.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            text = _as(content[len(mark) :], encoding)
            if text is None:
                raise DocumentError("malformed", f"starts with the mark of {encoding} but is not {encoding}")
            return Decoded(text=text, encoding=encoding)
    if _ISO_2022_JP.search(content) and (text := _as(content, "iso2022_jp")) is not None:
        return Decoded(text=text, encoding="iso2022_jp")
    declared = _DECLARED.search(content[:_DECLARED_WITHIN]) if html else None
    named = [_DECLARABLE[name] for name in [declared[1].decode().lower()] if name in _DECLARABLE] if declared else []
    for encoding in (*named, "utf-8"):
        if (text := _as(content, encoding)) is not None:
            return Decoded(text=text, encoding=encoding)
    return _japanese(content)


def _japanese(content: bytes) -> Decoded:
    found = [Decoded(text=text, encoding=encoding) for encoding in ("euc_jp", "cp932")
             if (text := _as(content, encoding)) is not None]  # fmt: skip
    if not found:
        raise DocumentError("malformed", "the text is not UTF-8, Shift_JIS, EUC-JP or ISO-2022-JP; save it as UTF-8")
    return max(found, key=lambda each: _likelihood(each.text))


def _likelihood(text: str) -> float:
    return len(_JAPANESE.findall(text)) - 2 * len(_HALF_WIDTH_KANA.findall(text))


def _as(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None
