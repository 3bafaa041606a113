"""Items of suites that run as a whole: the gate of a retrieval suite, the matrix of an access suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sekisho.adapters import targets
from sekisho.app.inputs import load_tools
from sekisho.app.prepared import Selection, placed
from sekisho.app.settings import CollectionFiles, RetrievalSuite
from sekisho.app.single_suites import run_single_suite
from sekisho.app.suites import prepare_suite
from sekisho.core.errors import SekishoError
from sekisho.pytest_plugin.items import SekishoItem
from sekisho.pytest_plugin.marking import mark
from sekisho.pytest_plugin.outcomes import FailedError, UnmeasuredError
from sekisho.pytest_plugin.payloads import suite_payload
from sekisho.pytest_plugin.suite_lines import sentences_of_suite, summary_lines

if TYPE_CHECKING:
    from sekisho.app.prepared import PreparedSuite
    from sekisho.app.settings import SuiteSettings
    from sekisho.gate import SuiteResult
    from sekisho.pytest_plugin.nodes import SuiteNode


class SuiteItem(SekishoItem):
    """A suite as a whole. It is measured while the item is set up, so that one without a measurement is an error."""

    def __init__(self, *, prepared: PreparedSuite | None, **arguments: Any) -> None:  # noqa: ANN401  pytest's own
        super().__init__(**arguments)
        self._prepared = prepared
        self._result: SuiteResult | None = None

    def setup(self) -> None:
        """Measure the suite.

        Raises:
            UnmeasuredError: It cannot begin, or leaves open what its gate says.
        """
        try:
            prepared = self._prepared or _prepare(self.suite_node.suite, self.suite_node)
            result = self._result = run_single_suite(prepared, self.suite_node.configuration)
        except SekishoError as error:
            sentence = error.render(self.language)
            raise UnmeasuredError(sentence, headline=sentence) from None
        self.payload = suite_payload(self.suite_node, summary_lines(result, self.language))
        if result.verdict == "not_measured":
            raise self._told(UnmeasuredError, result)

    def runtest(self) -> None:
        """Pass, or tell which rules do not hold and what leaks.

        Raises:
            FailedError: The gate fails.
        """
        result = self._result
        assert result is not None  # noqa: S101  set up before it runs
        if result.verdict == "failed":
            raise self._told(FailedError, result)

    def _told(self, kind: type[FailedError | UnmeasuredError], result: SuiteResult) -> FailedError | UnmeasuredError:
        sentences = sentences_of_suite(result, self.language)
        return kind("\n".join(sentences), headline=sentences[0])


def suite_item(node: SuiteNode, suite: SuiteSettings) -> SuiteItem:
    """Return the item of a suite; its target's module is imported, its corpus is made only where it runs.

    Raises:
        SekishoError: The target's module, the cases or the configuration are wrong.
    """
    prepared = None
    if isinstance(suite, RetrievalSuite):
        _load_tools(suite)
        with placed(suite, "target"):
            targets.load_factory(suite.target, root=node.root)
    else:
        prepared = _prepare(suite, node)
    place = suite.places.get("target")
    item: SuiteItem = SuiteItem.from_parent(
        node,
        name="gate" if isinstance(suite, RetrievalSuite) else "matrix",
        suite_node=node,
        place=node.path,
        line=place.line if place else None,
        prepared=prepared,
    )
    mark(item, suite.tags)
    item.extra_keyword_matches.add(suite.name)
    return item


def _prepare(suite: SuiteSettings, node: SuiteNode) -> PreparedSuite:
    return prepare_suite(suite, root=node.root, selection=Selection())


def _load_tools(suite: RetrievalSuite) -> None:
    if not isinstance(suite.corpus, CollectionFiles):
        load_tools()
