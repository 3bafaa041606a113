"""The section at the end of a test run: each suite over all processes, and the rules over all its cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sekisho.answers import AnswersReport, CaseResult
from sekisho.core.messages import message
from sekisho.gate.answers import AnswersRule, judge_answers
from sekisho.pytest_plugin.payloads import case_result
from sekisho.reports.answers_report import totals, viewpoints

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sekisho.core.messages import Language
    from sekisho.pytest_plugin.payloads import Payload


class SummaryLine(NamedTuple):
    """One line, with the names of how pytest marks it."""

    text: str
    markup: dict[str, bool]


class Summary:
    """Gathers what items say of themselves.

    Args:
        language: Of its sentences.
    """

    def __init__(self, language: Language) -> None:
        self._language = language
        self._payloads: dict[str, dict[str, Payload]] = {}
        self._warnings: dict[str, dict[str, None]] = {}

    def __bool__(self) -> bool:
        return bool(self._payloads)

    def add(self, item: str, payload: Payload) -> None:
        """Keep the payload of an item, in place of one that it gave before."""
        self._payloads.setdefault(payload["suite"], {})[item] = payload

    def warn(self, warnings: Mapping[str, Sequence[str]]) -> None:
        """Keep warnings by suite, each sentence once: every process that runs cases of a suite gives its own."""
        for suite, sentences in warnings.items():
            self._warnings.setdefault(suite, {}).update(dict.fromkeys(sentences))

    def broken_rules(self) -> list[str]:
        """Return a sentence for each suite with more known issues than it may have."""
        return [sentence for _, payloads in self._suites() for sentence in self._broken(payloads)]

    def lines(self) -> Iterator[SummaryLine]:
        """Yield the lines of all suites, in the order of their file."""
        for suite, payloads in self._suites():
            name = payloads[0]["name"]
            first, *others = self._texts(payloads)
            yield SummaryLine(f"{name}: {first}", {"bold": True})
            for text in others:
                yield SummaryLine(f"  {text}", {})
            for sentence in self._warnings.get(suite, ()):
                text = message("report.warning", self._language, text=sentence)
                yield SummaryLine(f"  {text}", {"yellow": True})
            for sentence in self._broken(payloads):
                yield SummaryLine(f"  {sentence}", {"red": True})

    def _suites(self) -> list[tuple[str, list[Payload]]]:
        found = [(suite, list(items.values())) for suite, items in self._payloads.items()]
        return sorted(found, key=lambda pair: (pair[0].partition("::")[0], pair[1][0]["number"]))

    def _texts(self, payloads: Sequence[Payload]) -> list[str]:
        if "case" not in payloads[0]:
            return payloads[0]["lines"]
        results = _results(payloads)
        texts = [totals(results, self._language), viewpoints(results, self._language)]
        total = payloads[0]["total"]
        if len(results) < total:
            texts.append(message("plugin.partial", self._language, count=len(results), total=total))
        return texts

    def _broken(self, payloads: Sequence[Payload]) -> list[str]:
        most = payloads[0].get("max_known")
        if most is None:
            return []
        _, outcomes = judge_answers(AnswersReport(cases=tuple(_results(payloads))), AnswersRule(max_known=most))
        return [
            message(
                "plugin.too_many_known", self._language, name=payloads[0]["name"], count=int(rule.value or 0), most=most
            )
            for rule in outcomes
            if rule.rule == "answers.known" and rule.holds is False
        ]


def _results(payloads: Sequence[Payload]) -> list[CaseResult]:
    return [case_result(str(number), payload["case"]) for number, payload in enumerate(payloads)]
