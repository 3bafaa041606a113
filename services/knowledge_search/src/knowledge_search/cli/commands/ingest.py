"""``knowledge-search ingest``: take in a file or a folder."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from knowledge_search.cli.messages import message
from knowledge_search.cli.opening import opened, pairs, settings_of
from knowledge_search.cli.output import note, progress, say, write_json
from knowledge_search.cli.pages import command, option
from knowledge_search.domain import department as checked

if TYPE_CHECKING:
    from knowledge_search.bootstrap import Services
    from knowledge_search.cli.messages import Language
    from knowledge_search.ingest import FileReport, IngestReport


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(
        path: Path, department: str | None, folder: tuple[str, ...], default: str | None, *, prune: bool, json: bool
    ) -> int:
        for name in filter(None, (department, default)):
            checked(name)
        folders = pairs(folder, language)
        with opened(language, settings_of(language), folders=folders) as services:
            report = take_in(services, path, language, department=department, default=default, prune=prune)
        if json:
            write_json({"files": [asdict(one) for one in report.files], "removed": list(report.removed)})
        else:
            show(report, language)
        return 1 if report.left_out else 0

    return command(
        "ingest",
        language,
        run,
        [
            click.Argument(["path"], type=click.Path(exists=True, path_type=Path)),
            option(language, "--department", "ingest_department_option"),
            option(language, "--folder", "folder_option", multiple=True, metavar="FOLDER=DEPARTMENT"),
            option(language, "--default", "default_option", metavar="DEPARTMENT"),
            option(language, "--prune", "prune_option", is_flag=True),
            option(language, "--json", "json_option", is_flag=True),
        ],
    )


def take_in(
    services: Services,
    path: Path,
    language: Language,
    *,
    department: str | None = None,
    default: str | None = None,
    prune: bool = False,
) -> IngestReport:
    """Take in a file or folder, show how far it is, and make what the strategy of the settings needs.

    Args:
        services: Open.
        path: A file or a folder.
        language: Of the progress.
        department: Of all files.
        default: Of the files for which nothing says a department; one that is contradicted is still left out.
        prune: Whether documents without a file in this folder are removed.
    """
    from knowledge_search.ingest import IngestReport  # noqa: PLC0415 - help pages need none of it

    with progress("ingesting", language) as bar:
        if path.is_dir():
            report = services.ingest.folder(
                path,
                department=department,
                default=default,
                prune=prune,
                progress=lambda done, total, _: bar.step(done, total),
            )
        else:
            report = IngestReport(files=(_one(services, path, department, default),))
    if report.count("ingested") or report.removed:
        with progress("preparing", language):
            services.maintenance.run(services.settings.strategy)
    return report


def _one(services: Services, path: Path, department: str | None, default: str | None) -> FileReport:
    report = services.ingest.file(path, department=department)
    if report.status == "no_department" and not report.detail and default is not None:
        return services.ingest.file(path, department=default)
    return report


def show(report: IngestReport, language: Language) -> None:
    """Tell people what became of the files: those that were left out one by one, the others as totals."""
    for one in report.files:
        if one.left_out or one.pages_without_text:
            note(one.text(language))
    for source in report.removed:
        note(message("removed", language, source=source))
    say(report.summary(language))
