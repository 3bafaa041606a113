"""Cases of promptfoo: tests with variables and assertions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sekisho.adapters.case_files.foreign_records import QUESTION, first_text
from sekisho.adapters.case_files.source import problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sekisho.adapters.case_files.collecting import Collector

_VARIABLE = re.compile(r"\{\{-?\s{0,20}(\w{1,100})\s{0,20}-?\}\}", re.ASCII)
_TEXT = frozenset({"contains", "icontains", "contains-all", "icontains-all"})
_ANY = frozenset({"contains-any", "icontains-any"})
_FORBID = frozenset({"not-contains", "not-icontains", "not-contains-any", "not-icontains-any"})
_FILE = "file://"


def add_tests(collector: Collector, document: Mapping[str, object]) -> None:
    """Take the tests of a configuration.

    Raises:
        InputFileError: It has none of its own: a model makes them, or they stand in other files.
    """
    tests = document.get("tests")
    if isinstance(tests, (str, dict)):
        tests = [tests]
    if not isinstance(tests, list) or not tests:
        code = "convert_red_team" if "redteam" in document else "convert_no_tests"
        raise problem(code, collector.name)
    elsewhere = [_path(test) for test in tests if not isinstance(test, dict) or "path" in test]
    if len(elsewhere) == len(tests):
        raise problem("convert_elsewhere", collector.name, count=len(tests), reason=", ".join(elsewhere))
    for path in elsewhere:
        collector.leave("left_elsewhere", path)
    default = document.get("defaultTest")
    shared = _assertions(default) if isinstance(default, dict) else []
    variables = _variables(document.get("prompts"))
    for test in tests:
        if isinstance(test, dict) and "path" not in test:
            _add(collector, test, shared, variables)


def _path(test: object) -> str:
    return str(test.get("path") if isinstance(test, dict) else test)


def _variables(prompts: object) -> set[str] | None:
    """Return the variables of the prompts; None where a prompt stands in another file."""
    found: set[str] = set()
    for prompt in prompts if isinstance(prompts, list) else [prompts]:
        if not isinstance(prompt, str) or prompt.startswith(_FILE):
            return None
        found.update(_VARIABLE.findall(prompt))
    return found


def _assertions(test: Mapping[str, object]) -> list[Mapping[str, object]]:
    found = test.get("assert")
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _add(
    collector: Collector, test: Mapping[str, object], shared: list[Mapping[str, object]], variables: set[str] | None
) -> None:
    question = _question(test.get("vars"), variables)
    texts: list[str] = []
    forbid: list[str] = []
    dropped: dict[str, None] = {}
    for entry in [*shared, *_assertions(test)]:
        kind = str(entry.get("type"))
        values = _values(entry.get("value"))
        wanted = texts if kind in _TEXT or (kind in _ANY and len(values) == 1) else forbid if kind in _FORBID else None
        if wanted is None or not values:
            dropped[kind] = None
        else:
            wanted += values
    if not (texts or forbid):
        collector.leave("left_assertions", ", ".join(dropped)) if dropped else collector.leave("left_no_expectation")
        return
    if question is None:
        collector.leave("left_template")
        return
    for kind in dropped:
        collector.drop("dropped_assertion", kind)
    collector.add(test.get("description"), question, expect_text=texts, forbid=forbid)


def _values(value: object) -> list[str]:
    """Return the texts of an assertion; none where one is made at run time or stands in a file."""
    values = value if isinstance(value, list) else [value]
    texts = [item for item in values if isinstance(item, str)]
    if len(texts) < len(values) or any("{{" in text or text.startswith(_FILE) for text in texts):
        return []
    return texts


def _question(given: object, variables: set[str] | None) -> str | None:
    """Return the variable that is the question; None where the question is put together from several."""
    if not isinstance(given, dict):
        return None
    texts = {str(key): value for key, value in given.items() if isinstance(value, str) and value.strip()}
    used = {key: value for key, value in texts.items() if not variables or key in variables}
    question = next(iter(used.values())) if len(used) == 1 else first_text(used, QUESTION)
    return question if question and "{{" not in question and not question.startswith(_FILE) else None
