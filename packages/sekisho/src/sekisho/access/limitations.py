"""What a report says about its own limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.core.messages import Note, note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.access.asking import Asker
    from sekisho.access.records import PrincipalResult


def warnings_of(results: Sequence[PrincipalResult], asker: Asker, *, unstable: int | None) -> Iterator[Note]:
    """Yield what was not measured, and what else the reader should know.

    Args:
        results: Of all principals.
        asker: The target after all its calls.
        unstable: Questions whose reply changes by itself; None where the target cannot be rebuilt.
    """
    if not any(result.hidden for result in results):
        yield note("access.nothing_hidden")
    if asker.search is None:
        yield note("access.no_search")
    if asker.answer is None:
        yield note("access.no_answer")
    if not (asker.searched_any or asker.answered_any):
        yield note("access.nothing_found")
    elif asker.answer is not None and not asker.contexts_any:
        yield note("access.no_contexts")
    if unstable is None:
        yield note("access.no_without")
    elif unstable:
        yield note("access.unstable", count=unstable)
    for result in results:
        if result.leak_count > len(result.leaks):
            label = f"[{', '.join(result.departments)}]"
            yield note("access.more_leaks", principal=label, count=result.leak_count, kept=len(result.leaks))
