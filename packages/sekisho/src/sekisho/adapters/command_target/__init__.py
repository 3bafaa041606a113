"""Targets that are commands: any program that reads and writes JSON Lines."""

from sekisho.adapters.command_target.settings import CommandSettings, command_settings
from sekisho.adapters.command_target.target import CommandTarget, command_target

__all__ = ["CommandSettings", "CommandTarget", "command_settings", "command_target"]
