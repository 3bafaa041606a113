"""The leaks of a permission matrix for people: which are shown, and each as a sentence with its evidence."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from sekisho.access.nonsense import nonsense_questions, unasked_words
from sekisho.core.text import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.access import AccessReport, Leak
    from sekisho.reports.terminal import Terminal

LEAKS_SHOWN = 10
_LONGEST_QUESTION = 120
_LONGEST_NAME = 80


def write_leaks(report: AccessReport, terminal: Terminal) -> None:
    """Write some leaks, spread over documents and principals, and how many more there are."""
    if not report.leaks:
        return
    shown = spread(report.leaks)
    head = terminal.say("report.access_leaks", shown=len(shown), count=report.leak_count)
    terminal.line(head, indent=2, style="red")
    asked_before = None
    for leak in shown:
        terminal.line("- " + leak_sentence(leak, terminal), indent=2, hang=2, style="red")
        asked = (leak.principal, leak.question)
        for text in _evidence(leak, terminal, with_question=asked != asked_before):
            terminal.line(text, indent=4, hang=2, style="dim")
        asked_before = asked
    if any(map(_is_anew, shown)):
        terminal.line(terminal.say("report.access_made_up"), indent=2, hang=2, style="dim")
    more = report.leak_count - len(shown)
    if more > 0:
        terminal.line(terminal.say("report.access_more_leaks", count=more), indent=2, style="dim")


def spread(leaks: Sequence[Leak], most: int = LEAKS_SHOWN) -> list[Leak]:
    """Return at most so many leaks, in their order: one a document first, of another principal where there is one."""
    nonsense, _ = _made_up()
    documents: Counter[str | None] = Counter()
    principals: Counter[tuple[str, ...]] = Counter()
    left = list(range(len(leaks)))
    chosen: list[int] = []
    while left and len(chosen) < most:
        best = min(
            left,
            key=lambda place: (
                documents[leaks[place].document_id],
                principals[leaks[place].principal],
                leaks[place].question in nonsense,  # a question about something is the better example
                place,
            ),
        )
        left.remove(best)
        chosen.append(best)
        documents[leaks[best].document_id] += 1
        principals[leaks[best].principal] += 1
    return [leaks[place] for place in sorted(chosen)]


def principal_name(departments: tuple[str, ...], terminal: Terminal, *, unrestricted: bool = False) -> str:
    """Return what a report calls a principal."""
    if not departments:
        return terminal.say("report.access_nobody")
    name = printable(", ".join(departments))
    return terminal.say("report.access_unrestricted", name=name) if unrestricted else name


def leak_sentence(leak: Leak, terminal: Terminal) -> str:
    """Return who was shown what: the document by its name, by its id where it has none or none may be shown."""
    name = leak.document_name or leak.document_id or ""
    text = terminal.say(f"report.leak_{leak.stage}_{leak.kind}", document=shorten(name, _LONGEST_NAME))
    return terminal.say("report.access_leak", principal=principal_name(leak.principal, terminal), text=text)


def _evidence(leak: Leak, terminal: Terminal, *, with_question: bool) -> list[str]:
    """Return the question that brought it and the piece that shows it, where a report may hold them."""
    texts = []
    if leak.question and with_question:
        texts.append(terminal.say("report.access_leak_question", question=_question(leak.question, terminal)))
    is_id = leak.stage == "retrieved"  # which says less than the name in the sentence
    if leak.shown and not is_id and leak.shown not in {leak.document_id, leak.document_name}:
        texts.append(terminal.say("report.access_leak_shown", text=" ".join(leak.shown.split())))
    return texts


def _question(question: str, terminal: Terminal) -> str:
    """Return a question on one line, with a word on what was made up in it."""
    nonsense, made_up = _made_up()
    if question in nonsense:
        return terminal.say("report.access_asked_nonsense", question=question)
    text, _, last = question.rpartition(" ")
    is_anew = made_up.fullmatch(last) is not None
    short = shorten(" ".join((text if is_anew else question).split()), _LONGEST_QUESTION)
    return terminal.say("report.access_asked_anew", question=short, word=last) if is_anew else short


def _is_anew(leak: Leak) -> bool:
    """Tell whether a question was made new by a word at its end."""
    return _made_up()[1].fullmatch(leak.question.rpartition(" ")[2]) is not None


@cache
def _made_up() -> tuple[tuple[str, str], re.Pattern[str]]:
    """Return the questions about nothing, and how a word looks that makes a question new.

    These are the ones that a matrix begins with; other ones, which it takes where a document holds these, are shown
    without a word on them.
    """
    root = next(unasked_words(())).rstrip("0123456789")
    return nonsense_questions(()), re.compile(rf"{re.escape(root)}\d+")
