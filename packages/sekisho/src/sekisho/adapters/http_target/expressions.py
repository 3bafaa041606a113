"""JMESPath expressions, which say where in a reply the parts of an answer stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sekisho.core.errors import ConfigurationError, MissingExtraError
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

LONGEST = 10_000
"""Characters of an expression; longer ones are no longer written by hand."""


class Expression:
    """A compiled expression.

    Attributes:
        text: As it is written in the configuration.
    """

    __slots__ = ("_search", "text")

    def __init__(self, text: str, search: Callable[[Any], Any]) -> None:
        self.text = text
        self._search = search

    def find(self, value: Any) -> Any:  # noqa: ANN401  any JSON value
        """Return what the expression finds; None where it finds nothing.

        Raises:
            ValueError: A function of the expression cannot be used on what it found; with the library's own words.
        """
        try:
            return self._search(value)
        except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ZeroDivisionError) as problem:
            raise ValueError(f"{type(problem).__name__}: {problem}") from None

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


def compiled(text: str, *, key: str) -> Expression:
    """Return an expression ready for use.

    Raises:
        MissingExtraError: jmespath is not installed.
        ConfigurationError: It is not one, names an unknown function, or is longer than 10,000 characters.
    """
    try:
        import jmespath.functions  # noqa: PLC0415  an extra, needed for targets over HTTP alone
    except ImportError:
        raise MissingExtraError("targets.needs_http", library="jmespath", extra="http") from None
    if len(text) > LONGEST:
        raise ConfigurationError("targets.expression_long", key=key, most=LONGEST)
    try:
        parsed = jmespath.compile(text)
        _check_functions(parsed.parsed, known=jmespath.functions.Functions.FUNCTION_TABLE, key=key)
        return Expression(text, parsed.search)
    except ValueError as problem:  # JMESPathError is one
        reason = str(problem).partition("\n")[0].removesuffix(", for expression:").removesuffix(":")
        raise ConfigurationError("targets.expression", key=key, text=text, reason=reason) from None
    except RecursionError:
        raise ConfigurationError("targets.expression_long", key=key, most=LONGEST) from None


def _check_functions(node: Any, *, known: Collection[str], key: str) -> None:  # noqa: ANN401  a node of the library
    """Raise for a function that does not exist, which the library notices only when it is called."""
    if node["type"] == "function_expression" and node["value"] not in known:
        meant = did_you_mean(node["value"], known)
        code = "targets.function_meant" if meant else "targets.function"
        raise ConfigurationError(code, key=key, name=node["value"], meant=meant, known=", ".join(sorted(known)))
    for child in node["children"]:
        if isinstance(child, dict):
            _check_functions(child, known=known, key=key)
