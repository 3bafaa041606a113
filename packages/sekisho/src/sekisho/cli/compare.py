"""``sekisho compare``: several targets on one corpus, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.output import Output, progress
from sekisho.cli.parameters import cut_off, flag, option, speaker

if TYPE_CHECKING:
    from sekisho.core.messages import Language


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _compare(language, **options)

    say = speaker("cli.compare", language)
    parameters = [
        click.Argument(["targets"], nargs=-1, required=True, metavar="TARGET TARGET..."),
        option("--corpus", say("corpus"), default="seed", metavar="PRESET|CORPUS"),
        option("--queries", say("queries"), metavar="FILE"),
        option("--qrels", say("qrels"), metavar="FILE"),
        cut_off(say("k"), language, default=10),
        flag("--json", say("json"), name="as_json"),
    ]
    return pages.command("compare", language, run, parameters)


def _compare(
    language: Language,
    *,
    targets: tuple[str, ...],
    corpus: str,
    queries: str | None,
    qrels: str | None,
    k: int,
    as_json: bool,
) -> int:
    from sekisho.app.comparing import compare_targets, import_root  # noqa: PLC0415  after the words have been checked

    output = Output(as_json=as_json)
    with output.refusals(language), progress(language) as advance:
        run = compare_targets(
            targets, corpus=corpus, queries=queries, qrels=qrels, k=k, root=import_root(Path.cwd()), on_progress=advance
        )
    from sekisho.reports.comparison import comparison_document, write_comparison  # noqa: PLC0415  as in check
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    with output.text() as stream:
        write_comparison(run, Terminal(stream, language=language))
    if as_json:
        from sekisho.reports.json_report import encode  # noqa: PLC0415  only when asked for

        output.write_document(encode(comparison_document(run, language=language)))
    return run.exit_code
