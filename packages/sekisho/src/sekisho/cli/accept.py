"""``sekisho accept``: keep what is measured now as the baseline, with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.output import Output, progress
from sekisho.cli.parameters import flag, option, speaker
from sekisho.core.errors import ConfigurationError
from sekisho.core.messages import message

if TYPE_CHECKING:
    from sekisho.core.messages import Language

_EXIT_NOT_MEASURED = 3


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _accept(language, **options)

    say = speaker("cli.accept", language)
    parameters = [
        click.Argument(["suites"], nargs=-1, metavar="[SUITE]..."),
        option("--reason", say("reason"), required=True, metavar="TEXT"),
        option("--config", say("config"), type=click.Path(path_type=Path), metavar="FILE"),
        flag("--json", say("json"), name="as_json"),
    ]
    return pages.command("accept", language, run, parameters)


def _accept(language: Language, *, suites: tuple[str, ...], reason: str, config: Path | None, as_json: bool) -> int:
    from sekisho.app.accepting import absolute_failures, accept  # noqa: PLC0415  after the words have been checked
    from sekisho.app.configuration import load_found  # noqa: PLC0415  as above

    output = Output(as_json=as_json)
    with output.refusals(language), progress(language) as advance:
        try:
            done = accept(load_found(config), names=suites, reason=reason, on_progress=advance)
        except OSError as error:
            path, why = str(error.filename or "sekisho.baseline.json"), error.strerror or str(error)
            raise ConfigurationError("app.cannot_write", path=path, reason=why) from error
    from sekisho.reports.check_report import write_run  # noqa: PLC0415  after the run
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    with output.text() as stream:
        terminal = Terminal(stream, language=language)
        write_run(done.run, terminal)
        terminal.line()
        if not done.written:
            terminal.line(message("compare.not_accepted", language, path=str(done.path)), style="red")
        else:
            changed = [name for name in done.written if name not in done.unchanged]
            if changed:
                text = message("compare.accepted", language, path=str(done.path), names=", ".join(changed))
                terminal.line(text, style="green")
            if done.unchanged:
                terminal.line(message("compare.accepted_unchanged", language, names=", ".join(done.unchanged)))
        failing = [suite.name for suite in done.run.suites if done.written and absolute_failures(suite)]
        if failing:
            text = message("compare.accepted_failing", language, names=", ".join(failing))
            terminal.line(text, hang=2, style="yellow")
        if done.dropped:
            terminal.line(message("compare.dropped", language, names=", ".join(done.dropped)))
    code = 0 if done.written else _EXIT_NOT_MEASURED
    if as_json:
        from sekisho.reports.json_report import encode, run_document  # noqa: PLC0415  only when asked for

        told = {"exit_code": code, "accepted": list(done.written), "dropped": list(done.dropped)}
        output.write_document(encode(run_document(done.run, language=language) | told))
    return code
