"""``sekisho power``: how large a drop the cases of a suite can show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sekisho.cli import help as pages
from sekisho.cli.output import Output, progress
from sekisho.cli.parameters import flag, option, share
from sekisho.core.messages import message

if TYPE_CHECKING:
    from sekisho.core.messages import Language


def build(language: Language) -> click.Command:
    """Return the command in one language."""

    def run(**options: Any) -> int:  # noqa: ANN401  the options below
        return _power(language, **options)

    parameters = [
        click.Argument(["suite"], metavar="SUITE"),
        option("--against", message("power.option_against", language), metavar="SUITE|TARGET"),
        share("--drop", message("power.option_drop", language), language),
        share("--power", message("power.option_power", language), language),
        option("--config", message("cli.check_config", language), type=click.Path(path_type=Path), metavar="FILE"),
        flag("--json", message("power.option_json", language), name="as_json"),
    ]
    return pages.Command(
        "power", language=language, callback=run, params=parameters, help=message("power.help_power", language)
    )


def _power(
    language: Language,
    *,
    suite: str,
    against: str | None,
    drop: float | None,
    power: float | None,
    config: Path | None,
    as_json: bool,
) -> int:
    from sekisho.app.configuration import load_found  # noqa: PLC0415  after the words have been checked
    from sekisho.app.power import POWER, run_power  # noqa: PLC0415  as above

    output = Output(as_json=as_json)
    with output.refusals(language), progress(language) as advance:
        run = run_power(
            load_found(config),
            suite,
            against=against,
            drop=drop,
            power=POWER if power is None else power,
            on_progress=advance,
        )
    from sekisho.reports.power_report import write_power  # noqa: PLC0415  after the run
    from sekisho.reports.terminal import Terminal  # noqa: PLC0415  as above

    with output.text() as stream:
        write_power(run, Terminal(stream, language=language))
    if as_json:
        from sekisho.reports.json_report import encode  # noqa: PLC0415  only when asked for
        from sekisho.reports.power_json import power_document  # noqa: PLC0415  as above

        output.write_document(encode(power_document(run, language=language)))
    return run.exit_code
