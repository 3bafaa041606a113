"""``evaluate_access``: ask as everybody about what each may not see, and look for it at every stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.access.asking import Limits
from sekisho.access.checks import check_arguments
from sekisho.access.corpus import Corpus
from sekisho.access.matrix import Matrix
from sekisho.access.principals import principals_of, unknown_departments
from sekisho.calling.answers import read_documents
from sekisho.calling.asking import Asked, asked
from sekisho.core.answers import EVERYONE
from sekisho.core.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sekisho.access.records import AccessReport
    from sekisho.calling.records import CaseError
    from sekisho.core.answers import AnswerCase, Document


def evaluate_access(
    target: object,
    *,
    principals: Sequence[Sequence[str]] = (),
    everyone: str = EVERYONE,
    k: int = 10,
    cases: Sequence[AnswerCase] = (),
    concurrency: int = 1,
    timeout_s: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> AccessReport:
    """Return what a target shows to each principal of the documents that it may not see.

    A document is visible to a principal when it has one of its departments, or ``everyone``. Asked are nobody, each
    department alone, the given principals, and who has all departments. Questions are made from the hidden documents
    themselves, without a model: title, name, distinctive sentences, and the questions of cases that cite them. All
    documents hidden from the asker are looked for in every reply.

    Args:
        target: An object with ``documents()`` and ``search(question, departments, k)`` or ``answer(question,
            departments)`` or both, sync or async; optionally ``without(document_ids)``, a context manager that gives
            the target without these documents. It gets departments sorted, each once, with ``everyone`` among them.
        principals: More principals, each a list of departments.
        everyone: The department of documents that everyone may see.
        k: How many ids are searched for; at least 1.
        cases: Their questions are asked about the documents that they expect as a source.
        concurrency: How many calls are under way at once; at least 1.
        timeout_s: Seconds after which a call is given up, which leaves its probe unmeasured. None waits for ever.
        on_progress: Called with (calls done, calls planned) after each call; a call that confirms a finding is not
            counted.

    Returns:
        The report. It is the same for the same target and arguments, apart from ``elapsed_ms``.

    Raises:
        TargetError: The target has neither ``search`` nor ``answer``, or no ``documents``; or those cannot be read,
            there are none, or one has no department.
        ConfigurationError: A principal is not a list of departments, or ``everyone`` is not a text.
        RetrievalError: ``k``, ``concurrency`` or ``timeout_s`` is out of range, or the target is async and the call
            comes from inside a running event loop.
    """
    check_arguments(everyone=everyone, k=k, concurrency=concurrency, timeout_s=timeout_s)
    with asked(target) as asking:
        documents = documents_of(asking, timeout_s=timeout_s)
        who = principals_of(documents, principals, everyone)
        warnings = tuple(unknown_departments(documents, principals, everyone))
        progress = Progress(on_progress)
        limits = Limits(everyone=everyone, k=k, concurrency=concurrency, timeout_s=timeout_s, done=progress.one_more)
        matrix = Matrix(asking, Corpus(documents), who, limits, cases)
        progress.total = matrix.planned_calls()
        return matrix.report(warnings)


class Progress:
    """Tells how far the calls are.

    Attributes:
        total: Calls planned.
    """

    def __init__(self, tell: Callable[[int, int], None] | None) -> None:
        self._tell = tell
        self._count = 0
        self.total = 0

    def one_more(self) -> None:
        """Count a call."""
        self._count += 1
        if self._tell:
            self._tell(self._count, self.total)


def documents_of(asking: Asked, *, timeout_s: float | None) -> tuple[Document, ...]:
    """Return the documents of a target; at least one.

    Raises:
        TargetError: There is none, or they cannot be read.
    """
    outcome = asking.ask_all(asking.method("documents"), [()], read=read_documents, timeout_s=timeout_s)[0]
    error: CaseError | None = outcome.error
    if error is not None:
        if error.kind == "timeout":
            raise TargetError("access.documents_late", timeout_s=timeout_s)
        if error.kind == "raised":
            raise TargetError("access.documents_failed", text=error.reason)
        raise TargetError(error.reason.code, **error.reason.values)
    documents: tuple[Document, ...] = outcome.value or ()
    if not documents:
        raise TargetError("access.no_documents")
    return tuple(sorted(documents, key=lambda document: document.id))  # the order that places count in
