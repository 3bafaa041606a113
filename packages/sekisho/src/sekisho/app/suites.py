"""Suites of every kind: prepared one and all before the first runs, then run in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.adapters import targets
from sekisho.app.retrieval_suite import prepare_retrieval
from sekisho.app.settings import AccessSuite, AnswersSuite
from sekisho.core.errors import ConfigurationError, SekishoError
from sekisho.core.text import did_you_mean
from sekisho.gate import exit_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sekisho.app.prepared import PreparedSuite, Progress, Selection
    from sekisho.app.settings import SuiteSettings
    from sekisho.gate import SuiteResult


def prepare_suite(suite: SuiteSettings, *, root: Path, selection: Selection) -> PreparedSuite:
    """Return a suite of which nothing can be refused any more.

    Raises:
        SekishoError: The configuration, the target's import, the cases or the files are wrong.
    """
    if isinstance(suite, AnswersSuite):
        from sekisho.app.answers_suite import prepare_answers  # noqa: PLC0415  only the kinds that run are imported

        return prepare_answers(suite, root=root, selection=selection)
    if isinstance(suite, AccessSuite):
        from sekisho.app.access_suite import prepare_access  # noqa: PLC0415  as above

        return prepare_access(suite, root=root, selection=selection)
    return prepare_retrieval(suite, root=root, selection=selection)


def refuse_unknown_cases(prepared: Sequence[PreparedSuite], selection: Selection) -> None:
    """Raise where a selected id is in no suite, or where nothing is selected at all.

    Raises:
        ConfigurationError: With the id that was probably meant.
    """
    known = frozenset().union(*(each.case_ids for each in prepared))
    for case_id in selection.case_ids:
        if case_id not in known:
            meant = did_you_mean(case_id, known)
            code = "app.unknown_case_meant" if meant else "app.unknown_case"
            raise ConfigurationError(code, id=case_id, meant=meant)
    if not any(each.selected for each in prepared):
        tags, ids = (", ".join(chosen) or "-" for chosen in (selection.tags, selection.case_ids))
        raise ConfigurationError("app.nothing_selected", tags=tags, ids=ids)


def run_suites(
    waiting: Sequence[PreparedSuite], *, fail_fast: bool = False, on_progress: Progress | None = None
) -> list[SuiteResult]:
    """Run suites in turn; one that breaks off in an unexpected way takes nothing from those that have finished.

    Raises:
        SekishoError: The first suite refuses to run.
    """
    results: list[SuiteResult] = []
    for prepared in waiting:
        modules = targets.own_modules()
        try:
            result = prepared.run(_advance(prepared, on_progress))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a target may even leave this package unable to measure
            if isinstance(error, SekishoError) and not results:
                raise
            result = prepared.unmeasured("retrieval.broke_off", error)
        finally:
            targets.restore_modules(modules)
        results.append(result)
        if fail_fast and exit_code(result.verdict):
            break
    return results


def _advance(prepared: PreparedSuite, on_progress: Progress | None) -> Callable[[int, int], None]:
    def advance(done: int, total: int) -> None:
        if on_progress:
            on_progress(prepared.suite.name, done, total)

    return advance
