"""``sekisho init``: a configuration with comments, and an example target that runs as it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.adapters.writing import write_new
from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.cli.templates import CASES, CASES_FILE, CONFIGURATION, TARGET, TARGET_FILE
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import message

if TYPE_CHECKING:
    from sekisho.core.messages import Language


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the argument below
        return _init(language, **options)

    folder = click.Argument(["folder"], default=".", type=click.Path(path_type=Path), metavar="[FOLDER]")
    return pages.command("init", language, run, [folder])


def _init(language: Language, *, folder: Path) -> int:
    from sekisho.app.configuration import FILE_NAME  # noqa: PLC0415  after the words have been checked

    if not folder.is_dir():
        raise ConfigurationError("app.no_such_folder", path=str(folder))
    contents = {
        folder / FILE_NAME: CONFIGURATION[language],
        folder / TARGET_FILE: TARGET[language],
        folder / CASES_FILE: CASES[language],
    }
    kept = [path for path in contents if path.exists() or path.is_symlink()]
    if len(kept) == len(contents):
        raise ConfigurationError("app.already_there", files=", ".join(map(str, kept)))
    try:
        write_new({path: content.encode() for path, content in contents.items() if path not in kept})
    except OSError as error:
        path = error.filename2 or folder
        reason = error.strerror or str(error)
        raise ConfigurationError("app.cannot_write", path=os.fspath(path), reason=reason) from error
    with Output(as_json=False).text() as stream:
        for path in contents:
            code = "cli.kept" if path in kept else "cli.wrote"
            stream.write(message(code, language, path=os.fspath(path)) + "\n")
        stream.write(message("cli.init_next", language) + "\n")
    return 0
