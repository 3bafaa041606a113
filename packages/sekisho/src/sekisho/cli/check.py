"""``sekisho check``: run the suites and stop the change that makes search worse."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import check_model
from sekisho.cli import help as pages
from sekisho.cli.output import Output, progress
from sekisho.cli.parameters import cut_off, flag, option, share, speaker
from sekisho.core.messages import message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sekisho.app.configuration import Configuration
    from sekisho.core.messages import Language


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _check(language, **options)

    say = speaker("cli.check", language)
    parameters = [
        click.Argument(["suites"], nargs=-1, metavar="[SUITE]..."),
        share("--min-recall", say("min_recall"), language),
        cut_off(say("k"), language),
        option("--case", say("case"), multiple=True, metavar="ID", name="case_ids"),
        option("--tag", say("tag"), multiple=True, metavar="TAG", name="tags"),
        flag("--fail-fast", say("fail_fast")),
        option("--config", say("config"), type=click.Path(path_type=Path), metavar="FILE"),
        option("--target", say("target"), metavar="MODULE:FACTORY"),
        flag("--json", say("json"), name="as_json"),
        *check_model.parameters(say, language),
    ]
    return pages.command("check", language, run, parameters)


def _check(
    language: Language,
    *,
    suites: tuple[str, ...],
    min_recall: float | None,
    k: int | None,
    case_ids: tuple[str, ...],
    tags: tuple[str, ...],
    fail_fast: bool,
    config: Path | None,
    target: str | None,
    as_json: bool,
    **model: Any,  # noqa: ANN401  the options of check_model
) -> int:
    others = {"k": k, "min_recall": min_recall, "fail_fast": fail_fast, "target": target}
    if check_model.is_asked_for(language, model, others):
        return check_model.check_model(
            language, suites=suites, case_ids=case_ids, tags=tags, config=config, as_json=as_json, **model
        )
    from sekisho.app.configuration import load_found  # noqa: PLC0415  after the words have been checked
    from sekisho.app.prepared import Selection  # noqa: PLC0415  as above
    from sekisho.app.runs import Overrides, run_check  # noqa: PLC0415  as above

    if target is not None and config and not suites:
        raise click.UsageError(message("cli.target_alone", language))
    output = Output(as_json=as_json)
    with output.refusals(language), progress(language) as advance:
        configuration = load_found(config) if target is None or suites else _alone(target)
        run = run_check(
            configuration,
            names=suites,
            overrides=Overrides(k=k, min_recall=min_recall, target=target if suites else None),
            selection=Selection(case_ids=case_ids, tags=tags),
            fail_fast=fail_fast,
            on_progress=advance,
        )
    from sekisho.reports.check_report import write_run  # noqa: PLC0415  after the run
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    with output.text() as stream:
        options = _given({"--config": config, "--target": target, "-k": k, "--min-recall": min_recall})
        write_run(run, Terminal(stream, language=language), options=options)
    if as_json:
        from sekisho.reports.json_report import encode, run_document  # noqa: PLC0415  only when asked for

        output.write_document(encode(run_document(run, language=language)))
    return run.exit_code


def _given(options: Mapping[str, object]) -> list[str]:
    """Return the options that have a value, as words."""
    return [word for name, value in options.items() if value is not None for word in (name, str(value))]


def _alone(target: str) -> Configuration:
    from sekisho.app.configuration import Configuration  # noqa: PLC0415  as above
    from sekisho.app.settings import RetrievalSuite  # noqa: PLC0415  as above
    from sekisho.reports.verdict import ALONE  # noqa: PLC0415  as above

    return Configuration(suites=(RetrievalSuite(name=ALONE, target=target),), root=Path.cwd())
