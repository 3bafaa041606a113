"""The services as a command opens them: settings, and a word about whatever takes long."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from knowledge_search.cli.messages import message
from knowledge_search.cli.output import note
from knowledge_search.domain import ConfigurationError
from knowledge_search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from knowledge_search.bootstrap import Services
    from knowledge_search.cli.messages import Language


def settings_of(language: Language, **changes: Any) -> Settings:  # noqa: ANN401 - fields of the settings
    """Return the settings of the environment, with what the command line changes.

    Raises:
        ConfigurationError: Some are not valid; names them, never their values.
    """
    try:
        return Settings(**{name: value for name, value in changes.items() if value is not None})
    except (ValidationError, ValueError) as error:
        fields = ""
        if isinstance(error, ValidationError):
            fields = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise ConfigurationError(message("bad_settings", language, fields=fields or type(error).__name__)) from None


@contextmanager
def opened(
    language: Language, settings: Settings, *, claim: bool = True, folders: Mapping[str, str] | None = None
) -> Iterator[Services]:
    """Give the open services."""
    from knowledge_search.bootstrap import OpenServices  # noqa: PLC0415 - help pages need none of it

    def waiting(what: str) -> None:
        note(message("waiting", language, what=message("starting_server", language) + f" ({what})"))

    with OpenServices(settings, claim=claim, folders=folders, progress=waiting) as services:
        yield services


def pairs(texts: tuple[str, ...], language: Language) -> dict[str, str]:
    """Return ``FOLDER=DEPARTMENT`` as a table.

    Raises:
        ConfigurationError: One is not of that form.
    """
    table = {}
    for text in texts:
        folder, equals, department = text.partition("=")
        if not (folder and equals and department):
            raise ConfigurationError(message("bad_folder", language, text=text))
        table[folder] = department
    return table
