"""The JSON Schema of a file of cases, for editors that complete keys and mark mistakes while one types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sekisho.core.answers import EXCUSABLE
from sekisho.core.messages import message

if TYPE_CHECKING:
    from sekisho.core.messages import Language

_SAYS_SOMETHING = r"\S"
_ID = r"^[^\s\u0000-\u001f\u007f-\u009f]([^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f])?$"
_DATE = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"

_ONE_TEXT = {"$ref": "#/$defs/text"}
_TEXTS = {"$ref": "#/$defs/texts"}
_NO_TEXT = {"type": "array", "maxItems": 0}
_MUST_FIND_NOTHING = {"required": ["expect_not_found"], "properties": {"expect_not_found": {"const": True}}}
_FOUND = ("expect_source", "expect_text", "forbid")


def schema(language: Language) -> dict[str, Any]:
    """Return the schema, draft 2020-12, with titles and descriptions in one language."""
    cases = {"type": "array", "items": {"$ref": "#/$defs/case"}, "minItems": 1}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": message("cases.schema_title", language),
        "oneOf": [cases, _object(cases)],
        "$defs": {
            "text": {"type": "string", "pattern": _SAYS_SOMETHING},
            "texts": _one_or_list(_ONE_TEXT, least=0),
            "some": _one_or_list(_ONE_TEXT, least=1),
            "issue": _issue(language),
            "case": _case(language),
        },
    }


def _case(language: Language) -> dict[str, Any]:
    keys: dict[str, dict[str, Any]] = {
        "id": {"type": "string", "pattern": _ID},
        "question": _ONE_TEXT,
        "departments": _TEXTS,
        "expect_source": _TEXTS,
        "expect_text": _TEXTS,
        "forbid": _TEXTS,
        "expect_not_found": {"type": "boolean"},
        "known_issue": {"oneOf": [_ONE_TEXT, {"$ref": "#/$defs/issue"}]},
        "tags": _TEXTS,
    }
    return {
        "type": "object",
        "title": message("cases.schema_case", language),
        "properties": _described(keys, language),
        "required": ["id", "question"],
        "additionalProperties": False,
        "anyOf": [
            _MUST_FIND_NOTHING,
            *({"required": [key], "properties": {key: {"not": _NO_TEXT}}} for key in _FOUND),
        ],
        "if": _MUST_FIND_NOTHING,
        "then": {"properties": {"expect_source": _NO_TEXT, "expect_text": _NO_TEXT}},
    }


def _issue(language: Language) -> dict[str, Any]:
    keys: dict[str, dict[str, Any]] = {
        "reason": _ONE_TEXT,
        "suites": {"$ref": "#/$defs/some"},
        "failures": _one_or_list({"enum": list(EXCUSABLE)}, least=1),
        "until": {"type": "string", "format": "date", "pattern": _DATE},
        "link": _ONE_TEXT,
    }
    return {
        "type": "object",
        "properties": _described(keys, language),
        "required": ["reason"],
        "additionalProperties": False,
    }


def _described(keys: dict[str, dict[str, Any]], language: Language) -> dict[str, Any]:
    return {key: {"description": message(f"cases.schema_{key}", language), **value} for key, value in keys.items()}


def _one_or_list(item: dict[str, Any], *, least: int) -> dict[str, Any]:
    return {"oneOf": [item, {"type": "array", "items": item, "minItems": least}]}


def _object(cases: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"$schema": {}, "cases": cases},
        "required": ["cases"],
        "additionalProperties": False,
    }
