"""What a target that is a command is set up with, checked before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from sekisho.adapters.settings_table import SettingsTable

if TYPE_CHECKING:
    from collections.abc import Mapping

METHODS = ("answer", "search", "documents")
LONGEST_TIMEOUT_S = 86_400.0


class CommandSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A target that is a command.

    Attributes:
        command: The program and its arguments, as they are; no shell reads them.
        methods: What it can be asked.
        folder: The working directory.
        timeout_s: For one reply; the first one includes the start of the command.
    """

    command: tuple[str, ...]
    methods: tuple[str, ...] = ("answer",)
    folder: Path = Path()
    timeout_s: float = 60.0


def command_settings(table: Mapping[str, Any], *, root: Path) -> CommandSettings:
    """Return the checked settings of a command.

    Keys: ``command`` (needed: a list of texts, the program first), ``methods`` (from ``answer``, ``search`` and
    ``documents``; default ``["answer"]``), ``folder`` (default ``root``) and ``timeout_s`` (default 60).

    Args:
        table: As it was parsed. The error of a value names its key as ``key``.
        root: The folder that relative paths start from.

    Raises:
        ConfigurationError: A key is unknown, missing or wrong.
    """
    reader = SettingsTable(table)
    command = reader.texts("command")
    if not command or not command[0].strip():
        raise reader.error("targets.command_form", "command")
    if any("\0" in part for part in command):
        raise reader.error("targets.command_nul", "command")
    methods = reader.texts("methods", choices=METHODS) or ("answer",)
    folder = root / (reader.text("folder") or "")
    timeout_s = reader.seconds("timeout_s", default=60.0, most=LONGEST_TIMEOUT_S)
    reader.refuse_unknown()
    return CommandSettings(command=command, methods=methods, folder=folder, timeout_s=timeout_s)
