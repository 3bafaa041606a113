"""What in an answer is most likely a name: quoted terms, people and companies with a title, capitalised words."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUOTED = re.compile(r"「([^「」\n]{2,40})」|『([^『』\n]{2,40})』")
_KATAKANA = "[ァ-ヴー]"
_TITLED_KATAKANA = re.compile(
    rf"{_KATAKANA}{{2,30}}(?:[・=]{_KATAKANA}{{2,30}}){{1,4}}"
    rf"|(?:株式会社|有限会社|合同会社){_KATAKANA}{{2,30}}"
    rf"|{_KATAKANA}{{2,30}}(?=株式会社|有限会社|合同会社|さん|様|氏)"
)
_TITLED_KANJI = re.compile(r"(?<![一-龠々])[一-龠々]{2,4}(?=さん|氏(?![一-龠]))")
_ROLES = frozenset("者員長客先手人様方民師士")
"""Last signs of words such as 担当者, 社員 and 取引先, which take さん without being names."""
_LATIN = re.compile(r"[A-Z][A-Za-z0-9&'’.+-]{0,39}(?: (?:of |and |the |for )?[A-Z][A-Za-z0-9&'’.+-]{0,39}){0,7}")
_LINE_START = re.compile(r"(?:^|[\n.!?。！？:：])[ \t#*_>•・\-–(（「\"“0-9.]*$")
_JAPANESE = re.compile("[ぁ-ヿ一-龠々、。]")
_HEADING = re.compile(r"(?m)^[ \t]{0,3}#{1,6}[ \t].*$")
_ORDINARY = frozenset(
    """
    A According After All Also Although An And Any April Apply As Ask At August Because Before But By Contact December
    During Each Either Employees Every FAQ February For Friday From He Her His How However I If In It January July June
    Let March May Monday More Most My No None Not November October On Once One Only Or Other Our PDF Please Q Saturday
    See September She Since So Some Submit Sunday That The Their Then There These They This Those Thursday To Tuesday
    Under Unless Until URL Use We Wednesday What When Where Which While Who Why With Without Yes You Your
    AI API CEO CSV DX HP HR ID IT NG OK PC QR TEL
    """.split()  # noqa: SIM905  a list of hundred quoted words is no easier to read
)
"""Words that begin sentences, and abbreviations that any answer may use."""
_SHORTEST = 2
_AROUND = 60


class Name(NamedTuple):
    """A piece of text that is most likely a name.

    Attributes:
        text: As it is written.
        words: Its parts, where each by itself supports it: those of a Latin name.
    """

    text: str
    words: tuple[str, ...] = ()


def names_in(text: str) -> list[Name]:
    """Return the pieces of a text that are most likely names, in the order of the kinds.

    Left out on purpose, since ordinary words look like them: katakana without a title or a middle dot (``システム``), a
    single capitalised word at the beginning of a sentence, headings, kanji without ``さん`` or ``氏``.
    """
    plain = _HEADING.sub("", unicodedata.normalize("NFKC", text))
    return [*_quoted(plain), *_japanese(plain), *_latin(plain)]


def _quoted(text: str) -> Iterator[Name]:
    for match in _QUOTED.finditer(text):
        yield Name((match[1] or match[2]).strip())


def _japanese(text: str) -> Iterator[Name]:
    for match in _TITLED_KATAKANA.finditer(text):
        yield Name(match[0])
    for match in _TITLED_KANJI.finditer(text):
        if match[0][-1] not in _ROLES:
            yield Name(match[0])


def _latin(text: str) -> Iterator[Name]:
    for match in _LATIN.finditer(text):
        words = [word.rstrip(".'’-") for word in match[0].split(" ")]
        before = text[max(match.start() - _AROUND, 0) : match.start()]
        # In a Japanese sentence a capital at its beginning is the name's own.
        begins_line = bool(_LINE_START.search(before)) and not _JAPANESE.match(text, match.end())
        while words and (words[0] in _ORDINARY or (begins_line and _is_plain(words[0]))):
            del words[0]
            begins_line = False
        names = tuple(word for word in words if word[:1].isupper() and word not in _ORDINARY)
        if names and any(len(word) > _SHORTEST or not word.isalpha() for word in names):
            yield Name(" ".join(words), names)


def _is_plain(word: str) -> bool:
    """Tell whether a word has a capital only because it begins a sentence: no second capital, no digit."""
    return word[1:].islower() or len(word) == 1
