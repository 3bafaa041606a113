"""``evaluate_retrieval``: run every case through a retrieve function and measure what comes back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sekisho.core.errors import RetrievalError
from sekisho.retrieval import calling
from sekisho.retrieval.measure import measure, summarise

if TYPE_CHECKING:
    from sekisho.core.records import EvalCase
    from sekisho.retrieval.records import EvalReport

Retrieve = Callable[[Any], Any]
Progress = Callable[[int, int], None]


def evaluate_retrieval(
    cases: Sequence[EvalCase],
    retrieve: Retrieve | object,
    *,
    k: int = 10,
    concurrency: int = 1,
    timeout_s: float | None = None,
    relevance_threshold: float = 1,
    documents: Collection[str] | None = None,
    on_progress: Progress | None = None,
) -> EvalReport:
    """Return how well ``retrieve`` finds what the cases expect.

    Args:
        cases: What to ask and what should come back; ids unique, at least one case.
        retrieve: A function, or an object with a method ``retrieve``, sync or async: query to a list of ids, best
            first, or id to score (sorted by score, ties by id, both descending, as trec_eval does). An object may
            also have ``retrieve_many``; it is then asked once for all queries, where there is neither a time limit
            nor concurrency.
        k: Cut-off of recall, precision, nDCG and overlap; at least 1.
        concurrency: How many calls are under way at once; at least 1.
        timeout_s: Seconds after which a call is given up; the case is then an error. None waits for ever.
        relevance_threshold: The lowest grade that counts as relevant (nDCG uses every positive grade).
        documents: All ids of the corpus; without them ids that do not exist cannot be told.
        on_progress: Called with (cases done, cases in all) after each case, from this thread or a worker's.

    Raises:
        RetrievalError: No case, an id that comes twice, or a k, concurrency or timeout out of range; or the call
            comes from inside a running event loop with an async ``retrieve``.
    """
    _check(cases, k=k, concurrency=concurrency, timeout_s=timeout_s)
    ask = as_retrieve(retrieve)
    queries = [case.query for case in cases]
    done = _counter(len(cases), on_progress)
    if calling.is_async(ask):
        _refuse_running_loop()
        outcomes = calling.call_async_in_daemon_loop(ask, queries, done, concurrency=concurrency, timeout_s=timeout_s)
    elif concurrency == 1 and timeout_s is None:
        outcomes = _call_here(retrieve, ask, queries, done)
    else:
        outcomes = calling.call_in_threads(ask, queries, done, concurrency=concurrency, timeout_s=timeout_s)
    return _report(cases, outcomes, k=k, relevance_threshold=relevance_threshold, documents=documents)


async def evaluate_retrieval_async(
    cases: Sequence[EvalCase],
    retrieve: Retrieve | object,
    *,
    k: int = 10,
    concurrency: int = 1,
    timeout_s: float | None = None,
    relevance_threshold: float = 1,
    documents: Collection[str] | None = None,
    on_progress: Progress | None = None,
) -> EvalReport:
    """Return the same as :func:`evaluate_retrieval`, from inside a running event loop.

    A ``retrieve`` that is not async runs in a thread of its own, so that it does not block the loop.
    """
    _check(cases, k=k, concurrency=concurrency, timeout_s=timeout_s)
    ask = as_retrieve(retrieve)
    queries = [case.query for case in cases]
    done = _counter(len(cases), on_progress)
    limits: dict[str, Any] = {"concurrency": concurrency, "timeout_s": timeout_s}
    if calling.is_async(ask):
        outcomes = await calling.call_async(ask, queries, done, finished={}, **limits)
    else:
        outcomes = await calling.call_in_background(ask, queries, done, **limits)
    return _report(cases, outcomes, k=k, relevance_threshold=relevance_threshold, documents=documents)


def as_retrieve(target: Retrieve | object) -> Retrieve:
    """Return the function behind a target: its method ``retrieve``, or the target itself where it is a function.

    Raises:
        RetrievalError: It is neither.
    """
    method: Retrieve | None = getattr(target, "retrieve", None)
    if callable(method):
        return method
    if callable(target):
        return target
    raise RetrievalError("retrieval.not_callable", kind=type(target).__name__)


def _check(cases: Sequence[EvalCase], *, k: int, concurrency: int, timeout_s: float | None) -> None:
    if not cases:
        raise RetrievalError("retrieval.no_cases")
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise RetrievalError("retrieval.repeated_case", id=case.id)
        seen.add(case.id)
    for name, value in (("k", k), ("concurrency", concurrency)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise RetrievalError("retrieval.not_positive", name=name, value=value)
    if timeout_s is not None and not timeout_s > 0:
        raise RetrievalError("retrieval.not_positive_seconds", name="timeout_s", value=timeout_s)


def _refuse_running_loop() -> None:
    import asyncio  # noqa: PLC0415  only for async targets

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RetrievalError("retrieval.running_loop")


def _call_here(
    target: Retrieve | object, ask: Retrieve, queries: Sequence[Any], done: Callable[[], None]
) -> list[calling.Outcome]:
    many: Callable[[Any], Any] | None = getattr(target, "retrieve_many", None)
    if many is not None:
        outcomes = calling.call_many(many, _stack(queries))
        if outcomes is not None:
            return outcomes
    return calling.call_in_turn(ask, queries, done)


def _stack(queries: Sequence[Any]) -> Any:  # noqa: ANN401  rows of an array stay an array
    if hasattr(queries[0], "ndim"):
        import numpy as np  # noqa: PLC0415  a query that is an array has imported it

        return np.stack(queries)
    return list(queries)


def _counter(total: int, on_progress: Progress | None) -> Callable[[], None]:
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        if on_progress:
            on_progress(count, total)

    return done


def _report(
    cases: Sequence[EvalCase],
    outcomes: Sequence[calling.Outcome],
    *,
    k: int,
    relevance_threshold: float,
    documents: Collection[str] | None,
) -> EvalReport:
    known = documents if documents is None or isinstance(documents, (set, frozenset, Mapping)) else frozenset(documents)
    results = [
        measure(case, outcome, k=k, relevance_threshold=relevance_threshold)
        for case, outcome in zip(cases, outcomes, strict=True)
    ]
    return summarise(cases, results, k=k, documents=known)
