"""Entry point: language, errors and exit codes of the whole command."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from sekisho.cli.group import build_group
from sekisho.cli.language import take_language
from sekisho.core.errors import SekishoError
from sekisho.core.messages import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.messages import Language

EXIT_USAGE = 2
EXIT_NOT_MEASURED = 3
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 passed, 1 failed, 2 wrong usage, configuration or input, 3 not measured."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
    language: Language = "en"
    try:
        language, words = take_language(words, os.environ)
        code = _run(words, language)
    except SekishoError as error:
        code = _complain(error.render(language), language, code=error.code)
    except click.ClickException as error:
        code = _complain(_usage_sentence(error, language), language)
    except KeyboardInterrupt:
        click.echo(message("cli.interrupted", language), err=True)
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        code = EXIT_NOT_MEASURED
    except Exception:  # noqa: BLE001  a mistake of this package must not look like a failed gate (exit code 1)
        import traceback  # noqa: PLC0415  only for a crash

        traceback.print_exc()
        code = _complain(message("cli.crashed", language), language) and EXIT_NOT_MEASURED
    _exit(code)


def _run(words: list[str], language: Language) -> int:
    group = build_group(language)
    try:
        result = group.main(args=words, prog_name="sekisho", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    return result if isinstance(result, int) else 0


def _complain(sentence: str, language: Language, *, code: str = "") -> int:
    mark = message("cli.error", language)
    click.echo(f"{mark}[{code}]: {sentence}" if code else f"{mark}: {sentence}", err=True)
    return EXIT_USAGE


def _usage_sentence(error: click.ClickException, language: Language) -> str:
    """Return a usage error in the user's language, with where to look for help."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "sekisho"
    if isinstance(error, click.NoSuchOption):
        meant = ", ".join(error.possibilities or ())
        code = "cli.no_such_option_meant" if meant else "cli.no_such_option"
        sentence = message(code, language, option=error.option_name, meant=meant)
    elif isinstance(error, click.MissingParameter):
        name = error.param.make_metavar(context) if error.param and context else ""
        sentence = message("cli.missing", language, name=name)
    elif isinstance(error, click.BadParameter):
        hint = error.param.opts[-1] if error.param else ""
        sentence = message("cli.bad_value", language, option=hint, reason=error.message)
    else:
        sentence = error.format_message()
    return f"{sentence}\n{message('cli.see_help', language, command=path)}"


def _silence_stdout() -> None:
    """Point standard output nowhere, so that the interpreter's last flush cannot fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _exit(code: int) -> NoReturn:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
    sys.exit(code)
