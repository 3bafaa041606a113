"""The request as the configuration writes it: a JSON value in which some texts stand for values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from sekisho.core.errors import ConfigurationError
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LEVELS = 50
"""A request is written by hand; what is nested deeper is a mistake, or a file that refers to itself."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def check_template(template: object, *, key: str, known: Sequence[str]) -> frozenset[str]:
    """Return which placeholders a request holds.

    A placeholder is the whole text: ``"{question}"`` becomes the question and ``"{departments}"`` a list. Nothing is
    put inside a longer text, so that no question can be mistaken for a part of the request.

    Raises:
        ConfigurationError: Something that JSON cannot hold, an unknown placeholder, or one inside a longer text or in
            a name.
    """
    used: set[str] = set()
    _check(template, key, known, used, MOST_LEVELS)
    return frozenset(used)


def _check(value: object, key: str, known: Sequence[str], used: set[str], levels: int) -> None:
    if levels == 0:
        raise ConfigurationError("targets.template_deep", key=key, most=MOST_LEVELS)
    if isinstance(value, Mapping):
        for name, part in value.items():
            _refuse_inside(name, key, known)
            _check(part, f"{key}.{name}", known, used, levels - 1)
    elif isinstance(value, (list, tuple)):
        for number, part in enumerate(value):
            _check(part, f"{key}[{number}]", known, used, levels - 1)
    elif isinstance(value, str):
        _check_text(value, key, known, used)
    elif (value is not None and not isinstance(value, (bool, int, float))) or (
        isinstance(value, float) and not isfinite(value)
    ):
        raise ConfigurationError("targets.template_value", key=key, kind=type(value).__name__)


def _check_text(value: str, key: str, known: Sequence[str], used: set[str]) -> None:
    whole = _PLACEHOLDER.fullmatch(value)
    if whole is None:
        _refuse_inside(value, key, known)
    elif whole[1] in known:
        used.add(whole[1])
    else:
        meant = did_you_mean(whole[1], known)
        code = "targets.placeholder_meant" if meant else "targets.placeholder"
        shown = ", ".join(f"{{{name}}}" for name in known)
        raise ConfigurationError(code, key=key, name=value, meant=f"{{{meant}}}", known=shown)


def _refuse_inside(text: object, key: str, known: Sequence[str]) -> None:
    if not isinstance(text, str):
        raise ConfigurationError("targets.template_value", key=key, kind=type(text).__name__)
    for found in _PLACEHOLDER.finditer(text):
        if found[1] in known:
            raise ConfigurationError("targets.placeholder_inside", key=key, name=found[0])


def filled(template: Any, values: Mapping[str, object]) -> Any:  # noqa: ANN401  any JSON value
    """Return a request with each placeholder replaced by its value."""
    if isinstance(template, Mapping):
        return {name: filled(part, values) for name, part in template.items()}
    if isinstance(template, (list, tuple)):
        return [filled(part, values) for part in template]
    if isinstance(template, str) and (whole := _PLACEHOLDER.fullmatch(template)):
        return values[whole[1]]
    return template
