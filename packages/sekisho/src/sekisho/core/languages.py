"""Which language a user reads: chosen, else that of the environment."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes half the time of importing this package
if TYPE_CHECKING:
    from collections.abc import Mapping

    from sekisho.core.messages import Language


def locale_language(environment: Mapping[str, str]) -> Language:
    """Return the language of the locale (``LC_ALL``, ``LC_MESSAGES``, ``LANG``); English where there is none."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            return "ja" if value.lower().startswith("ja") else "en"
    return "en"
