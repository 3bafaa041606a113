"""TREC topics: the tag soup of the older tracks and the XML of the newer ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sekisho.adapters.files.content import Content, failure
from sekisho.adapters.files.records import TextRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

_FLAGS = re.DOTALL | re.IGNORECASE
_COMMENT = re.compile(r"<!--.*?-->", _FLAGS)
_TOPIC = re.compile(r"<(top|topic|doc)(?:\s[^<>]*)?>(.*?)</\1\s*>", _FLAGS)
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
    text = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), content.text)
    found_any = False
    for topic in _TOPIC.finditer(text):
        found_any = True
        line = text.count("\n", 0, topic.start()) + 1
        head = topic.group()[: topic.start(2) - topic.start()]
        number = _NUMBER.search(head)
        id_ = number.group(1).strip() if number else _field(_ID, topic.group(2))
        words = _field(_TEXT, topic.group(2))
        if not words and topic.group(1).lower() == "doc":
            words = _plain(re.sub(r"<docno>.*?</docno>", "", topic.group(2), flags=_FLAGS))
        if not id_ or not words:
            raise failure("topic_lacks_text" if id_ else "topic_lacks_number", content.name, line, id=id_)
        yield TextRecord(line, id_, words)
    if not found_any:
        raise failure("no_topics", content.name, 1)


def _field(patterns: list[re.Pattern[str]], body: str) -> str:
    matches = (pattern.search(body) for pattern in patterns)
    return next((_plain(found.group(1)) for found in matches if found), "")


def _plain(text: str) -> str:
    from html import unescape  # noqa: PLC0415  a large table that only topics need

    return " ".join(unescape(_TAG.sub(" ", text)).split())
