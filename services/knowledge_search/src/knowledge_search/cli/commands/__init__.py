"""The subcommands, a module each, with a function ``build(language)``."""
