"""``sekisho check --model``: the same answer cases with the real model of the target, apart from the gate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli.output import Output, progress
from sekisho.cli.parameters import option, share
from sekisho.core.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sekisho.core.messages import Language

OPTIONS = ("model", "samples", "min_pass_rate", "record", "replay", "model_url", "judgments")
_OF_THE_GATE = {
    "k": "-k",
    "min_recall": "--min-recall",
    "fail_fast": "--fail-fast",
    "target": "--target",
    "audit": "--audit",
}
"""Options that mean nothing to a model."""


def parameters(say: Callable[[str], str], language: Language) -> list[click.Parameter]:
    """Return the options of this part of ``check``."""
    file = click.Path(path_type=Path)
    return [
        option("--model", say("model"), metavar="NAME"),
        option("--samples", say("samples"), type=click.IntRange(1, 100), metavar="N"),
        share("--min-pass-rate", say("min_pass_rate"), language),
        option("--record", say("record"), type=file, metavar="FILE"),
        option("--replay", say("replay"), type=file, metavar="FILE"),
        option("--model-url", say("model_url"), metavar="URL"),
        option("--judgments", say("judgments"), type=file, metavar="FILE"),
    ]


def is_asked_for(language: Language, given: Mapping[str, object], others: Mapping[str, object]) -> bool:
    """Tell whether the options ask for a run with a model.

    Args:
        language: Of the refusal.
        given: The options of this module, by name.
        others: The other options of ``check``.

    Raises:
        click.UsageError: An option of the one kind of run is combined with the other kind.
    """
    if given["model"] is None and given["replay"] is None:
        idle = [name for name in OPTIONS if given[name] is not None]
        if idle:
            option_ = f"--{idle[0].replace('_', '-')}"
            raise click.UsageError(message("cli.model_needed", language, option=option_))
        return False
    foreign = [word for name, word in _OF_THE_GATE.items() if others[name]]
    if foreign:
        raise click.UsageError(message("cli.model_alone", language, option=foreign[0]))
    return True


def check_model(
    language: Language,
    *,
    suites: tuple[str, ...],
    case_ids: tuple[str, ...],
    tags: tuple[str, ...],
    config: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401  the options above
) -> int:
    """Run the cases with the model and write the report; return the exit code."""
    from sekisho.app.configuration import load_found  # noqa: PLC0415  after the words have been checked
    from sekisho.app.models import run_model_check  # noqa: PLC0415  as above
    from sekisho.app.prepared import Selection  # noqa: PLC0415  as above

    output = Output(as_json=as_json)
    with output.refusals(language), progress(language) as advance:
        run = run_model_check(
            load_found(config),
            names=suites,
            selection=Selection(case_ids=case_ids, tags=tags),
            on_progress=advance,
            **options,
        )
    from sekisho.reports.model_report import write_model_run  # noqa: PLC0415  after the run
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    with output.text() as stream:
        write_model_run(run, Terminal(stream, language=language))
    if as_json:
        from sekisho.reports.json_report import encode  # noqa: PLC0415  only when asked for
        from sekisho.reports.model_json import model_document  # noqa: PLC0415  as above

        output.write_document(encode(model_document(run, language=language)))
    return run.exit_code
