"""The JSON Schema accepts what the loader accepts, as far as a schema can tell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from sekisho.adapters.case_files import check_case_file
from sekisho.adapters.case_files.schema import schema
from sekisho.core.messages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]

OK: dict[str, Any] = {"id": "a", "question": "Q?", "forbid": "x"}
BARE: dict[str, Any] = {"id": "a", "question": "Q?"}
GOOD: dict[str, Any] = {
    "one case": [OK],
    "a list under cases": {"$schema": "x", "cases": [OK]},
    "every key": [
        {**BARE, "departments": ["hr"], "expect_source": "a", "expect_text": ["b"], "forbid": [], "tags": "t",
         "expect_not_found": False, "known_issue": {"reason": "r", "suites": "s", "failures": ["not_found"],
                                                    "until": "2026-12-31", "link": "l"}}
    ],
    "nothing may be found": [{**BARE, "expect_not_found": True, "expect_text": [], "known_issue": "r"}],
    "an id with spaces": [{**OK, "id": "出張 1"}],
}  # fmt: skip
BAD: dict[str, Any] = {
    "no case": [],
    "no list": {"case": [OK]},
    "another key beside cases": {"cases": [OK], "x": 1},
    "a text": ["a"],
    "an unknown key": [{**OK, "forbit": "x"}],
    "no id": [{"question": "Q?", "forbid": "x"}],
    "no question": [{"id": "a", "forbid": "x"}],
    "a number": [{**OK, "id": 1}],
    "an empty id": [{**OK, "id": ""}],
    "a blank beside an id": [{**OK, "id": "a "}],
    "a control character": [{**OK, "id": "a\nb"}],
    "no expectation": [BARE],
    "an empty list": [{**BARE, "forbid": []}],
    "false alone": [{**BARE, "expect_not_found": False}],
    "both": [{**BARE, "expect_not_found": True, "expect_text": "x"}],
    "an empty text": [{**OK, "tags": ["t", " "]}],
    "a list in a list": [{**OK, "tags": [["t"]]}],
    "null": [{**OK, "tags": None}],
    "a text for a truth value": [{**OK, "expect_not_found": "true"}],
    "an empty issue": [{**OK, "known_issue": ""}],
    "an issue without reason": [{**OK, "known_issue": {"until": "2026-12-31"}}],
    "a forbidden text excused": [{**OK, "known_issue": {"reason": "r", "failures": ["forbidden_text"]}}],
    "no suite": [{**OK, "known_issue": {"reason": "r", "suites": []}}],
    "no date": [{**OK, "known_issue": {"reason": "r", "until": "2026-13-01"}}],
    "an unknown key of an issue": [{**OK, "known_issue": {"reason": "r", "til": "2026-12-01"}}],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_schema_is_one(language: Any) -> None:  # noqa: ANN401  one of two words
    """Valid by its own draft, with a description for every key."""
    found = schema(language)

    jsonschema_rs.meta.validate(found)
    assert all(key["description"] for key in found["$defs"]["case"]["properties"].values())


@pytest.mark.parametrize("name", GOOD)
def test_schema_and_loader_accept_the_same(write: Write, name: str) -> None:
    """What an editor leaves unmarked loads."""
    path = write("cases.json", json.dumps(GOOD[name]))

    assert jsonschema_rs.validator_for(schema("en")).is_valid(GOOD[name])
    assert check_case_file(path).problems == ()


@pytest.mark.parametrize("name", BAD)
def test_schema_and_loader_refuse_the_same(write: Write, name: str) -> None:
    """What an editor marks does not load."""
    path = write("cases.json", json.dumps(BAD[name]))

    assert not jsonschema_rs.validator_for(schema("en")).is_valid(BAD[name])
    assert check_case_file(path).problems
