"""The command ``knowledge-search``. Each subcommand is a module of its own, imported only when it is called."""

from knowledge_search.cli.main import main

__all__ = ["main"]
