"""A case as the keys and values that stand for it in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.adapters.case_files.source import ISSUE_KEYS

if TYPE_CHECKING:
    from sekisho.core.answers import AnswerCase, KnownIssue


def fields_of(case: AnswerCase) -> dict[str, object]:
    """Return the keys of a case that say anything, in the order in which they are written.

    Values are texts, lists of texts, True, and for ``known_issue`` a text or a mapping of texts and lists.
    """
    fields: dict[str, object] = {"id": case.id, "question": case.question}
    if case.departments:
        fields["departments"] = list(case.departments)
    if case.expect_source:
        fields["expect_source"] = case.expect_source[0] if len(case.expect_source) == 1 else list(case.expect_source)
    if case.expect_text:
        fields["expect_text"] = list(case.expect_text)
    if case.forbid:
        fields["forbid"] = list(case.forbid)
    if case.expect_not_found:
        fields["expect_not_found"] = True
    if case.known_issue:
        fields["known_issue"] = issue_fields(case.known_issue)
    if case.tags:
        fields["tags"] = list(case.tags)
    return fields


def issue_fields(issue: KnownIssue) -> str | dict[str, object]:
    """Return an issue as its reason alone, where it has no limits, else as a mapping."""
    values: tuple[object, ...] = (
        issue.reason, list(issue.suites), list(issue.failures), issue.until.isoformat() if issue.until else "",
        issue.link,
    )  # fmt: skip
    fields = {key: value for key, value in zip(ISSUE_KEYS, values, strict=True) if value}
    return issue.reason if fields.keys() == {"reason"} else fields
