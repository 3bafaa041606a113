"""Looking at a target, which may run code of its own, and telling how its functions are called."""

from __future__ import annotations

from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from sekisho.calling.exceptions import described
from sekisho.core.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable


def method_of(target: object, name: str) -> Any:  # noqa: ANN401  whatever it holds there
    """Return what a target holds under a name, None where it has nothing there.

    Raises:
        TargetError: Looking at it raises.
    """
    return guarded(lambda: getattr(target, name, None))


def is_async(function: Callable[..., Any]) -> bool:
    """Tell whether calling a function makes a coroutine."""
    return bool(guarded(lambda: iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)))


def guarded(look: Callable[[], Any]) -> Any:  # noqa: ANN401  whatever is looked at
    """Return what a look at a target gives.

    Raises:
        TargetError: With what that raised.
    """
    try:
        return look()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise TargetError("calling.not_usable", reason=described(error)) from error
