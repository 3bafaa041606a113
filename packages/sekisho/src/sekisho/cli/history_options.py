"""Options that the commands of the history share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sekisho.cli.parameters import MOST_RESULTS, option
from sekisho.core.messages import message
from sekisho.core.text import shorten

if TYPE_CHECKING:
    from sekisho.core.messages import Language


def count_option(language: Language, *, default: int) -> click.Option:
    """Return ``--limit``, a whole number of at least 1; None where it is not given."""

    def read(_ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
        if value is None:
            return None
        number = int(value) if value.isascii() and value.isdigit() and len(value) <= len(str(MOST_RESULTS)) else 0
        if not 1 <= number <= MOST_RESULTS:
            sentence = message("cli.not_a_count", language, value=shorten(value, 80), most=MOST_RESULTS)
            raise click.BadParameter(sentence, param=param)
        return number

    text = message("history.option_limit", language, default=default)
    return click.Option(["--limit"], help=text, metavar="N", callback=read)


def config_option(language: Language) -> click.Option:
    """Return ``--config``, whose folder the history belongs to."""
    text = message("history.option_config", language)
    return option("--config", text, type=click.Path(path_type=Path), metavar="FILE")
