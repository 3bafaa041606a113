"""What comparing a suite with its baseline gives: the reviewer's diff, and the rulers."""

from __future__ import annotations

from typing import Literal

import msgspec

from sekisho.compare.baseline import Accepted
from sekisho.compare.statistics import DropFinding, PairedComparison
from sekisho.core.messages import Note

ChangeKind = Literal[
    "issue_new", "issue_changed", "issue_gone", "permission_changed", "newly_failing", "worse", "fails_otherwise",
    "reordered", "source_changed", "text_changed", "better", "fixed",
]  # fmt: skip
"""In the order of a diff: what the list of excuses did first, then from the worst to the best."""
CHANGE_KINDS: tuple[ChangeKind, ...] = (
    "issue_new", "issue_changed", "issue_gone", "permission_changed", "newly_failing", "worse", "fails_otherwise",
    "reordered", "source_changed", "text_changed", "better", "fixed",
)  # fmt: skip


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a suite is made of, before and now.

    Attributes:
        name: Such as ``k``, ``corpus.seed``, ``target``; ``case.<id>`` for the text of a case or what it expects;
            ``cases`` where more than half of the cases are gone.
        before: As in the baseline; empty where it had none.
        now: As measured.
    """

    name: str
    before: str
    now: str


class GoldFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A judged document that is no longer what was judged; metrics are compared without it, before and now.

    Attributes:
        id: The document.
        kind: ``missing``: the corpus does not hold it; ``changed``: its text is another.
        cases: The cases that expect it.
    """

    id: str
    kind: Literal["missing", "changed"]
    cases: tuple[str, ...]


class CaseChange(msgspec.Struct, frozen=True, kw_only=True):
    """One case that changed.

    Attributes:
        id: The case; of a permission matrix the departments of who asks, empty for nobody.
        kind: How.
        reason: The sentence.
        weight: How much worse, for the order within a kind; negative is better.
        details: Further sentences, such as the ranks that moved or a word diff.
    """

    id: str
    kind: ChangeKind
    reason: Note
    weight: float = 0.0
    details: tuple[Note, ...] = ()


class RulerComparison(msgspec.Struct, frozen=True, kw_only=True):
    """One metric over the common cases.

    Attributes:
        name: Such as ``recall@10``.
        comparison: Means, interval, p values and more.
        finding: What the regression rule says; None until all suites of a run are judged together.
    """

    name: str
    comparison: PairedComparison
    finding: DropFinding | None = None


class SuiteComparison(msgspec.Struct, frozen=True, kw_only=True):
    """A suite beside its baseline.

    Attributes:
        accepted: When and why the baseline was accepted.
        ruler_changes: Differences that make the two incomparable until they are accepted.
        made_of_changes: Differences that a reader may want to know, such as another target.
        new: Cases that the baseline lacks.
        removed: Cases that only the baseline has.
        gold: Relevant documents that are no longer what was judged.
        rulers: The metrics, retrieval suites only.
        changes: Cases that changed, the worst first.
        common: How many cases are in both; 0 where the ruler changed, so that nothing was compared.
        lists_changed: How many of them have another list of first k results, whatever the metrics say.
        still_known: Cases whose known issue excused them then and now.
        known_more: How many more cases a known issue excuses than in the baseline; negative for fewer.
    """

    accepted: Accepted
    ruler_changes: tuple[Difference, ...] = ()
    made_of_changes: tuple[Difference, ...] = ()
    new: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    gold: tuple[GoldFinding, ...] = ()
    rulers: tuple[RulerComparison, ...] = ()
    changes: tuple[CaseChange, ...] = ()
    common: int = 0
    lists_changed: int = 0
    still_known: tuple[str, ...] = ()
    known_more: int = 0

    def of_kind(self, *kinds: ChangeKind) -> tuple[CaseChange, ...]:
        """Return the changes of some kinds."""
        return tuple(change for change in self.changes if change.kind in kinds)
