"""What the summary needs of an item, as plain data that travels between processes; no text of questions or answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from sekisho.answers import CaseResult, Failure
from sekisho.calling.records import CaseError
from sekisho.core.answers import AnswerCase
from sekisho.core.messages import note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.app.settings import AnswersSuite
    from sekisho.pytest_plugin.nodes import SuiteNode

_KEYS = ("expect_source", "expect_text", "forbid", "expect_not_found")


class Payload(TypedDict, total=False):
    """One item that has run.

    Attributes:
        suite: Node id of its suite.
        name: Of the suite, as a part of node ids.
        number: Place of the suite in its file.
        lines: What a suite as a whole says of itself.
        case: A case: its status, the codes of its failures, which keys it uses.
        total: How many cases the suite has.
        max_known: The most known issues that may stand; None for any number.
    """

    suite: str
    name: str
    number: int
    lines: list[str]
    case: dict[str, Any]
    total: int
    max_known: int | None


def suite_payload(node: SuiteNode, lines: Sequence[str]) -> Payload:
    """Return the payload of a suite that ran as a whole."""
    return {"suite": node.nodeid, "name": node.name, "number": node.number, "lines": list(lines)}


def case_payload(result: CaseResult, case: AnswerCase, *, suite: AnswersSuite, node: SuiteNode, total: int) -> Payload:
    """Return the payload of a case; of a redacted result, too, as ``case`` is the one in the file."""
    return {
        "suite": node.nodeid,
        "name": node.name,
        "number": node.number,
        "case": {
            "status": result.status,
            "passed": result.passed,
            "codes": [failure.code for failure in result.failures],
            "error": result.error is not None,
            "keys": [key for key in _KEYS if getattr(case, key)],
        },
        "total": total,
        "max_known": suite.max_known if suite.gate else None,
    }


def case_result(id_: str, case: dict[str, Any]) -> CaseResult:
    """Return a result that counts as the one that a payload was made from; its texts are blank."""
    blank: dict[str, Any] = {key: True if key == "expect_not_found" else ("",) for key in case["keys"]}
    failures = [Failure(code=code, reason=note(f"answers.redacted_{code}")) for code in case["codes"]]
    return CaseResult(
        case=AnswerCase(id=id_, question="", **blank),
        status=case["status"],
        passed=case["passed"],
        failures=tuple(failures),
        error=CaseError(kind="raised", reason=note("answers.redacted_error")) if case["error"] else None,
    )
