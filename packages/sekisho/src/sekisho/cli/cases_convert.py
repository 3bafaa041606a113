"""``sekisho cases convert``: from one format, or another tool's, to a file of cases."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.adapters.writing import write_new, write_whole
from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.cli.parameters import flag
from sekisho.core.errors import ConfigurationError, InputFileError, Location
from sekisho.core.messages import message

if TYPE_CHECKING:
    from sekisho.core.messages import Language


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _convert(language, **options)

    parameters = [
        click.Argument(["source"], metavar="IN"),
        click.Argument(["target"], metavar="OUT", type=click.Path(path_type=Path)),
        flag("--force", message("cases.convert_force", language)),
        flag("--reference-as-text", message("cases.convert_reference", language)),
    ]
    return pages.Command(
        "convert", language=language, callback=run, params=parameters, help=message("cases.help_convert", language)
    )


def _convert(language: Language, *, source: str, target: Path, force: bool, reference_as_text: bool) -> int:
    from sekisho.adapters.case_files.foreign import convert_file  # noqa: PLC0415  after the words have been checked
    from sekisho.adapters.case_files.source import format_of  # noqa: PLC0415  as above
    from sekisho.adapters.case_files.writing import encode_cases  # noqa: PLC0415  as above

    kind = format_of(target)
    if kind is None:
        raise InputFileError("cases.unknown_format", where=Location(str(target)))
    if not force and os.path.lexists(target):
        raise ConfigurationError("cases.convert_exists", path=str(target))
    conversion = convert_file(source, reference_as_text=reference_as_text)
    with Output(as_json=False).text() as stream:
        for note in conversion.notes:
            stream.write(note.render(language) + "\n")
        if conversion.cases:
            _write(target, encode_cases(conversion.cases, kind, name=str(target)), force=force)
            count = len(conversion.cases)
            stream.write(message("cases.convert_wrote", language, path=str(target), count=count) + "\n")
    if not conversion.cases:
        raise ConfigurationError("cases.convert_nothing", file=source)
    return 0


def _write(target: Path, content: bytes, *, force: bool) -> None:
    try:
        if force:
            write_whole(target, content)
        else:
            write_new({target: content})
    except FileExistsError as error:
        raise ConfigurationError("cases.convert_exists", path=str(target)) from error
    except OSError as error:
        raise ConfigurationError("app.cannot_write", path=str(target), reason=error.strerror or str(error)) from error
