"""``sekisho cases add``: one case more in a file, by questions or by options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.calling import Outcome
from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag, option
from sekisho.core.answers import Answer
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import message

if TYPE_CHECKING:
    from sekisho.adapters.case_files.adding import Opened
    from sekisho.core.answers import AnswerCase
    from sekisho.core.messages import Language

Ask = Callable[[str, tuple[str, ...]], Outcome[Answer]]
"""From a question and the departments of the asker to what the system answers now, or why it gives no answer."""


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _add(language, **options)

    def listed(flags: str, name: str) -> click.Option:
        text = message(f"cases.add_{flags.removeprefix('--').replace('-', '_')}", language)
        return option(flags, text, name=name, multiple=True, metavar="TEXT")

    parameters = [
        click.Argument(["file"], metavar="FILE", type=click.Path(path_type=Path)),
        option("--suite", message("cases.add_suite", language), metavar="NAME"),
        option("--id", message("cases.add_id", language), name="case_id", metavar="ID"),
        option("--question", message("cases.add_question", language), metavar="TEXT"),
        listed("--department", "departments"),
        listed("--expect-source", "expect_source"),
        listed("--expect-text", "expect_text"),
        listed("--forbid", "forbid"),
        flag("--expect-not-found", message("cases.add_expect_not_found", language)),
        listed("--tag", "tags"),
    ]
    return pages.Command(
        "add", language=language, callback=run, params=parameters, help=message("cases.help_add", language)
    )


@contextmanager
def asking(suite: str | None) -> Iterator[Ask | None]:
    """Give what asks the target of a suite, which stays open while the dialogue runs; None where no suite is named."""
    if suite is None:
        yield None
        return
    from sekisho.app.configuration import load_found  # noqa: PLC0415  not where nothing is asked
    from sekisho.app.questions import asking as asking_suite  # noqa: PLC0415  as above

    with asking_suite(load_found(None), suite) as ask:
        yield ask


def _add(language: Language, *, file: Path, suite: str | None, case_id: str | None, **values: Any) -> int:  # noqa: ANN401  the options above
    from sekisho.adapters.case_files.adding import add_case, open_for_adding  # noqa: PLC0415  after the words

    given = {key: list(value) if isinstance(value, tuple) else value for key, value in values.items() if value}
    if case_id is not None:
        given["id"] = case_id
    if given and "question" not in given:
        raise click.UsageError(message("cases.add_needs_question", language))
    opened = open_for_adding(file)
    if given:
        case = _from_options(opened, given)
    else:
        from sekisho.cli.cases_dialogue import Dialogue  # noqa: PLC0415  not for scripts

        with asking(suite) as ask:
            case = Dialogue(opened, language, sys.stdin, sys.stderr, ask=ask).case()
    try:
        add_case(opened, case)
    except OSError as error:
        raise ConfigurationError("app.cannot_write", path=str(file), reason=error.strerror or str(error)) from error
    with Output(as_json=False).text() as stream:
        stream.write(message("cases.add_added", language, id=repr(case.id), path=str(file)) + "\n")
    return 0


def _from_options(opened: Opened, given: dict[str, object]) -> AnswerCase:
    """Return the case that options describe.

    Raises:
        InputFileError: Anything in it is wrong; without a place in a file.
    """
    from sekisho.adapters.case_files.proposing import checked_fields, proposed_id  # noqa: PLC0415  after the words

    fields = {"id": proposed_id(str(given["question"]), opened.cases), **given}
    found = checked_fields(fields, opened.cases)
    if not found.cases:
        first = found.problems[0]
        first.where = None  # options stand in no file
        raise first
    return found.cases[0]
