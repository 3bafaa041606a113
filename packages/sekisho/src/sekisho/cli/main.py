"""Entry point: language, errors and exit codes of the whole command."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

import click

from sekisho.cli.group import build_group
from sekisho.cli.language import take_language
from sekisho.cli.output import OutputLostError, prepare_streams, silence_stdout
from sekisho.cli.supervised import SignalledError, raise_when_signalled, supervised
from sekisho.cli.usage import usage_sentence
from sekisho.core.errors import SekishoError
from sekisho.core.languages import locale_language
from sekisho.core.messages import message
from sekisho.core.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sekisho.core.messages import Language

EXIT_USAGE = 2
EXIT_NOT_MEASURED = 3
EXIT_BISECT_SKIP = 125
EXIT_INTERRUPTED = 130
BISECT = "--bisect"
_MEASURING = frozenset({"accept", "check", "compare", "power"})
"""Commands that run a target; a word that is one only by chance costs a process and nothing else."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 passed, 1 failed, 2 wrong usage, configuration or input, 3 not measured."""
    prepare_streams()
    raise_when_signalled()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not _MEASURING.isdisjoint(words):
        code = supervised(lambda: _answer(words), no_verdict=lambda: _say_no_verdict(words))
        _exit(_for_bisect(code) if BISECT in words else code)
    _exit(_answer(words))


def _for_bisect(code: int) -> int:
    """Return the code by which ``git bisect run`` leaves out a commit that cannot be measured, else the code itself."""
    return EXIT_BISECT_SKIP if code in {EXIT_USAGE, EXIT_NOT_MEASURED} else code


def _answer(words: list[str]) -> int:
    """Return the exit code of a command line, whatever happens on the way."""
    language = locale_language(os.environ)
    try:
        language, words = take_language(words, os.environ)
        return _run(words, language)
    except SekishoError as error:
        code = _complain(f"[{error.code}]: {error.render(language)}", language, code=EXIT_USAGE)
    except click.ClickException as error:
        code = _complain(f": {usage_sentence(error, language, words=words)}", language, code=EXIT_USAGE)
    except KeyboardInterrupt as interrupt:
        code = 128 + interrupt.number if isinstance(interrupt, SignalledError) else EXIT_INTERRUPTED
        _say(message("cli.interrupted", language), code=code)
    except OutputLostError as error:
        code = _complain(
            f": {message('cli.not_written', language, reason=str(error))}", language, code=EXIT_NOT_MEASURED
        )
    except BrokenPipeError:  # pages and reports have their own way
        silence_stdout()
        code = EXIT_NOT_MEASURED
    except BaseException:  # noqa: BLE001  a mistake of this package must not look like a failed gate (exit code 1)
        import traceback  # noqa: PLC0415  only for a crash

        for line in traceback.format_exc().splitlines():
            _say(printable(line), code=EXIT_NOT_MEASURED)
        code = _complain(f": {message('cli.crashed', language)}", language, code=EXIT_NOT_MEASURED)
    return code


def _say_no_verdict(words: list[str]) -> None:
    language = locale_language(os.environ)
    with suppress(SekishoError):
        language, _ = take_language(words, os.environ)
    _complain(f": {message('cli.no_verdict', language)}", language, code=EXIT_NOT_MEASURED)


def _run(words: list[str], language: Language) -> int:
    group = build_group(language)
    try:
        with group.make_context("sekisho", words) as context:
            result = group.invoke(context)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    return result if isinstance(result, int) else 0


def _complain(sentence: str, language: Language, *, code: int) -> int:
    return _say(message("cli.error", language) + sentence, code=code)


def _say(sentence: str, *, code: int) -> int:
    with suppress(OSError):  # nobody can be told that nobody listens
        sys.stderr.write(sentence + "\n")
    return code


def _exit(code: int) -> NoReturn:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except ValueError:  # closed by the target; the report has a stream of its own
        pass
    except OSError:
        silence_stdout()
        code = code or EXIT_NOT_MEASURED
    sys.exit(code)
