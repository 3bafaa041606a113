"""A configuration file and its suites as collectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sekisho.app.configuration import load_configuration
from sekisho.app.settings import AnswersSuite
from sekisho.core.errors import ConfigurationError, SekishoError
from sekisho.pytest_plugin.naming import distinct, node_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sekisho.app.configuration import Configuration
    from sekisho.app.settings import SuiteSettings
    from sekisho.core.messages import Language
    from sekisho.pytest_plugin.wanted import Wanted


class ConfigurationNode(pytest.File):
    """A configuration file; its collectors are its suites."""

    def __init__(self, *, wanted: Wanted, language: Language, **arguments: Any) -> None:  # noqa: ANN401  pytest's own
        super().__init__(**arguments)
        self._wanted = wanted
        self._language = language

    def collect(self) -> Iterator[SuiteNode]:
        """Yield the suites that are asked for, as far as their target and cases can be read."""
        try:
            configuration = load_configuration(self.path)
            suites = self._wanted.suites(configuration, self.path)
            if not suites and not self._wanted.names:
                known = ", ".join(suite.name for suite in configuration.suites)
                raise ConfigurationError("app.only_manual", known=known)
        except SekishoError as error:
            raise self.CollectError(error.render(self._language)) from None
        names = distinct(node_name(suite.name) for suite in configuration.suites)
        for number, (name, suite) in enumerate(zip(names, configuration.suites, strict=True)):
            if suite in suites:
                yield SuiteNode.from_parent(
                    self, name=name, suite=suite, number=number, configuration=configuration, language=self._language
                )


class SuiteNode(pytest.Collector):
    """One suite; its items are its cases, or the suite as a whole.

    Attributes:
        suite: Its settings.
        number: Its place in the file.
        configuration: All suites of the file.
        root: The folder that paths and imports start from.
        language: Of its sentences.
    """

    def __init__(
        self,
        *,
        suite: SuiteSettings,
        number: int,
        configuration: Configuration,
        language: Language,
        **arguments: Any,  # noqa: ANN401  pytest's own
    ) -> None:
        super().__init__(**arguments)
        self.configuration = configuration
        self.suite = suite
        self.number = number
        self.root = configuration.root
        self.language = language

    def collect(self) -> list[pytest.Item]:
        """Return the items; no target is made yet, but its module is imported and its cases are read."""
        try:
            return self._items()
        except SekishoError as error:
            raise self.CollectError(error.render(self.language)) from None

    def _items(self) -> list[pytest.Item]:
        if isinstance(self.suite, AnswersSuite):
            from sekisho.pytest_plugin.case_items import case_items  # noqa: PLC0415  only the kinds that are there

            return case_items(self, self.suite)
        from sekisho.pytest_plugin.suite_items import suite_item  # noqa: PLC0415  as above

        return [suite_item(self, self.suite)]
