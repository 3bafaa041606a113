"""From results to what a baseline keeps of them, and results beside their baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.app.baseline_finding import MANUAL
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
_MOST_DOCUMENTS = 300
"""Lines of a baseline that documents may take; beyond them no reviewer reads on."""


def judged_documents(prepared: Sequence[PreparedSuite], baseline: Mapping[str, SuiteBaseline]) -> list[dict[str, str]]:
    """Return of each suite the documents that its cases or its baseline judge: id to the fingerprint of the text.

    Without those that the corpus does not hold, or that have no text. To be asked for before a suite runs: its target
    gets the corpus, and may do with it what it likes.
    """
    return [
        {
            id_: fingerprint(text)
            for id_ in sorted(_judged(each).union(getattr(baseline.get(each.suite.name), "documents", ())))
            if (text := each.text_of(id_)) is not None
        }
        for each in prepared
    ]


def _judged(prepared: PreparedSuite) -> set[str]:
    return {id_ for case in prepared.retrieval_cases for id_, grade in case.grades.items() if grade > 0}


def entry_of(
    prepared: PreparedSuite, result: SuiteResult, documents: Mapping[str, str], accepted: Accepted = _NOT_YET
) -> SuiteBaseline | None:
    """Return what a baseline keeps of a suite; None where a matrix could not be measured at all.

    Args:
        prepared: The suite.
        result: Its measurement.
        documents: Of :func:`judged_documents`.
        accepted: By whom and why, where it is accepted.
    """
    suite = prepared.suite
    made_of = {name: value[:16] for name, value in result.fingerprints.items()} | {"target": result.target}
    if suite.target_options:
        made_of["target_options"] = _plain(suite.target_options)
    common: dict[str, Any] = {"accepted": accepted, "made_of": made_of, "ruler": ruler_of(suite)}
    if isinstance(result, RetrievalSuiteResult):
        assert isinstance(suite, RetrievalSuite)  # noqa: S101  of the same kind as its result
        return RetrievalBaseline(
            **common,
            k=result.report.k,
            relevance_threshold=suite.relevance_threshold,
            documents={id_: documents[id_] for id_ in sorted(_judged(prepared)) if id_ in documents},
            cases=retrieval_entries(result.report, prepared.retrieval_cases),
        )
    if isinstance(result, AnswersSuiteResult):
        measured = result.measured or result.report
        answers = answer_entries(measured, redact=result.redact)
        common["made_of"] = made_of | _documents(measured.documents, redact=result.redact)
        return AnswersBaseline(**common, redacted=result.redact, cases=answers)
    if result.report is None:
        return None
    return AccessBaseline(**common, cases=access_entries(result.report))


def _documents(documents: Mapping[str, str], *, redact: bool) -> dict[str, str]:
    """Return what names the documents that changed; of many, or where no name may be kept, one fingerprint of all."""
    if not documents:
        return {}
    if redact or len(documents) > _MOST_DOCUMENTS:
        return {"documents": fingerprint(_plain(documents))}
    return {f"document.{name}": text for name, text in documents.items()}


def ruler_of(suite: SuiteSettings) -> dict[str, str]:
    """Return what makes two measurements of a suite comparable."""
    return _ruler(suite) | ({MANUAL: "true"} if suite.manual else {})


def _ruler(suite: SuiteSettings) -> dict[str, str]:
    if isinstance(suite, RetrievalSuite):
        ruler = {"k": str(suite.k), "gate": _gate(suite), "relevance_threshold": f"{suite.relevance_threshold:g}"}
        if isinstance(suite.corpus, CollectionFiles):
            missing = {"allow_missing": "true"} if suite.allow_missing else {}
            return ruler | {"corpus": suite.corpus.corpus.name} | missing
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
    return {
        "k": str(suite.k),
        "cases": suite.cases.name if suite.cases else "none",
        "everyone": suite.everyone,
        "principals": _plain(sorted(map(sorted, suite.principals))),
    }


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
    prepared: Sequence[PreparedSuite],
    results: Sequence[SuiteResult],
    documents: Sequence[Mapping[str, str]],
    baseline: Mapping[str, SuiteBaseline],
) -> list[SuiteResult]:
    """Return the results, each beside its baseline where it has one, with what that means for its verdict.

    Args:
        prepared: The suites.
        results: Of them, or of the first of them where a run broke off.
        documents: Of :func:`judged_documents`.
        baseline: Accepted suites by name.
    """
    known: list[tuple[int, SuiteComparison, DropRule]] = []
    for place, (each, result, texts) in enumerate(zip(prepared, results, documents, strict=False)):
        before = baseline.get(result.name)
        if before is not None and (now := entry_of(each, result, texts)) is not None:
            known.append((place, compare_suites(before, now, texts=texts, **_partial(each, result)), _rule(each.suite)))
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
