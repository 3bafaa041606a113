"""Which columns of a table of judgments or of a run hold what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from sekisho.adapters.files.content import Content, failure
from sekisho.adapters.files.shape import Separator, first_line, split_line
from sekisho.adapters.files.values import BadValueError, number
from sekisho.adapters.files.vocabulary import find, holds, spelling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.errors import InputFileError

Kind = Literal["qrels", "run"]
_SEPARATORS: tuple[Separator, ...] = ("\t", ",", ";", " ")

_RUN_WIDTH = 6  # qid Q0 docno rank score tag; what follows the tag would be another row, its line break lost
_QRELS_WIDTH = 4  # qid iter docno grade
_SHORT_WIDTH = 3  # qid docno value


class Layout(NamedTuple):
    """Where the fields of a table stand.

    Attributes:
        separator: What stands between fields; a space means any white space.
        header: The line of the header, 0 where there is none.
        query: Column of the query's id.
        document: Column of the document's id.
        value: Column of the grade or score.
        width: Number of columns.
        ranks: Whether the values are ranks (1 is best) and not scores.
    """

    separator: Separator
    header: int
    query: int
    document: int
    value: int
    width: int
    ranks: bool = False

    @property
    def may_hold_ranks(self) -> bool:
        """Whether nothing says that the values are scores: neither a header nor the six columns of a run."""
        return not self.header and self.width == _SHORT_WIDTH


def layout_of(content: Content, kind: Kind) -> Layout:
    """Return where the fields of a table stand, told by its header or, without one, by its first row.

    Raises:
        InputFileError: A column is missing, or the table is something else; what it looks like is said.
    """
    line, (text,), _ = first_line(content)
    for separator in _SEPARATORS:
        names = [name.strip() for name in split_line(text, separator)]
        if len(names) > 1 and not any(map(_is_number, names)) and _is_header(names):
            return header_layout(content.name, line, names, kind, separator)
    for separator in (" ", "\t", ",", ";"):
        layout = _by_count(split_line(text, separator), kind, separator)
        if layout:
            return layout
    raise _refuse_table(content, line, text, kind)


def header_layout(name: str, line: int, names: Sequence[str], kind: Kind, separator: Separator = "\t") -> Layout:
    """Return where the named columns stand.

    Raises:
        InputFileError: One that is needed is missing, or there twice.
    """
    found = list(names)
    try:
        query = find("query", found)
        document = find("document", found)
        value = find("grade" if kind == "qrels" else "score", found)
        rank = None if value or kind == "qrels" else find("rank", found)
    except BadValueError as problem:
        raise problem.at(name, line) from None
    for role, column in (("query", query), ("document", document), ("grade", value or rank)):
        if column is None:
            needed = spelling("query" if role == "query" else "document" if role == "document" else "grade")
            raise failure("missing_column", name, line, needed=needed, columns=", ".join(found)[:200])
    at = [found.index(str(column)) for column in (query, document, value or rank)]
    return Layout(separator, line, at[0], at[1], at[2], len(found), ranks=bool(rank))


def _is_header(names: list[str]) -> bool:
    return holds("query", names) or holds("document", names)


def _by_count(fields: list[str], kind: Kind, separator: Separator) -> Layout | None:
    count = len(fields)
    if kind == "run" and count == _RUN_WIDTH and _is_number(fields[4]):
        return Layout(separator, 0, 0, 2, 4, _RUN_WIDTH)
    if kind == "qrels" and count == _QRELS_WIDTH and _is_number(fields[3]):
        return Layout(separator, 0, 0, 2, 3, _QRELS_WIDTH)
    if count == _SHORT_WIDTH and _is_number(fields[2]):
        return Layout(separator, 0, 0, 1, 2, _SHORT_WIDTH)
    return None


def _refuse_table(content: Content, line: int, text: str, kind: Kind) -> InputFileError:
    other: Kind = "run" if kind == "qrels" else "qrels"
    fields = split_line(text, " ")
    layout = _by_count(fields, other, " ")
    if layout and layout.width != _SHORT_WIDTH:
        return failure("run_as_qrels" if kind == "qrels" else "qrels_as_run", content.name, line)
    wanted = _QRELS_WIDTH if kind == "qrels" else _RUN_WIDTH
    if len(fields) == wanted:
        return failure("not_number", content.name, line, value=fields[3 if kind == "qrels" else 4][:60])
    return failure(f"columns_{kind}", content.name, line, found=len(fields))


def _is_number(text: str) -> bool:
    try:
        number(text.strip())
    except BadValueError as problem:
        return problem.code == "not_finite"
    return True
