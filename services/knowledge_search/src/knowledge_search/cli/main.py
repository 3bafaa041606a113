"""Entry point: language, errors and exit codes of the whole command."""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from knowledge_search import __version__
from knowledge_search.cli.language import locale_language, take_language
from knowledge_search.cli.messages import message
from knowledge_search.cli.output import note
from knowledge_search.cli.pages import Group
from knowledge_search.domain import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from knowledge_search.cli.messages import Language

PROGRAM = "knowledge-search"
COMMANDS = ("serve", "ingest", "ask", "search", "calibrate", "reembed", "keys", "doctor")
EXIT_WRONG = 2
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 done but something is amiss, 2 wrong usage, settings or environment."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
    language = locale_language(os.environ)
    try:
        language, words = take_language(sys.argv[1:] if arguments is None else arguments, os.environ)
        code = _run(list(words), language)
        sys.stdout.flush()
    except KnowledgeError as error:
        code = _complain(message("error", language, reason=str(error)))
    except click.ClickException as error:
        code = _complain(message("error", language, reason=_usage(error, language)))
    except (KeyboardInterrupt, click.Abort):
        note(message("interrupted", language))
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 1
    except Exception:  # noqa: BLE001 - the last place that can tell the user
        traceback.print_exc()
        code = _complain(message("crashed", language))
    sys.exit(code)


def build(language: Language) -> Group:
    """Return the whole command in one language."""
    version = click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
        help=message("version_option", language),
    )  # fmt: skip
    return Group(
        PROGRAM,
        language=language,
        makers={name: _maker(name) for name in COMMANDS},
        params=[version],
        help=message(f"help_{PROGRAM}", language),
        no_args_is_help=True,
    )


def _maker(name: str) -> Callable[[Language], click.Command]:
    def make(language: Language) -> click.Command:
        module = import_module(f"knowledge_search.cli.commands.{name}")
        made: click.Command = module.build(language)
        return made

    return make


def _run(words: list[str], language: Language) -> int:
    group = build(language)
    try:
        with group.make_context(PROGRAM, words) as context:
            result = group.invoke(context)
    except click.exceptions.NoArgsIsHelpError as error:
        note(error.ctx.get_help())
        return EXIT_WRONG
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    return result if isinstance(result, int) else 0


def _usage(error: click.ClickException, language: Language) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else PROGRAM
    return f"{_sentence(error, context, language)}\n{message('arguments', language, command=path)}"


def _sentence(error: click.ClickException, context: click.Context | None, language: Language) -> str:
    if isinstance(error, click.NoSuchOption):
        return message("no_such_option", language, option=error.option_name)
    if isinstance(error, click.BadParameter):
        shown = error.param.make_metavar(context) if isinstance(error.param, click.Argument) and context else None
        name = shown or (max(error.param.opts, key=len) if error.param else "")
        if isinstance(error, click.MissingParameter):
            return message("missing", language, name=name)
        return message("bad_value", language, name=name, reason=error.message)
    return error.format_message()


def _complain(sentence: str) -> int:
    note(sentence)
    return EXIT_WRONG


def _show_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's form
    if value:
        sys.stdout.write(f"{PROGRAM} {__version__}\n")
        ctx.exit()
