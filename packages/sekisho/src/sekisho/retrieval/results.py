"""From what a target returned to plain ids and scores, inside the guard around its call: reading runs its code too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho import ranking
from sekisho.calling.records import WrongResultError
from sekisho.core.errors import RankingError
from sekisho.core.messages import Note, note
from sekisho.core.text import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_RESULTS = 10_000
"""Ids that are read of one result, or k where that is more: a lazy sequence may have no end."""
_LONGEST_ID = 80


class Ranked(NamedTuple):
    """A result, read: built-in types only.

    Attributes:
        ids: Best first.
        scores: Id to score, where the target gave scores.
    """

    ids: tuple[str, ...]
    scores: Mapping[str, float] | None = None


def read_result(value: Any, *, most: int = MOST_RESULTS) -> Ranked:  # noqa: ANN401  whatever a target returned
    """Return what a target returned as ids, best first.

    Raises:
        WrongResultError: It is neither a list of text nor a mapping from text to scores, a score is not a number, or
            there are more than ``most`` ids.
        BaseException: What the result itself raises while it is read.
    """
    if isinstance(value, Mapping):
        plain = [(_scored(id_), score) for id_, score in _bounded(value.items(), most)]
        scores = {id_: _number(id_, score) for id_, score in plain}
        try:
            return Ranked(tuple(ranking.rank_by_score(scores)), scores)
        except RankingError as error:
            raise WrongResultError(Note(error.code, dict(error.values))) from None
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise WrongResultError(note("retrieval.wrong_type", kind=type(value).__name__))
    return Ranked(tuple(_plain(id_) for id_ in _bounded(value, most)))


def _bounded(values: Iterable[Any], most: int) -> list[Any]:
    found = list(islice(iter(values), most + 1))
    if len(found) > most:
        raise WrongResultError(note("retrieval.too_many", most=most))
    return found


def _plain(id_: object) -> str:
    """Return the text itself, also of a subclass of str such as numpy's, so that reports show an id like any other."""
    if type(id_) is str:
        return id_
    if isinstance(id_, str):
        return str.__str__(id_)
    code = "retrieval.id_with_score" if _is_pair(id_) else "retrieval.wrong_id_type"
    raise WrongResultError(note(code, kind=type(id_).__name__))


def _scored(id_: object) -> str:
    if not isinstance(id_, str):
        raise WrongResultError(note("ranking.id_not_text", id=_Quoted(id_), kind=type(id_).__name__))
    return _plain(id_)


def _number(id_: str, score: Any) -> float:  # noqa: ANN401  judged here
    if type(score) is float:
        return score
    if not isinstance(score, (str, bytes)):  # float() would read both
        try:
            return float(score)
        except (TypeError, ValueError, OverflowError):
            pass
    raise WrongResultError(note("ranking.score", id=shorten(id_, _LONGEST_ID), value=_Quoted(score)))


class _Quoted:
    """A value as a sentence shows it, written while the target is still guarded: its ``repr`` may do anything."""

    def __init__(self, value: object) -> None:
        try:
            self._text = printable(shorten(repr(value), _LONGEST_ID))
        except ValueError:  # Python refuses to write a whole number of thousands of digits
            self._text = "…"

    def __repr__(self) -> str:
        return self._text


def _is_pair(value: object) -> bool:
    """Tell whether this looks like an id with its score."""
    if not isinstance(value, (tuple, list)):
        return False
    kinds = [isinstance(part, str) for part in value]
    return kinds == [True, False] and hasattr(value[1], "__float__")
