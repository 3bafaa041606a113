"""The HTTP application."""

from knowledge_search.api.app import create_app

__all__ = ["create_app"]
