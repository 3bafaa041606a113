"""Where a subcommand writes: text for people, documents for programs, progress for whoever waits."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Self

from sekisho.core.messages import message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from sekisho.core.messages import Language


class Output:
    """Standard output, kept for one document where a program reads it.

    With ``as_json`` everything else that is printed meanwhile, by this process or by a library of the target that
    writes to file descriptor 1, goes to standard error, so that what a program reads is the document and nothing else.
    """

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._kept: int | None = None

    def __enter__(self) -> Self:
        sys.stdout.flush()
        if self._as_json:
            self._kept = os.dup(1)
            os.dup2(2, 1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._kept is not None:
            sys.stdout.flush()
            os.dup2(self._kept, 1)
            os.close(self._kept)
            self._kept = None

    @property
    def text(self) -> IO[str]:
        """The stream for people."""
        return sys.stderr if self._as_json else sys.stdout

    def write_document(self, document: bytes) -> None:
        """Write the document for a program, whole."""
        target = self._kept if self._kept is not None else 1
        view = memoryview(document)
        while view:
            view = view[os.write(target, view) :]


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
        yield lambda name, done, total: bar.update(task, description=name, completed=done, total=total)
