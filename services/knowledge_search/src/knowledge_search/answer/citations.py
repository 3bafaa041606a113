"""Reading a model's answer: which documents it cites, and which numbers it made up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge_search.answer.prompt import NO_ANSWER, unescape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge_search.domain import Context

_CITATION: Final = re.compile(
    r"([ \t\u3000]{0,3})[\[［【]\s{0,3}(\d{1,9}(?:\s{0,3}[,、，;]\s{0,3}\d{1,9}){0,50})\s{0,3}[\]］】]"
)
_REFUSAL: Final = re.compile(rf"[\W_]*{NO_ANSWER}(?!_?[A-Za-z0-9])")


@dataclass(frozen=True, kw_only=True)
class ReadAnswer:
    """A model's answer after its citations were checked.

    Attributes:
        text: Without the made-up numbers, every citation in the form ``[n]``, entities turned back.
        cited: Numbers of given documents, in the order of their first citation, each once.
        unknown: Cited numbers that belong to no given document, likewise.
        refused: Whether it says ``NO_ANSWER``.
    """

    text: str
    cited: tuple[int, ...]
    unknown: tuple[int, ...]
    refused: bool


def quoted(text: str, number: int) -> str:
    """Return a document's text as the stand-in model quotes it: followed by its citation."""
    return f"{text} [{number}]"


def read_answer(raw: str, contexts: Sequence[Context]) -> ReadAnswer:
    """Return a model's answer with its citations checked against what it was given.

    ``[1]``, ``[1, 2]``, ``［1］`` and ``【1】`` are citations. A document quoted whole and followed by its own citation
    is taken as it stands: footnote marks in it are no citations, and its words are no refusal.
    """
    known = {each.number for each in contexts}
    cited: dict[int, None] = {}
    unknown: dict[int, None] = {}

    def checked(found: re.Match[str]) -> str:
        numbers = [int(each) for each in re.findall(r"\d+", found[2])]
        for each in numbers:
            (cited if each in known else unknown)[each] = None
        kept = "".join(f"[{each}]" for each in numbers if each in known)
        return found[1] + kept if kept else ""

    parts = _parts(raw, contexts)
    texts = []
    for part in parts:
        if part.quoted is None:
            texts.append(unescape(_CITATION.sub(checked, part.text)))
        else:
            cited[part.quoted] = None
            texts.append(part.text)
    return ReadAnswer(
        text="".join(texts),
        cited=tuple(cited),
        unknown=tuple(unknown),
        refused=parts[0].quoted is None and _REFUSAL.match(parts[0].text) is not None,
    )


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A stretch of an answer: the model's own words, or the document numbered ``quoted``."""

    text: str
    quoted: int | None = None


def _parts(raw: str, contexts: Sequence[Context]) -> list[_Part]:
    """Return an answer's stretches in order, white space around the model's own words stripped; at least one."""
    quotes = {quoted(each.text, each.number): each.number for each in contexts}
    quote = re.compile(
        "|".join(rf"^{re.escape(each)}$" for each in sorted(quotes, key=len, reverse=True)), re.MULTILINE
    )
    parts = []
    end = 0
    for found in quote.finditer(raw) if quotes else ():
        parts += [_Part(text=raw[end : found.start()]), _Part(text=found[0], quoted=quotes[found[0]])]
        end = found.end()
    parts.append(_Part(text=raw[end:]))
    parts[0] = _Part(text=parts[0].text.lstrip())
    parts[-1] = _Part(text=parts[-1].text.rstrip())
    return [each for each in parts if each.text] or [_Part(text="")]
