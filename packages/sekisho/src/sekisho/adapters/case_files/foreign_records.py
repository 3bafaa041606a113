"""Cases as flat records: test sets in JSON, JSON Lines or CSV, by the names that their keys have in other tools."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sekisho.adapters.case_files.collecting import Collector

QUESTION = ("question", "query", "input", "user_input", "prompt", "inputs", "user_prompt")
_ID = ("id", "case_id", "name", "query_id", "qid")
_TURNS = ("turns", "scenario", "messages", "conversation")
_REFERENCE = (
    "truth", "ground_truth", "ground_truths", "expected_output", "expected_answer", "expected_response", "reference",
    "reference_answer", "target", "ideal", "answer",
)  # fmt: skip
_ANY = ("mustIncludeAny", "must_include_any", "expectAny", "expect_any", "containsAny", "contains_any", "anyOf")
_ALL = ("mustInclude", "must_include", "mustIncludeAll", "must_include_all", "expectAll", "expect_all", "contains",
        "containsAll", "contains_all")  # fmt: skip
_NONE = ("mustNotInclude", "must_not_include", "mustNotIncludeAny", "must_not_include_any", "expectNone", "notContains",
         "not_contains", "forbidden")  # fmt: skip
_SOURCES = ("expectDocIds", "expectedDocIds", "expected_doc_ids", "expectSources", "expectedSources",
            "expected_sources", "source_file")  # fmt: skip
_RETRIEVAL = ("targets", "expectOrder", "expectTopK", "expectScopePrefixes", "relevant", "relevant_ids", "passage",
              "passage_id")  # fmt: skip
_REFUSALS = ("refusal", "unanswerable", "not_found", "no_answer")
_CITATION = re.compile(r"\[([^\[\]\n#]{1,200}\.[A-Za-z0-9]{1,5})(?:#page=(\d{1,6}))?\]")


def add_records(collector: Collector, records: Iterable[Mapping[str, object]]) -> None:
    """Take the cases of a list of records."""
    for record in records:
        _add(collector, record)


def first_text(record: Mapping[str, object], keys: Iterable[str]) -> str:
    """Return the first text under one of these keys; empty where there is none."""
    return next((value for key in keys if isinstance(value := record.get(key), str) and value.strip()), "")


def _add(collector: Collector, record: Mapping[str, object]) -> None:
    question = first_text(record, QUESTION)
    if not question:
        turns = any(record.get(key) for key in _TURNS)
        collector.leave("left_turns" if turns else "left_no_question")
        return
    enough, too_many = _alternatives(record)
    reference_key, reference = _reference(record)
    sources = [*_sources(record), *citations(reference)]
    several = len(_lists(record, _SOURCES)) > 1
    texts = [*_lists(record, _ALL), *enough]
    if collector.reference_as_text and reference and not citations(reference):
        texts.append(reference)
        reference_key = ""
    forbid = _lists(record, _NONE)
    refusal = record.get("type") in _REFUSALS
    if not (sources or texts or forbid or refusal):
        collector.leave(*_reason(record, too_many, reference_key, several=several))
        return
    if too_many:
        collector.drop("dropped_any", too_many)
    if several:
        collector.drop("dropped_sources")
    if reference_key:
        collector.drop("dropped_reference", reference_key)
    collector.add(
        next((record[key] for key in _ID if record.get(key) not in (None, "")), None),
        question,
        expect_source=() if refusal else sources,
        expect_text=() if refusal else texts,
        forbid=forbid,
        expect_not_found=refusal,
    )


def citations(text: str) -> list[str]:
    """Return the sources that a text cites in brackets, ``[travel.pdf#page=2]`` as ``travel.pdf p.2``."""
    return list(
        dict.fromkeys(
            f"{found[1].strip()} p.{found[2]}" if found[2] else found[1].strip() for found in _CITATION.finditer(text)
        )
    )


def _alternatives(record: Mapping[str, object]) -> tuple[list[str], str]:
    """Return the texts of lists of which one is enough, where there is only one; else the key of the list."""
    enough: list[str] = []
    too_many = ""
    for key in _ANY:
        texts = _lists(record, [key])
        if len(texts) == 1:
            enough += texts
        elif texts:
            too_many = key
    return enough, too_many


def _reference(record: Mapping[str, object]) -> tuple[str, str]:
    for key in _REFERENCE:
        texts = _lists(record, [key])
        if len(texts) == 1:
            return key, texts[0]
        if texts:
            return key, ""
    return "", ""


def _sources(record: Mapping[str, object]) -> list[str]:
    """Return the document that must be cited; of several it is not said whether one is enough."""
    found = _lists(record, _SOURCES)
    return [re.split(r"[/\\]", found[0])[-1]] if len(found) == 1 else []


def _lists(record: Mapping[str, object], keys: Sequence[str]) -> list[str]:
    texts: list[str] = []
    for key in keys:
        value = record.get(key)
        items = value if isinstance(value, list) else [value]
        texts += [str(item) for item in items if isinstance(item, str) and item.strip()]
    return texts


def _reason(record: Mapping[str, object], too_many: str, reference_key: str, *, several: bool) -> tuple[str, str]:
    if too_many:
        return "left_any", too_many
    if several:
        return "left_sources", ""
    if reference_key:
        return "left_reference", reference_key
    found = [key for key in _RETRIEVAL if record.get(key) not in (None, "", [])]
    return ("left_retrieval", ", ".join(found)) if found else ("left_no_expectation", "")
