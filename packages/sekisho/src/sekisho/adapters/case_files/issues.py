"""The value of ``known_issue``: a reason, or a reason with its limits."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Protocol, cast

from sekisho.adapters.case_files.source import ISSUE_KEYS, as_typed
from sekisho.adapters.case_files.spelling import meant_key
from sekisho.core.answers import EXCUSABLE, FAILURE_CODES, FailureCode, KnownIssue
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEY = "known_issue"
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Reading(Protocol):
    """What notes mistakes; see :class:`sekisho.adapters.case_files.checking.CaseReading`."""

    def complain(self, code: str, /, *path: str | int, **values: object) -> None:
        """Note what is wrong."""

    def texts(self, fields: Mapping[str, object], key: str, *inside: str) -> tuple[str, ...]:
        """Return the texts of a key."""

    def is_text(self, value: object, *path: str | int) -> bool:
        """Tell whether a value is a text that says anything."""


def issue_of(reading: Reading, value: object) -> KnownIssue | None:
    """Return the issue; what is wrong with it is noted."""
    if not isinstance(value, dict):
        return KnownIssue(reason=str(value)) if reading.is_text(value, _KEY) else None
    for key in value:
        if key not in ISSUE_KEYS:
            meant = meant_key(key, ISSUE_KEYS)
            code = "unknown_issue_key_meant" if meant else "unknown_issue_key"
            reading.complain(code, _KEY, key, key=key, meant=meant, known=", ".join(ISSUE_KEYS))
    reason, link = value.get("reason"), value.get("link", "")
    if "reason" not in value:
        reading.complain("no_reason", _KEY)
    elif not reading.is_text(reason, _KEY, "reason"):
        reason = None
    if "link" in value and not reading.is_text(link, _KEY, "link"):
        link = ""
    return KnownIssue(
        reason=str(reason),
        suites=_texts(reading, value, "suites"),
        failures=_failures(reading, value),
        until=_until(reading, value["until"]) if "until" in value else None,
        link=str(link),
    )


def _texts(reading: Reading, issue: Mapping[str, object], key: str) -> tuple[str, ...]:
    if key not in issue:
        return ()
    if issue[key] == []:  # "nowhere" and "everywhere" are both near
        reading.complain("empty_issue_list", _KEY, key, key=key)
    return reading.texts(issue, key, _KEY)


def _failures(reading: Reading, issue: Mapping[str, object]) -> tuple[FailureCode, ...]:
    codes = _texts(reading, issue, "failures")
    for number, code in enumerate(codes):
        path = (_KEY, "failures", number) if isinstance(issue["failures"], list) else (_KEY, "failures")
        if code in EXCUSABLE:
            continue
        if code in FAILURE_CODES:
            reading.complain("not_excusable", *path, code=code, known=", ".join(EXCUSABLE))
        else:
            meant = did_you_mean(code, EXCUSABLE)
            name = "unknown_failure_meant" if meant else "unknown_failure"
            reading.complain(name, *path, code=code, meant=meant, known=", ".join(EXCUSABLE))
    return cast("tuple[FailureCode, ...]", codes)


def _until(reading: Reading, value: object) -> dt.date | None:
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):  # TOML has dates
        return value
    if isinstance(value, str) and _DATE.fullmatch(value):
        try:
            return dt.date.fromisoformat(value)
        except ValueError:
            pass
    if value is None:
        reading.complain("no_value", _KEY, "until", key=f"{_KEY}.until")
    else:
        typed = isinstance(value, (str, dt.date, dt.time))
        reading.complain("not_a_date", _KEY, "until", value=str(value) if typed else as_typed(value))
    return None
