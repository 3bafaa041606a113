"""``evaluate_retrieval``: run every case through a retrieve function and measure what comes back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from sekisho.calling import Outcome, calls
from sekisho.calling.event_loop import BoundTarget, LoopThread, loop_is_running
from sekisho.calling.methods import is_async, method_of
from sekisho.core.errors import RetrievalError
from sekisho.retrieval.checks import check_cases, check_limits, check_measure
from sekisho.retrieval.measure import report_of
from sekisho.retrieval.results import MOST_RESULTS, read_result

if TYPE_CHECKING:
    from sekisho.core.records import EvalCase
    from sekisho.retrieval.records import EvalReport
    from sekisho.retrieval.results import Ranked

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

    Without a time limit and concurrency a target that is not async is called in this thread. Awaitables of all cases
    are awaited in one event loop; one that a call blocks past its time limit is replaced, and what else was under way
    in it counts as timed out.

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
        on_progress: Called with (cases done, cases in all) after each case; what it raises ends the evaluation.

    Raises:
        RetrievalError: No case, an id that comes twice, relevant ids of the wrong type, or a k, concurrency or
            timeout out of range; or the call comes from inside a running event loop with an async ``retrieve``.
        RankingError: The relevance threshold is not a number above 0.
    """
    cases = check_cases(cases)
    check_limits(concurrency=concurrency, timeout_s=timeout_s)
    check_measure(k=k, relevance_threshold=relevance_threshold)
    bound: LoopThread | None = None
    if type(retrieve) is BoundTarget:  # isinstance would ask the target's own class
        retrieve, bound = retrieve
    ask = as_retrieve(retrieve)
    if is_async(ask) and loop_is_running():
        raise RetrievalError("calling.running_loop")
    queries = [case.query for case in cases]
    done = _counter(len(cases), on_progress)
    read = partial(read_result, most=max(k, MOST_RESULTS))
    with LoopThread() as own:
        finish = partial((bound or own).run, timeout_s=timeout_s)
        if concurrency == 1 and timeout_s is None:
            outcomes = _call_here(retrieve, ask, queries, done, finish=finish, read=read)
        else:
            outcomes = calls.call_in_threads(
                ask, queries, done, finish=finish, read=read, concurrency=concurrency, timeout_s=timeout_s
            )
    return report_of(cases, outcomes, k=k, relevance_threshold=relevance_threshold, documents=documents)


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

    A ``retrieve`` that is not async runs in a thread of its own, so that it does not block the loop, and
    ``on_progress`` is then called from another thread. An async one that blocks the loop blocks the caller too: no
    time limit can end that.
    """
    from sekisho.calling import awaiting  # noqa: PLC0415  imports asyncio, which no other evaluation needs

    cases = check_cases(cases)
    check_limits(concurrency=concurrency, timeout_s=timeout_s)
    check_measure(k=k, relevance_threshold=relevance_threshold)
    ask = as_retrieve(retrieve)
    queries = [case.query for case in cases]
    done = _counter(len(cases), on_progress)
    call = awaiting.call_in_this_loop if is_async(ask) else awaiting.call_in_background
    read = partial(read_result, most=max(k, MOST_RESULTS))
    outcomes = await call(ask, queries, done, read=read, concurrency=concurrency, timeout_s=timeout_s)
    return report_of(cases, outcomes, k=k, relevance_threshold=relevance_threshold, documents=documents)


def as_retrieve(target: Retrieve | object) -> Retrieve:
    """Return the function behind a target: its method ``retrieve``, or the target itself where it is a function.

    Raises:
        RetrievalError: It is neither.
        TargetError: Looking at it raises.
    """
    method = method_of(target, "retrieve")
    if callable(method):
        return method  # type: ignore[no-any-return]  # callable() cannot tell the signature
    if callable(target):
        return target
    raise RetrievalError("retrieval.not_callable", kind=type(target).__name__)


def _call_here(
    target: Retrieve | object,
    ask: Retrieve,
    queries: Sequence[Any],
    done: Callable[[], None],
    *,
    finish: calls.Finish,
    read: calls.Read,
) -> list[Outcome[Ranked]]:
    many = method_of(target, "retrieve_many")
    outcomes = calls.call_many(many, queries, done, finish=finish, read=read) if many is not None else None
    return calls.call_in_turn(ask, queries, done, finish=finish, read=read) if outcomes is None else outcomes


def _counter(total: int, on_progress: Progress | None) -> Callable[[], None]:
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        if on_progress:
            on_progress(count, total)

    return done
