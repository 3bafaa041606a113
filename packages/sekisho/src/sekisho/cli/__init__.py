"""The command ``sekisho``. Each subcommand is a module of its own, imported only when it is called."""

from sekisho.cli.main import main

__all__ = ["main"]
