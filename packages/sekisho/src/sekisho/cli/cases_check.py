"""``sekisho cases check``: every mistake in files of cases, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag
from sekisho.core.errors import SekishoError
from sekisho.core.messages import message
from sekisho.core.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from sekisho.core.messages import Language

SCHEMA = "sekisho.cases/1"


class Finding(NamedTuple):
    """What was found in one file."""

    file: str
    cases: int
    problems: tuple[SekishoError, ...]


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _check(language, **options)

    parameters = [
        click.Argument(["files"], nargs=-1, required=True, metavar="FILE..."),
        flag("--json", message("cases.check_json", language), name="as_json"),
    ]
    return pages.Command(
        "check", language=language, callback=run, params=parameters, help=message("cases.help_check", language)
    )


def _check(language: Language, *, files: tuple[str, ...], as_json: bool) -> int:
    findings = [_find(file) for file in files]
    code = 2 if any(finding.problems for finding in findings) else 0
    output = Output(as_json=as_json)
    with output.text() as stream:
        _write(findings, stream, language)
    if as_json:
        from sekisho.reports.json_report import encode  # noqa: PLC0415  only when asked for

        entries = [_entry(finding, language) for finding in findings]
        output.write_document(encode({"schema": SCHEMA, "exit_code": code, "files": entries}))
    return code


def _find(file: str) -> Finding:
    from sekisho.adapters.case_files import check_case_file  # noqa: PLC0415  after the words have been checked

    try:
        found = check_case_file(file)
    except SekishoError as error:
        return Finding(file, 0, (error,))
    return Finding(file, len(found.cases), found.problems)


def _write(findings: Sequence[Finding], stream: TextIO, language: Language) -> None:
    from sekisho.adapters.case_files.source import MOST_PROBLEMS  # noqa: PLC0415  after the words have been checked

    for finding in findings:
        if not finding.problems:
            stream.write(message("cases.check_valid", language, file=finding.file, count=finding.cases) + "\n")
        stream.writelines(problem.render(language) + "\n" for problem in finding.problems)
    count = sum(len(finding.problems) for finding in findings)
    if count:
        bad = sum(bool(finding.problems) for finding in findings)
        stream.write(message("cases.check_total", language, problems=count, files=bad) + "\n")
        if any(len(finding.problems) >= MOST_PROBLEMS for finding in findings):
            stream.write(message("cases.check_more", language, most=MOST_PROBLEMS) + "\n")


def _entry(finding: Finding, language: Language) -> dict[str, Any]:
    return {
        "file": printable(finding.file),
        "cases": finding.cases,
        "problems": [
            {
                "code": problem.code,
                "line": problem.where.line if problem.where else None,
                "column": problem.where.column if problem.where else None,
                "message": message(problem.code, language, **problem.values),
            }
            for problem in finding.problems
        ],
    }
