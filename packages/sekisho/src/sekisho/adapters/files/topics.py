"""TREC topics: the tag soup of the older tracks and the XML of the newer ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sekisho.adapters.files.content import Content, failure
from sekisho.adapters.files.records import TextRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

_FLAGS = re.DOTALL | re.IGNORECASE
_EDGE = re.compile(r"<(/?)(top|topic|doc)(?:\s[^<>]*)?>", _FLAGS)
_NUMBER = re.compile(r"\bnumber\s*=\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
# Tags of the old topics are never closed; a field ends where the next tag begins.
_FIELD = r"<{tag}(?:\s[^<>]*)?>\s*(?:{label}\s*:)?([^<]*)"
_ID = [re.compile(_FIELD.format(tag=tag, label="number"), _FLAGS) for tag in ("num", "docno", "number")]
_TEXT = [re.compile(_FIELD.format(tag=tag, label="topic"), _FLAGS) for tag in ("title", "query")]


def topic_records(content: Content) -> Iterator[TextRecord]:
    """Yield number and title (or query) of each topic; a CACM topic, which has no title, gives its whole text.

    Raises:
        InputFileError: No topic in it, or one without number or text, with the line where it begins.
    """
    text = _without_comments(content.text)
    found_any = False
    line, counted = 1, 0
    for start, end in _topics(text):
        found_any = True
        line, counted = line + text.count("\n", counted, start.start()), start.start()
        body = text[start.end() : end]
        number = _NUMBER.search(start.group())
        id_ = number.group(1).strip() if number else _field(_ID, body)
        words = _field(_TEXT, body)
        if not words and start.group(2).lower() == "doc":
            words = _plain(re.sub(r"<docno>[^<]*(?:</docno>)?", "", body, flags=_FLAGS))
        if not id_ or not words:
            raise failure("topic_lacks_text" if id_ else "topic_lacks_number", content.name, line, id=id_)
        yield TextRecord(line, id_, words)
    if not found_any:
        raise failure("no_topics", content.name, 1)


def _without_comments(text: str) -> str:
    """Return the text with its comments as line breaks, so that lines keep their numbers."""
    parts, begins = [], 0
    while (opens := text.find("<!--", begins)) >= 0 and (closes := text.find("-->", opens)) >= 0:
        parts += [text[begins:opens], "\n" * text.count("\n", opens, closes)]
        begins = closes + len("-->")
    return "".join([*parts, text[begins:]])


def _topics(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield the opening tag of each topic and where its body ends; one walk, however many tags are never closed."""
    last_closed = {edge.group(2).lower(): edge.start() for edge in _EDGE.finditer(text) if edge.group(1)}
    start = None
    for edge in _EDGE.finditer(text):
        tag = edge.group(2).lower()
        if start is None:
            if not edge.group(1) and last_closed.get(tag, -1) > edge.start():
                start = edge
        elif edge.group(1) and tag == start.group(2).lower():
            yield start, edge.start()
            start = None


def _field(patterns: list[re.Pattern[str]], body: str) -> str:
    matches = (pattern.search(body) for pattern in patterns)
    return next((_plain(found.group(1)) for found in matches if found), "")


def _plain(text: str) -> str:
    from html import unescape  # noqa: PLC0415  a large table that only topics need

    return " ".join(unescape(_TAG.sub(" ", text)).split())
