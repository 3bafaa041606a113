"""``sekisho cases schema``: the JSON Schema of files of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sekisho.cli import help as pages
from sekisho.cli.output import Output
from sekisho.core.messages import message

if TYPE_CHECKING:
    import click

    from sekisho.core.messages import Language


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run() -> int:
        from sekisho.adapters.case_files.schema import schema  # noqa: PLC0415  when asked for
        from sekisho.reports.json_report import encode  # noqa: PLC0415  as above

        Output(as_json=True).write_document(encode(schema(language)))
        return 0

    return pages.Command(
        "schema", language=language, callback=run, params=[], help=message("cases.help_schema", language)
    )
