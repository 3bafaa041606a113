"""A small system that answers by words, as Python, over HTTP, and as a command: ``python system_under_test.py``."""

from __future__ import annotations

import json
import sys
from typing import Any

Record = dict[str, Any]
DOCUMENTS: tuple[Record, ...] = (
    {
        "id": "d1",
        "name": "旅費規程.pdf",
        "title": "旅費",
        "departments": ["all"],
        "text": "日当は 3,000 円です。",
        "pages": 2,
    },
    {"id": "d2", "name": "board.pdf", "title": "", "departments": ["board"], "text": "The board earns 9 million."},
    {"id": "d3", "name": "sales.pdf", "title": "Sales", "departments": ["sales"], "text": "Quota: 12 deals."},
)
WORDS = {"日当": 0, "board": 1, "quota": 2}
SAMPLES = {
    "answered": "日当はいくらですか",
    "restricted": "What does the board earn?",
    "departments": ("board",),
    "unanswered": "How tall is the moon?",
}


def documents() -> list[Record]:
    """Return every document."""
    return [dict(each) for each in DOCUMENTS]


def visible(departments: list[str]) -> list[Record]:
    """Return what somebody may see."""
    return [each for each in DOCUMENTS if set(each["departments"]) & {*departments, "all"}]


def search(question: str, departments: list[str], k: int) -> list[str]:
    """Return ids, those whose word stands in the question first."""
    words = {index: word for word, index in WORDS.items()}
    ranked = sorted(visible(departments), key=lambda each: words[DOCUMENTS.index(each)] not in question)
    return [each["id"] for each in ranked[:k]]


def answer(question: str, departments: list[str]) -> Record:
    """Return an answer from the first document whose word stands in the question."""
    for word, index in WORDS.items():
        document = DOCUMENTS[index]
        if word in question and document in visible(departments):
            return {
                "text": document["text"],
                "sources": [f"{document['name']} p.1"],
                "found": True,
                "contexts": [{"document_id": document["id"], "text": document["text"]}],
            }
    return {"text": "見つかりませんでした。", "sources": [], "found": False, "contexts": []}


def reply(request: Record) -> Record:
    """Return the reply to one request of the JSON Lines protocol."""
    method = request.pop("method")
    return {
        "id": request.pop("id"),
        method: {"answer": answer, "search": search, "documents": documents}[method](**request),
    }


if __name__ == "__main__":
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(json.dumps(reply(json.loads(line)), ensure_ascii=False).encode() + b"\n")
        sys.stdout.buffer.flush()
