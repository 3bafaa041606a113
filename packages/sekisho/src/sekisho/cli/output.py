"""Where a subcommand writes: text for people, documents for programs, progress for whoever waits."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from sekisho.core.errors import SekishoError
from sekisho.core.messages import message
from sekisho.core.text import in_ascii, printable, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sekisho.core.messages import Language

_LONGEST_NAME = 40


def prepare_streams() -> None:
    """Make standard output and error safe to write to: there, and able to show any character somehow."""
    codecs.register_error("sekisho", in_ascii)
    for descriptor in (1, 2):
        try:
            os.fstat(descriptor)
        except OSError:  # closed by the caller, as in `sekisho check >&-`
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  for the whole process
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  as above
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="sekisho")


def silence_stdout() -> None:
    """Point standard output nowhere, so that the interpreter's last flush cannot fail once more."""
    _silence(1)


def _silence(descriptor: int) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def write_page(page: str, *, to_errors: bool = False) -> None:
    """Write a page of help, whole; a reader that leaves before its end has seen what it wanted."""
    stream, descriptor = (sys.stderr, 2) if to_errors else (sys.stdout, 1)
    try:
        stream.write(page)
        stream.flush()
    except BrokenPipeError:
        _silence(descriptor)


class OutputLostError(Exception):
    """What was to be written could not be, and whoever waits for it must hear so."""


class Output:
    """Standard output, kept for what a subcommand has to say.

    Everything else that this process prints from now on, be it by a library of the target that writes to file
    descriptor 1 or at exit, goes to standard error: what comes out here is one report and nothing else.

    Args:
        as_json: A program reads standard output; text for people goes to standard error as well.
    """

    def __init__(self, *, as_json: bool) -> None:
        sys.stdout.flush()
        self._own = os.getpid()
        self._as_json = as_json
        self._kept = os.dup(1)
        os.dup2(2, 1)
        self._text = sys.stderr if as_json else self._open()

    def _open(self) -> TextIO:
        encoding = sys.stdout.encoding
        return open(self._kept, "w", encoding=encoding, errors="sekisho", closefd=False)

    def _leave_to_the_original(self) -> None:
        """End a copy of this process that the target made by forking: one run has one report."""
        if os.getpid() != self._own:
            os._exit(3)

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """Give the stream for people; a reader that leaves, as ``head`` does, changes no verdict.

        Raises:
            OutputLostError: The disk is full, or the like.
        """
        self._leave_to_the_original()
        with _reader_may_leave(2 if self._as_json else self._kept):
            yield self._text
            self._text.flush()

    def write_document(self, document: bytes) -> None:
        """Write the document for a program, whole.

        Raises:
            OutputLostError: As :meth:`text`.
        """
        self._leave_to_the_original()
        view = memoryview(document)
        with _reader_may_leave(self._kept):
            while view:
                view = view[os.write(self._kept, view) :]

    @contextmanager
    def refusals(self, language: Language) -> Iterator[None]:
        """Let an error through that ends the command before anything ran; a program hears of it in a document."""
        try:
            yield
        except SekishoError as error:
            if self._as_json:
                from sekisho.reports.json_report import encode, refusal_document  # noqa: PLC0415  only then

                self.write_document(encode(refusal_document(error, language=language)))
            raise


@contextmanager
def _reader_may_leave(descriptor: int) -> Iterator[None]:
    """Pass over a reader that leaves; what a stream still holds then goes nowhere, where it cannot fail once more."""
    try:
        yield
    except BrokenPipeError:
        _silence(descriptor)
    except OSError as error:
        _silence(descriptor)
        raise OutputLostError(error.strerror or str(error)) from error


@contextmanager
def progress(language: Language) -> Iterator[Callable[[str, int, int], None]]:
    """Show how many cases of which suite are done, on a terminal only; nothing of it stays on the screen."""
    if not sys.stderr.isatty():
        yield lambda _name, _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415  only on a terminal
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(message("cli.progress_start", language), total=None)

        def advance(name: str, done: int, total: int) -> None:
            bar.update(task, description=printable(shorten(name, _LONGEST_NAME)), completed=done, total=total)

        yield advance
