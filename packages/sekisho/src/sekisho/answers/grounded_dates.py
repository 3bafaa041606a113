"""Dates in a text, in the forms that Japanese and English documents use."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
"""The year before the first of each era."""
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_MONTH = (
    r"(?P<word>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_MOST_MONTHS, _MOST_DAYS = 12, 31
_YEAR, _NUMBER = "(?P<year>[12][0-9]{3})", "(?P<month>[0-9]{1,2})"
_DAY = "(?P<day>[0-9]{1,2})"
_ERA = f"(?P<era>{'|'.join(_ERAS)}) ?(?P<era_year>元|[0-9]{{1,2}})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?:{_ERA}|(?<![0-9]){_YEAR}) ?年 ?{_NUMBER} ?月(?: ?{_DAY} ?日)?",
        rf"(?<![0-9]){_NUMBER} ?月 ?{_DAY} ?日",
        rf"(?<![0-9./-]){_YEAR}(?P<sign>[-/.]){_NUMBER}(?P=sign){_DAY}(?![0-9])",
        rf"(?<![0-9]){_DAY}(?:st|nd|rd|th)? {_MONTH}\.?(?:,? {_YEAR})?\b",
        rf"\b{_MONTH}\.? {_DAY}(?:st|nd|rd|th)?(?![0-9])(?:,? {_YEAR}\b)?",
        rf"\b{_MONTH}\.? {_YEAR}\b",
    )
)
"""Of forms that overlap, the first wins. ``4/1`` is left out: it may be a fraction, and which part is the month?"""


class Date(NamedTuple):
    """A date; ``year`` or ``day`` is None where the text leaves it out."""

    year: int | None
    month: int
    day: int | None


class WrittenDate(NamedTuple):
    """A date as it stands in a text, with its place in the text's NFKC form."""

    date: Date
    raw: str
    start: int
    end: int


def dates_in(text: str) -> list[WrittenDate]:
    """Return the dates of a text in their order: ``2026年4月1日``, ``令和8年4月``, ``2026-04-01``, ``April 1, 2026``.

    A year alone is no date. Digits may be full-width.
    """
    found: list[WrittenDate] = []
    plain = unicodedata.normalize("NFKC", text)
    taken = bytearray(len(plain))
    for form in _FORMS:
        for match in form.finditer(plain):
            date = _date(match.groupdict())
            if date is not None and not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                found.append(WrittenDate(date, match[0], match.start(), match.end()))
    return sorted(found, key=lambda each: each.start)


def without_dates(text: str) -> str:
    """Return a text in its NFKC form without its dates, whose numbers are no quantities of their own."""
    return "".join(_between(unicodedata.normalize("NFKC", text), dates_in(text)))


def _between(plain: str, dates: list[WrittenDate]) -> Iterator[str]:
    place = 0
    for each in dates:
        yield plain[place : each.start] + " "
        place = each.end
    yield plain[place:]


def _date(parts: dict[str, str | None]) -> Date | None:
    word, month = parts.get("word"), parts.get("month")
    if word:
        number = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(word[:3].lower()))
    else:
        number = int(month or 0)
    day = parts.get("day")
    if not 1 <= number <= _MOST_MONTHS or (day and not 1 <= int(day) <= _MOST_DAYS):
        return None
    return Date(_year(parts), number, int(day) if day else None)


def _year(parts: dict[str, str | None]) -> int | None:
    era, year = parts.get("era"), parts.get("year")
    if era:
        in_era = parts["era_year"]
        return _ERAS[era] + (1 if in_era == "元" else int(in_era or 0))
    return int(year) if year else None
