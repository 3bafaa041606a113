"""The history of a project: where it is, a run kept, and what is asked about it."""

from __future__ import annotations

import os
import subprocess
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sekisho.app.configuration import find_configuration
from sekisho.core.errors import ConfigurationError, InputFileError, SekishoError
from sekisho.core.messages import Note, note

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

    from sekisho.core.history import KeptRun, RunComparison, RunDetail, RunList, Trend
    from sekisho.history.finding import Filter

VARIABLE = "SEKISHO_HISTORY"
"""A path in place of the file beside the configuration, or ``off``."""
OFF = "off"
FOLDER = ".sekisho"
_FILE = f"{FOLDER}/history.sqlite3"


class Place(NamedTuple):
    """Where a history is.

    Attributes:
        path: The file.
        chosen: Whether the user named it, who may have named something else by mistake; it is moved only where it says
            of itself that it is a history.
    """

    path: Path
    chosen: bool


def history_place(root: Path, environment: Mapping[str, str] | None = None) -> Place | None:
    """Return where the history of a project is, or None where the user wants none."""
    value = (os.environ if environment is None else environment).get(VARIABLE, "").strip()
    if value.lower() == OFF:
        return None
    return Place(Path(value).absolute(), chosen=True) if value else Place(root / _FILE, chosen=False)


def history_root(config: Path | None) -> Path:
    """Return the folder that a history belongs to: that of the configuration, else the working directory.

    Raises:
        ConfigurationError: As :func:`sekisho.app.configuration.find_configuration`.
    """
    path = config or find_configuration(Path.cwd())
    return path.resolve().parent if path else Path.cwd()


def keep_run(
    root: Path,
    document: Mapping[str, Any],
    *,
    branch: str | None,
    duration_ms: float,
    environment: Mapping[str, str] | None = None,
) -> KeptRun | Note | None:
    """Keep a run, and return its line in the history, or a sentence for the report, or None where history is off.

    Whatever goes wrong is a sentence: a verdict does not depend on whether it could be written down.

    Args:
        root: The folder of the configuration.
        document: The report, ``sekisho.report/1``.
        branch: Of :func:`current_branch`.
        duration_ms: From start to report.
        environment: Where ``SEKISHO_HISTORY`` is looked up; else that of the process.
    """
    place = history_place(root, environment)
    if place is None:
        return None
    try:
        _make_folder(place)
        return _keep(place, document, branch=branch, duration_ms=duration_ms)
    except SekishoError as error:
        return note("history.not_kept", reason=Note(error.code, error.values))
    except OSError as error:
        return note("history.not_kept", reason=f"{place.path}: {error.strerror or error}")
    except Exception as error:  # noqa: BLE001  a mistake in keeping must not take the verdict along, which stands by now
        return note("history.not_kept", reason=f"{type(error).__name__}: {error}")


def current_branch(root: Path) -> str | None:
    """Return the branch that is checked out at ``root``, or None: no git, no repository, a detached head."""
    command = ["git", "-C", str(root), "symbolic-ref", "--quiet", "--short", "HEAD"]
    try:
        found = subprocess.run(command, capture_output=True, timeout=5, check=True)  # noqa: S603  fixed words
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.decode("utf-8", "backslashreplace").strip() or None


def load_list(root: Path, wanted: Filter, *, limit: int) -> RunList | None:
    """Return the newest runs that a filter lets through, or None where there is no history yet.

    Raises:
        SekishoError: An unknown suite or branch, or a history that cannot be read.
    """
    from sekisho.history.finding import list_runs  # noqa: PLC0415  SQLite, which most commands do without

    with _reading(root) as connection:
        return list_runs(connection, wanted, limit=limit) if connection else None


def load_run(root: Path, word: str) -> RunDetail:
    """Return the run that a word names, whole.

    Raises:
        SekishoError: No such run, no history, or one that cannot be read.
    """
    from sekisho.history.finding import show_run  # noqa: PLC0415  as above
    from sekisho.history.references import find_run  # noqa: PLC0415  as above

    with _reading(root) as connection:
        there = _some(connection)
        return show_run(there, find_run(there, word))


def load_comparison(root: Path, before: str, after: str) -> RunComparison:
    """Return two runs beside each other.

    Raises:
        SekishoError: As :func:`load_run`.
    """
    from sekisho.history.differences import compare_runs  # noqa: PLC0415  as above
    from sekisho.history.finding import show_run  # noqa: PLC0415  as above
    from sekisho.history.references import find_run  # noqa: PLC0415  as above

    with _reading(root) as connection:
        there = _some(connection)
        numbers = find_run(there, before), find_run(there, after)
        return compare_runs(show_run(there, numbers[0]), show_run(there, numbers[1]))


def load_trend(root: Path, suite: str, metric: str, *, branch: str | None, limit: int) -> Trend:
    """Return one metric over the newest runs.

    Raises:
        SekishoError: An unknown suite, metric or branch, no history, or one that cannot be read.
    """
    from sekisho.history.trends import trend_of  # noqa: PLC0415  as above; numpy besides

    with _reading(root) as connection:
        return trend_of(_some(connection), suite, metric, branch=branch, limit=limit)


def _keep(place: Place, document: Mapping[str, Any], *, branch: str | None, duration_ms: float) -> KeptRun | Note:
    from sekisho.history.aside import identity_of  # noqa: PLC0415  as above
    from sekisho.history.keeping import keep  # noqa: PLC0415  as above
    from sekisho.history.opening import BrokenHistoryError, ForeignHistoryError  # noqa: PLC0415  as above

    time = _in_utc((document.get("run") or {}).get("time"))
    identity = identity_of(place.path)
    try:
        return keep(place.path, document, time=time, branch=branch, duration_ms=duration_ms)
    except (BrokenHistoryError, ForeignHistoryError) as error:
        aside = _moved_aside(place, error, identity)
        run = keep(place.path, document, time=time, branch=branch, duration_ms=duration_ms)
        if aside is None:  # another process moved it aside and has said so
            return run
        return note("history.moved_aside", path=str(place.path), aside=str(aside), run=run.number)


def _moved_aside(place: Place, error: SekishoError, identity: tuple[int, int] | None) -> Path | None:
    """Move what cannot be a history aside, or raise the error where it may be something of the user's."""
    from sekisho.history.aside import move_aside  # noqa: PLC0415  as above
    from sekisho.history.opening import BrokenHistoryError  # noqa: PLC0415  as above

    ours = isinstance(error, BrokenHistoryError) and error.ours
    if place.chosen and not ours:
        raise error
    return move_aside(place.path, stamp=datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ"), identity=identity)


@contextmanager
def _reading(root: Path) -> Iterator[sqlite3.Connection | None]:
    """Give the history of a project, or None where there is none yet."""
    from sekisho.history.aside import identity_of  # noqa: PLC0415  as above
    from sekisho.history.opening import (  # noqa: PLC0415  as above
        BrokenHistoryError,
        EmptyHistoryError,
        ForeignHistoryError,
        opened,
    )

    place = history_place(root)
    if place is None:
        raise ConfigurationError("history.is_off", variable=VARIABLE)
    identity = identity_of(place.path)
    try:
        with ExitStack() as stack:
            connection = None
            if identity is not None:
                with suppress(EmptyHistoryError):
                    connection = stack.enter_context(opened(place.path, writing=False))
            yield connection if connection and _has_runs(connection) else None
    except (BrokenHistoryError, ForeignHistoryError) as error:
        aside = _moved_aside(place, error, identity) or place.path
        reason = Note(error.code, error.values)
        raise InputFileError("history.moved_aside_unread", aside=str(aside), reason=reason) from error


def _has_runs(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM runs LIMIT 1").fetchone() is not None


def _some(connection: sqlite3.Connection | None) -> sqlite3.Connection:
    if connection is None:
        raise ConfigurationError("history.none_yet")
    return connection


def _make_folder(place: Place) -> None:
    """Make the folder; git is told to pass ours over, since it is a record of one machine."""
    place.path.parent.mkdir(parents=True, exist_ok=True)
    if not place.chosen:
        with suppress(FileExistsError), (place.path.parent / ".gitignore").open("x", encoding="ascii") as file:
            file.write("*\n")


def _in_utc(time: object) -> str:
    """Return the time of a run in the one form in which times can be compared as text."""
    try:
        moment = datetime.fromisoformat(str(time))
    except ValueError:
        moment = datetime.now(UTC)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
