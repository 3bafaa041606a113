"""A file of judgments by people or by another model: CSV, or JSON Lines."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

from sekisho.adapters.files.content import Content, names_memory, read_content
from sekisho.adapters.files.json_text import parse
from sekisho.answers.sampling_records import Judgment
from sekisho.core.errors import InputFileError, Location
from sekisho.core.text import did_you_mean, shorten

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterator, Mapping

COLUMNS = ("case", "sample", "verdict", "score", "note")
_VERDICTS = {
    "pass": True, "passed": True, "ok": True, "true": True, "合格": True,
    "fail": False, "failed": False, "ng": False, "false": False, "不合格": False,
}  # fmt: skip
_MOST_SAMPLES = 1_000
_SHOWN = 80


@names_memory
def read_judgments(path: str | os.PathLike[str], *, known: Collection[str]) -> tuple[Judgment, ...]:
    """Return the judgments of a file with the columns ``case``, ``sample``, ``verdict``, ``score`` and ``note``.

    ``case`` is needed, and ``verdict`` (``pass`` or ``fail``, ``合格`` or ``不合格``) or ``score``, a number;
    ``sample`` counts from 1, and without it the case as a whole is meant.

    Args:
        path: JSON Lines, where its first sign is a brace; else CSV with a head.
        known: The ids of the cases.

    Raises:
        InputFileError: The file cannot be read, or a line of it is not right; with its line.
    """
    content = read_content(path)
    rows = _json_lines(content) if content.text.lstrip().startswith("{") else _csv_rows(content)
    found: dict[tuple[str, int | None], Judgment] = {}
    for line, row in rows:
        judgment = _judgment(content, line, row, known)
        place = (judgment.case_id, judgment.sample)
        if place in found:
            raise _problem(content, line, "models.judgment_twice", case=judgment.case_id)
        found[place] = judgment
    return tuple(found.values())


def _json_lines(content: Content) -> Iterator[tuple[int, Mapping[str, object]]]:
    for line, text in enumerate(content.text.split("\n"), 1):
        if text.strip():
            row = parse(content, text, line)
            if not isinstance(row, dict):
                raise _problem(content, line, "models.judgment_form")
            _check_names(content, line, row)
            yield line, {name: value for name, value in row.items() if value is not None}


def _csv_rows(content: Content) -> Iterator[tuple[int, Mapping[str, object]]]:
    reader = csv.reader(io.StringIO(content.text, newline=""), strict=True)
    try:
        head = [name.strip() for name in next(reader, [])]
        _check_names(content, 1, head)
        for row in reader:
            if len(row) > len(head):
                raise _problem(content, reader.line_num, "models.judgment_form")
            if any(field.strip() for field in row):
                named = zip(head, row, strict=False)
                yield reader.line_num, {name: field.strip() for name, field in named if field.strip()}
    except csv.Error:
        raise _problem(content, reader.line_num, "models.judgment_form") from None


def _check_names(content: Content, line: int, names: Collection[str]) -> None:
    for name in names:
        if name not in COLUMNS:
            meant = did_you_mean(name, COLUMNS)
            code = "models.judgment_column_meant" if meant else "models.judgment_column"
            raise _problem(content, line, code, name=_short(name), meant=meant, known=", ".join(COLUMNS))
    if "case" not in names or len(set(names)) < len(names):
        raise _problem(content, line, "models.judgment_form")


def _judgment(content: Content, line: int, row: Mapping[str, object], known: Collection[str]) -> Judgment:
    case = str(row.get("case", ""))
    if case not in known:
        meant = did_you_mean(case, known)
        code = "models.judgment_case_meant" if meant else "models.judgment_case"
        raise _problem(content, line, code, case=_short(case), meant=meant)
    if "verdict" not in row and "score" not in row:
        raise _problem(content, line, "models.judgment_empty", case=_short(case))
    verdict = str(row["verdict"]).lower() if "verdict" in row else None
    if verdict is not None and verdict not in _VERDICTS:
        raise _problem(content, line, "models.judgment_verdict", value=_short(verdict))
    return Judgment(
        case_id=case,
        sample=_sample(content, line, row),
        passed=None if verdict is None else _VERDICTS[verdict],
        score=_score(content, line, row),
        note=str(row.get("note", "")),
    )


def _sample(content: Content, line: int, row: Mapping[str, object]) -> int | None:
    if "sample" not in row:
        return None
    text = str(row["sample"])
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(_MOST_SAMPLES)) else 0
    if not 1 <= number <= _MOST_SAMPLES:
        raise _problem(content, line, "models.judgment_sample", value=_short(text))
    return number


def _score(content: Content, line: int, row: Mapping[str, object]) -> float | None:
    if "score" not in row:
        return None
    value = row["score"]
    try:
        number = math.nan if isinstance(value, bool) else float(str(value))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _problem(content, line, "models.judgment_score", value=_short(str(value)))
    return number


def _short(text: str) -> str:
    return shorten(text, _SHOWN)


def _problem(content: Content, line: int, code: str, **values: object) -> InputFileError:
    return InputFileError(code, where=Location(content.name, line), **values)
