"""Answer cases for people: a line a case with its failures as sentences, the totals, the three viewpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sekisho.answers.viewpoints import viewpoint_counts
from sekisho.core.answers import EXCUSABLE
from sekisho.core.messages import message, note
from sekisho.core.text import display_width, padded, printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sekisho.answers import CaseResult
    from sekisho.core.messages import Language, Note

_COLOURS = {"ok": "green", "ng": "red", "known": "yellow", "fixed": "cyan", "error": "yellow"}
_STATUS_WIDTH = 4
_LONGEST_ID = 80
_LONGEST_QUESTION = 200


class Line(NamedTuple):
    """One line of a report.

    Attributes:
        text: Without its indent.
        indent: Columns before it.
        style: Its name, for a stream with colours.
    """

    text: str
    indent: int = 0
    style: str = ""


def summarize(results: Sequence[CaseResult], *, lang: Language = "en") -> str:
    """Return the results as text: a line a case, each failure below it, the totals at the end.

    Args:
        results: Of ``run_all``.
        lang: ``en`` or ``ja``.
    """
    return "\n".join(" " * line.indent + line.text for line in result_lines(results, lang))


def result_lines(results: Sequence[CaseResult], language: Language) -> Iterator[Line]:
    """Yield the lines of :func:`summarize`."""
    for result in results:
        yield from case_lines(result, language)
    yield Line(totals(results, language))
    yield Line(viewpoints(results, language))


def case_lines(result: CaseResult, language: Language) -> Iterator[Line]:
    """Yield a case's line, then each failure and the known issue's reason."""
    yield Line(case_line(result, language), style=case_style(result))
    for sentence in sentences_of(result):
        yield Line("- " + sentence.render(language), indent=2)


def case_line(result: CaseResult, language: Language) -> str:
    """Return status, id and question of a case on one line."""
    word = message(f"answers.status_{_status(result)}", language)
    id_ = printable(shorten(result.id, _LONGEST_ID))
    question = printable(shorten(" ".join(result.case.question.split()), _LONGEST_QUESTION))
    return f"{padded(word, max(_STATUS_WIDTH, display_width(word)))} {id_}: {question}"


def case_style(result: CaseResult) -> str:
    """Return the colour of a case's line, by its name."""
    return _COLOURS[_status(result)]


def _status(result: CaseResult) -> str:
    """Return the status as a report names it: what could not be measured is no failure."""
    return "error" if result.error else result.status


def sentences_of(result: CaseResult) -> list[Note]:
    """Return what stands below a case: its failures, then what its known issue says."""
    sentences = [failure.reason for failure in result.failures]
    issue = result.issue
    if issue is None:
        return sentences
    code = "answers.issue_link" if issue.link else "answers.issue"
    sentences.append(note(code, reason=issue.reason, link=issue.link))
    if result.expired:
        sentences.append(note("answers.issue_expired", until=str(issue.until)))
    elif result.status == "ng":
        excused = frozenset(issue.failures or EXCUSABLE).intersection(EXCUSABLE)
        codes = dict.fromkeys(failure.code for failure in result.failures if failure.code not in excused)
        sentences.append(note("answers.issue_not_excusing", codes=", ".join(codes)))
    elif result.status == "fixed":
        sentences.append(note("answers.issue_fixed"))
    return sentences


def totals(results: Sequence[CaseResult], language: Language) -> str:
    """Return how many cases passed, are known, were fixed, fail anew or could not be measured."""
    errors = sum(result.error is not None for result in results)
    counts = {
        "count": len(results),
        "passed": sum(result.passed for result in results),
        "known": sum(result.status == "known" for result in results),
        "fixed": sum(result.status == "fixed" for result in results),
        "new": sum(result.status == "ng" for result in results) - errors,
        "errors": errors,
    }
    text = message("answers.totals_one" if len(results) == 1 else "answers.totals", language, **counts)
    for part in ("fixed", "errors"):
        if counts[part]:
            text += message(f"answers.totals_{part}", language, **counts)
    return text


def viewpoints(results: Sequence[CaseResult], language: Language) -> str:
    """Return the three viewpoints, each with how many of its cases hold."""
    return " · ".join(
        message(f"answers.viewpoint_{count.viewpoint}", language, held=count.held, asked=count.asked)
        for count in viewpoint_counts(results)
    )
