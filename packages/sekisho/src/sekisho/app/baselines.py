"""From results to what a baseline keeps of them, and results beside their baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.app.settings import AccessSuite, AnswersSuite, CollectionFiles, RetrievalSuite
from sekisho.compare.baseline import Accepted, AccessBaseline, AnswersBaseline, RetrievalBaseline
from sekisho.compare.comparison import compare_suites
from sekisho.compare.entries import access_entries, answer_entries, fingerprint, retrieval_entries
from sekisho.gate import AccessSuiteResult, AnswersSuiteResult, RetrievalSuiteResult
from sekisho.gate.drops import DropRule, judge_comparisons

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sekisho.app.prepared import PreparedSuite
    from sekisho.app.settings import SuiteSettings
    from sekisho.compare.baseline import SuiteBaseline
    from sekisho.compare.records import SuiteComparison
    from sekisho.gate import RuleOutcome, SuiteResult, Verdict

_NOT_YET = Accepted(reason="-", time="-")


def entry_of(prepared: PreparedSuite, result: SuiteResult, accepted: Accepted = _NOT_YET) -> SuiteBaseline | None:
    """Return what a baseline keeps of a suite; None where a matrix could not be measured at all."""
    suite = prepared.suite
    made_of = {name: value[:16] for name, value in result.fingerprints.items()} | {"target": result.target}
    if suite.target_options:
        made_of["target_options"] = _plain(suite.target_options)
    common: dict[str, Any] = {"accepted": accepted, "made_of": made_of, "ruler": ruler_of(suite)}
    if isinstance(result, RetrievalSuiteResult):
        entries = retrieval_entries(result.report, prepared.retrieval_cases)
        documents = {id_: prepared.text_of(id_) for entry in entries for id_ in entry.ranks}
        texts = {id_: fingerprint(text) for id_, text in sorted(documents.items()) if text is not None}
        return RetrievalBaseline(**common, k=result.report.k, documents=texts, cases=entries)
    if isinstance(result, AnswersSuiteResult):
        return AnswersBaseline(**common, cases=answer_entries(result.report, redact=result.redact))
    if result.report is None:
        return None
    return AccessBaseline(**common, cases=access_entries(result.report))


def ruler_of(suite: SuiteSettings) -> dict[str, str]:
    """Return what makes two measurements of a suite comparable."""
    if isinstance(suite, RetrievalSuite):
        ruler = {"k": str(suite.k), "gate": _gate(suite), "relevance_threshold": f"{suite.relevance_threshold:g}"}
        if isinstance(suite.corpus, CollectionFiles):
            return ruler | {"corpus": suite.corpus.corpus.name}
        parameters = {"preset": suite.corpus} if isinstance(suite.corpus, str) else dict(suite.corpus)
        return ruler | {f"corpus.{name}": str(value) for name, value in parameters.items()}
    if isinstance(suite, AnswersSuite):
        rules = {"match": "exact" if suite.exact else "folded", "known_issues": "strict" if suite.strict else "report"}
        return rules | {
            "gate": "on" if suite.gate else "none",
            "max_known": str(suite.max_known),
            "everyone": suite.everyone,
        }
    assert isinstance(suite, AccessSuite)  # noqa: S101  the third of three kinds
    return {"k": str(suite.k), "everyone": suite.everyone, "principals": _plain(suite.principals)}


def _gate(suite: RetrievalSuite) -> str:
    parts = {"min_recall": suite.min_recall, "max_drop": suite.max_drop}
    rules = [f"{name} {value:g}" for name, value in parts.items() if value is not None]
    rules += ["non_inferiority"] if suite.non_inferiority else []
    rules += [f"tolerate {kind}" for kind in sorted(suite.tolerate)]
    rules += ["strict structure"] if suite.strict_structure else []
    return ", ".join(rules) or "none"


def _plain(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def with_comparisons(
    prepared: Sequence[PreparedSuite], results: Sequence[SuiteResult], baseline: Mapping[str, SuiteBaseline]
) -> list[SuiteResult]:
    """Return the results, each beside its baseline where it has one, with what that means for its verdict."""
    known: list[tuple[int, SuiteComparison, DropRule]] = []
    for place, (each, result) in enumerate(zip(prepared, results, strict=False)):
        before, now = baseline.get(result.name), entry_of(each, result)
        if before is not None and now is not None:
            known.append((place, compare_suites(before, now, **_partial(each, result)), _rule(each.suite)))
    compared = list(results)
    judged = judge_comparisons([(comparison, rule) for _, comparison, rule in known])
    for (place, _, _), (comparison, outcomes) in zip(known, judged, strict=True):
        result = results[place]
        compared[place] = msgspec.structs.replace(
            result,
            comparison=comparison,
            gate=(*result.gate, *outcomes),
            verdict=_verdict(result, outcomes),
        )
    return compared


def _partial(prepared: PreparedSuite, result: SuiteResult) -> dict[str, Any]:
    """Return which cases of the suite did not run or could not be measured, so that they do not count as removed."""
    if isinstance(result, AccessSuiteResult):
        return {}
    ran = {case.id for case in result.report.cases}
    return {"left_out": prepared.case_ids - ran, "unmeasured": {case.id for case in result.report.errors}}


def _rule(suite: SuiteSettings) -> DropRule:
    return DropRule(suite.max_drop, suite.non_inferiority) if isinstance(suite, RetrievalSuite) else DropRule()


def _verdict(result: SuiteResult, outcomes: Sequence[RuleOutcome]) -> Verdict:
    """Return the verdict with the rules of the comparison; they can fail a suite and never save one."""
    if any(outcome.holds is False for outcome in outcomes):
        return "failed"
    return result.verdict
