"""Every error that this package raises on purpose.

.. code-block:: text

    SekishoError                  what the user can mend; the command prints it and exits with 2
    ├── RankingError              a value that no metric can be computed from (also a ValueError)
    ├── CorpusError               parameters that no corpus can be made from (also a ValueError)
    ├── RetrieverError            parameters or vectors that no retriever can be built from (also a ValueError)
    ├── RetrievalError            an evaluation that cannot be started as asked (also a ValueError)
    ├── InputFileError            a file that cannot be read as what it should be, with its place
    ├── ConfigurationError        sekisho.toml or an option
    ├── BaselineError             sekisho.baseline.json cannot be used, or there is none where one is needed
    ├── TargetError               the system under test cannot be imported, built, or returned the wrong type
    └── MissingExtraError         an optional dependency is needed (also an ImportError)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sekisho.core.messages import message
from sekisho.core.text import printable

if TYPE_CHECKING:
    from sekisho.core.messages import Language


class Location(NamedTuple):
    """Where in a file something stands; line and column count from 1."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part is not None)


class SekishoError(Exception):
    """What went wrong, as a code with values: the sentence is made from it in the user's language.

    Attributes:
        code: Code of the sentence in :mod:`sekisho.core.messages`.
        where: The place in a file, where there is one.
        values: What the placeholders of the sentence stand for.
    """

    def __init__(self, code: str, /, *, where: Location | None = None, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.where = where
        self.values = values

    def render(self, language: Language) -> str:
        """Return the sentence in one language, the place in front of it."""
        sentence = message(self.code, language, **self.values)
        return f"{printable(str(self.where))}: {sentence}" if self.where else sentence

    def __str__(self) -> str:
        return self.render("en")


class RankingError(SekishoError, ValueError):
    """A value that no metric can be computed from."""


class CorpusError(SekishoError, ValueError):
    """Parameters that no corpus can be made from."""


class RetrieverError(SekishoError, ValueError):
    """Parameters or vectors that no retriever can be built from."""


class RetrievalError(SekishoError, ValueError):
    """An evaluation that cannot be started as asked."""


class InputFileError(SekishoError):
    """A file that cannot be read as what it should be."""


class ConfigurationError(SekishoError):
    """A configuration file or an option that cannot be followed."""


class BaselineError(SekishoError):
    """A baseline that cannot be used, or none where one is needed."""


class TargetError(SekishoError):
    """The system under test cannot be imported or built, or returned the wrong type."""


class MissingExtraError(SekishoError, ImportError):
    """An optional dependency is needed; the sentence names the extra to install."""
