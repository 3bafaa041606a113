"""The pytest plugin: suites of ``sekisho.toml`` as items of a test run, and a fixture for tests of one's own.

A run that neither names a ``sekisho.toml`` nor gives ``--sekisho`` imports this module and nothing else.
"""

from __future__ import annotations

import pytest

TYPE_CHECKING = False  # importing typing takes longer than the rest of this module
if TYPE_CHECKING:
    from sekisho.pytest_plugin.fixture import Sekisho

_OPTION = (
    "Run the suites of sekisho.toml (found upward from here), those marked manual only when named: SUITE, or several "
    "with commas between them; may be given several times. Without a path of tests, nothing else runs. Write paths "
    "before this option, or SUITE as --sekisho=SUITE."
)
_LANGUAGE = "Language of sekisho's sentences: en or ja (default: SEKISHO_LANG, else the locale)."
_MARKER = "sekisho: a case or suite of sekisho.toml; its tags are markers, too."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--sekisho`` and ``sekisho_lang``."""
    group = parser.getgroup("sekisho", "sekisho: search and answers of a RAG system")
    group.addoption("--sekisho", action="append", nargs="?", const="", metavar="SUITE", help=_OPTION)
    parser.addini("sekisho_lang", _LANGUAGE, default="")


def pytest_configure(config: pytest.Config) -> None:
    """Let everything else of the plugin begin where suites are asked for."""
    config.addinivalue_line("markers", _MARKER)
    if config.getoption("sekisho") is not None or any(".toml" in argument for argument in config.args):
        from sekisho.pytest_plugin.activation import activate  # noqa: PLC0415  a plain test run needs none of it

        activate(config)


@pytest.fixture(scope="session")
def sekisho(pytestconfig: pytest.Config) -> Sekisho:
    """Judge answers, or run a suite, in a test of your own; -v shows an example.

    def test_policies(sekisho, assistant):
        cases = sekisho.load_cases("eval/cases.json")
        sekisho.check(cases, assistant)               # fails with a line a case, known issues excused

    sekisho.run(cases, assistant) gives the results instead; sekisho.suite("policies") runs a suite of sekisho.toml and
    gives its result.
    """
    from sekisho.pytest_plugin.fixture import Sekisho  # noqa: PLC0415  as above

    return Sekisho(pytestconfig)
