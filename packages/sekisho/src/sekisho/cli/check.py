"""``sekisho check``: run the suites and stop the change that makes a RAG system worse."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sekisho.cli import check_model
from sekisho.cli import help as pages
from sekisho.cli.output import Output, progress
from sekisho.cli.parameters import cut_off, flag, option, share, speaker
from sekisho.core.messages import Note, message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sekisho.app.prepared import Progress
    from sekisho.compare.determinism import AuditReport  # noqa: TC004  a help page does without numpy and msgspec
    from sekisho.core.messages import Language
    from sekisho.gate import RunResult  # noqa: TC004  as above


class _Options(NamedTuple):
    """What the command line says, apart from a run with a model."""

    suites: tuple[str, ...]
    min_recall: float | None
    k: int | None
    case_ids: tuple[str, ...]
    tags: tuple[str, ...]
    fail_fast: bool
    config: Path | None
    target: str | None
    as_json: bool
    audit: bool
    bisect: bool
    """Turned into the exit code by :mod:`sekisho.cli.main`."""


class _Checked(NamedTuple):
    """A run, with its audit where that was asked for; ``root`` is None where there is no project to keep it in."""

    run: RunResult
    audit: AuditReport | None
    exit_code: int
    root: Path | None
    duration_ms: float


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        model = {name: options.pop(name) for name in check_model.OPTIONS}
        return _check(language, _Options(**options), model)

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
        flag("--audit", say("audit")),
        flag("--json", say("json"), name="as_json"),
        flag("--bisect", say("bisect")),
        *check_model.parameters(say, language),
    ]
    return pages.command("check", language, run, parameters)


def _check(language: Language, options: _Options, model: Mapping[str, Any]) -> int:
    if check_model.is_asked_for(language, model, options._asdict()):
        return check_model.check_model(
            language,
            suites=options.suites,
            case_ids=options.case_ids,
            tags=options.tags,
            config=options.config,
            as_json=options.as_json,
            **model,
        )
    if options.target is not None and options.config and not options.suites:
        raise click.UsageError(message("cli.target_alone", language))
    if options.audit and options.fail_fast:
        raise click.UsageError(message("cli.audit_whole", language))
    output = Output(as_json=options.as_json)
    with output.refusals(language), progress(language) as advance:
        checked = _measure(options, advance)
    _report(checked, options, output, language)
    return checked.exit_code


def _measure(options: _Options, advance: Progress) -> _Checked:
    from sekisho.app.configuration import load_found  # noqa: PLC0415  after the words have been checked
    from sekisho.app.prepared import Selection  # noqa: PLC0415  as above
    from sekisho.app.runs import Overrides, run_check  # noqa: PLC0415  as above
    from sekisho.cli.check_alone import configuration_alone, refuse_without_retrieve  # noqa: PLC0415  as above

    alone = None if options.suites else options.target
    configuration = load_found(options.config) if alone is None else configuration_alone(alone)
    asked: dict[str, Any] = {
        "names": options.suites,
        "overrides": Overrides(
            k=options.k, min_recall=options.min_recall, target=options.target if alone is None else None
        ),
        "selection": Selection(case_ids=options.case_ids, tags=options.tags),
        "on_progress": advance,
    }
    tried = options.bisect or options.target is not None  # what was tried is no part of a trend
    is_kept = configuration.path is not None and not tried
    root = configuration.root if is_kept else None
    started = time.perf_counter()
    if options.audit:
        from sekisho.app.audit import audit_check  # noqa: PLC0415  only when asked for

        audited = audit_check(configuration, **asked)
        if alone is not None:
            refuse_without_retrieve(audited.run, alone)
        return _Checked(audited.run, audited.audit, audited.exit_code, root, _milliseconds_since(started))
    run = run_check(configuration, fail_fast=options.fail_fast, **asked)
    if alone is not None:
        refuse_without_retrieve(run, alone)
    return _Checked(run, None, run.exit_code, root, _milliseconds_since(started))


def _milliseconds_since(started: float) -> float:
    return 1000 * (time.perf_counter() - started)


def _report(checked: _Checked, options: _Options, output: Output, language: Language) -> None:
    from sekisho.reports.check_report import write_run  # noqa: PLC0415  after the run
    from sekisho.reports.json_report import encode, run_document  # noqa: PLC0415  as above
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    run, audit, exit_code = checked.run, checked.audit, checked.exit_code
    document = run_document(run, language=language)
    kept = _kept(checked, document)
    with output.text() as stream:
        terminal = Terminal(stream, language=language)
        if kept is not None:
            terminal.line(kept.render(language), hang=2, style="yellow")
        write_run(run, terminal, options=_again(options))
        if audit is not None:
            from sekisho.reports.audit_report import write_audit  # noqa: PLC0415  only when asked for

            write_audit(audit, terminal, verdict=run.verdict, exit_code=exit_code)
    if options.as_json:
        if audit is not None:
            from sekisho.reports.audit_json import audit_part  # noqa: PLC0415  as above

            document |= {"exit_code": exit_code, "audit": audit_part(audit, language)}
        output.write_document(encode(document))


def _kept(checked: _Checked, document: dict[str, Any]) -> Note | None:
    """Add a run to the history of its project; return what there is to say about that, which changes no verdict."""
    if checked.root is None:
        return None
    from sekisho.app.history import current_branch, keep_run  # noqa: PLC0415  after the run

    kept = keep_run(checked.root, document, branch=current_branch(checked.root), duration_ms=checked.duration_ms)
    return kept if isinstance(kept, Note) else None


def _again(options: _Options) -> list[str]:
    """Return the options that running one case again needs, as words."""
    given = {
        "--config": options.config,
        "--target": options.target,
        "-k": options.k,
        "--min-recall": options.min_recall,
    }
    return [word for name, value in given.items() if value is not None for word in (name, str(value))]
