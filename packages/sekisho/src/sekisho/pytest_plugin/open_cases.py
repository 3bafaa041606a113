"""The cases of one suite in one process, with the target that is opened for them once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sekisho.core.errors import SekishoError
from sekisho.pytest_plugin.outcomes import UnmeasuredError

if TYPE_CHECKING:
    from sekisho.answers import CaseResult
    from sekisho.app.single_cases import SingleCases
    from sekisho.pytest_plugin.case_items import CaseItem
    from sekisho.pytest_plugin.nodes import SuiteNode

WARNINGS = pytest.StashKey[dict[str, list[str]]]()
"""Where a session keeps what closing a suite had to say: node id of the suite to sentences."""


class OpenCases:
    """The cases of one suite: the target is opened by the first item and closed after the last one.

    Where other processes run a part of the items, none of them knows which is its last; the target is then closed with
    the session, as it is where the session ends early.
    """

    def __init__(self, node: SuiteNode, cases: SingleCases) -> None:
        self.single = cases
        self._node = node
        self._waiting: int | None = None

    def run(self, item: CaseItem) -> CaseResult:
        """Return the result of an item's case."""
        if self._waiting is None:
            self._waiting = sum(getattr(each, "open_cases", None) is self for each in item.session.items)
            item.session.addfinalizer(self.close)
        return self.single.run(item.case)

    def leave(self) -> None:
        """Close the target if no other item waits for it."""
        if self._waiting is not None:
            self._waiting -= 1
            if self._waiting == 0:
                self.close()

    def close(self) -> None:
        """Close the target, where it is open.

        Raises:
            UnmeasuredError: Closing it failed.
        """
        language = self._node.language
        try:
            warnings = self.single.close()
        except SekishoError as error:
            sentence = error.render(language)
            raise UnmeasuredError(sentence, headline=sentence) from None
        kept = self._node.config.stash.setdefault(WARNINGS, {})
        kept.setdefault(self._node.nodeid, []).extend(warning.render(language) for warning in warnings)
