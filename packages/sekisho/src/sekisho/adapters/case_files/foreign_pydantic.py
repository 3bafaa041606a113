"""Cases of pydantic-evals: inputs with evaluators."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sekisho.adapters.case_files.collecting import Collector

_CONTAINS = "Contains"


def add_cases(collector: Collector, document: Mapping[str, object]) -> None:
    """Take the cases of a dataset."""
    shared = _evaluators(document)
    cases = document["cases"]
    for case in cases if isinstance(cases, list) else ():
        inputs = case.get("inputs")
        texts: list[str] = []
        others: dict[str, None] = {}
        for name, value in [*shared, *_evaluators(case)]:
            if name == _CONTAINS and isinstance(value, str):
                texts.append(value)
            else:
                others[name] = None
        if isinstance(inputs, dict) and len(inputs) == 1:
            inputs = next(iter(inputs.values()))
        if not texts:
            collector.leave("left_evaluators", ", ".join(others)) if others else collector.leave("left_no_expectation")
        elif not isinstance(inputs, str):
            collector.leave("left_template")
        else:
            for name in others:
                collector.drop("dropped_assertion", name)
            collector.add(case.get("name"), inputs, expect_text=texts)


def _evaluators(owner: Mapping[str, object]) -> list[tuple[str, object]]:
    """Return names and values of evaluators, which are written as a name, or as a name with its arguments."""
    found = owner.get("evaluators")
    pairs: list[tuple[str, object]] = []
    for entry in found if isinstance(found, list) else ():
        if isinstance(entry, dict):
            for name, value in entry.items():
                pairs.append((str(name), value.get("value") if isinstance(value, dict) else value))
        else:
            pairs.append((str(entry), None))
    return pairs
