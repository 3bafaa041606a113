"""Targets over HTTP: any system that answers JSON, told by its settings alone. Needs the extra ``http``."""

from sekisho.adapters.http_target.settings import HttpSettings, http_settings, principal_of
from sekisho.adapters.http_target.target import HttpTarget, http_target

__all__ = ["HttpSettings", "HttpTarget", "http_settings", "http_target", "principal_of"]
