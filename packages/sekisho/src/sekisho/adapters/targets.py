"""Targets in Python: ``module:factory``, imported, called with what its signature names, and closed again."""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from sekisho.calling.event_loop import BoundTarget, LoopThread
from sekisho.calling.exceptions import described, own_sentence
from sekisho.core.errors import TargetError
from sekisho.core.text import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

Value = TypeVar("Value")
Factory = Callable[..., Any]
_SILENT_FOLDERS = (
    __file__.rpartition("adapters")[0],
    importlib.__file__.rpartition("__init__")[0],
    "<frozen importlib",
)
"""Frames of this package and of the import system say nothing about a mistake in a target."""
_MEASURING = ("sekisho", "numpy")
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def load_factory(reference: str, *, root: Path) -> Factory:
    """Return the factory that ``module:factory`` names, with ``root`` first on the import path.

    Raises:
        TargetError: The reference is not of that form, the module cannot be imported (its own error and traceback
            are in the message), or it has no such name, or that is not callable.
    """
    module_name, colon, name = reference.partition(":")
    if not colon or not module_name or not name:
        raise TargetError("app.target_form", target=reference)
    if sys.path[:1] != [str(root)]:
        sys.path.insert(0, str(root))
    before = own_modules()
    try:
        value: Any = importlib.import_module(module_name)
        for part in name.split("."):
            value = _attribute(value, part, reference)
    except BaseException as error:
        if _passes(error):
            raise
        if isinstance(error, ModuleNotFoundError) and _is_part_of(error.name, module_name):
            raise TargetError("app.target_no_module", target=reference, module=error.name, root=str(root)) from error
        raise TargetError(
            "app.target_import", target=reference, reason=described(error), trace=_own_frames(error)
        ) from error
    finally:
        replaced = restore_modules(before)
    if replaced:
        raise TargetError("app.target_replaces", target=reference, module=replaced[0])
    if not callable(value):
        raise TargetError("app.target_not_callable", target=reference, kind=type(value).__name__)
    return value  # type: ignore[no-any-return]  # callable() cannot tell the signature


def own_modules() -> dict[str, ModuleType]:
    """Return the modules of this package and of numpy, with which everything is measured."""
    return {name: module for name, module in sys.modules.copy().items() if name.partition(".")[0] in _MEASURING}


def restore_modules(before: Mapping[str, ModuleType]) -> list[str]:
    """Put back the modules that a target has replaced or removed, and return their names."""
    replaced = [name for name, module in before.items() if sys.modules.get(name) is not module]
    sys.modules.update({name: before[name] for name in replaced})
    return replaced


def _passes(error: BaseException) -> bool:
    """Tell whether an error may go on as it is: an interruption, or one of this package that has a sentence."""
    return isinstance(error, KeyboardInterrupt) or own_sentence(error) is not None


def _is_part_of(missing: str | None, module_name: str) -> bool:
    """Tell whether the missing module is the target's own or a package that holds it, and not one that it imports."""
    return missing is not None and f"{module_name}.".startswith(f"{missing}.")


def _attribute(value: object, name: str, reference: str) -> object:
    if hasattr(value, name):
        return getattr(value, name)
    meant = did_you_mean(name, [public for public in dir(value) if not public.startswith("_")])
    code = "app.target_name_meant" if meant else "app.target_name"
    raise TargetError(code, target=reference, name=name, meant=meant)


def bind_factory(
    factory: Factory, *, reference: str, offered: Mapping[str, object], options: Mapping[str, Any]
) -> Callable[[], Any]:
    """Return a call of the factory with its options and with those of ``offered`` that its signature names.

    Raises:
        TargetError: An option that it does not take, or a parameter that nothing gives.
    """
    parameters = _guarded(lambda: _parameters(factory), reference)
    by_name = [name for name, parameter in parameters.items() if parameter.kind in _BY_NAME]
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    for name in options:
        if name not in by_name and not takes_any:
            meant = did_you_mean(name, by_name)
            code = "app.target_option_meant" if meant else "app.target_option"
            raise TargetError(code, target=reference, option=name, meant=meant, known=", ".join(by_name) or "-")
    arguments = {name: value for name, value in offered.items() if name in by_name} | dict(options)
    missing = [name for name, parameter in parameters.items() if _is_needed(parameter) and name not in arguments]
    if missing:
        raise TargetError(
            "app.target_parameter", target=reference, names=", ".join(missing), offered=", ".join(offered)
        )
    return lambda: _guarded(lambda: factory(**arguments), reference)


def _parameters(factory: Factory) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a factory; of one that does not tell them, such as a builtin: any, by name."""
    try:
        if sys.version_info >= (3, 14):  # annotations that exist for type checkers only cannot be evaluated
            from annotationlib import Format  # noqa: PLC0415  new in 3.14

            return inspect.signature(factory, annotation_format=Format.FORWARDREF).parameters
        return inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return {"options": inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)}


def _is_needed(parameter: inspect.Parameter) -> bool:
    variable = {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}
    return parameter.default is parameter.empty and parameter.kind not in variable


@contextmanager
def open_target(made: object, *, reference: str) -> Iterator[object]:
    """Give what a factory returned: the target itself, or what a sync or async context manager or awaitable yields.

    An async one is opened, used and closed in one event loop, since connections belong to the loop that opened them;
    it is given together with that loop. A loop that the target blocks for good is left behind without closing.

    Raises:
        TargetError: The target could not be made, opened or closed. What is raised while it is open goes through as
            it is, also where closing then fails.
    """
    with LoopThread(replace=False) as loop:
        made, opening, in_loop = _guarded(lambda: _opening(made, loop), reference)
        if opening is None:
            yield BoundTarget(made, loop) if in_loop else made
            return
        target = _guarded(partial(_enter, opening), reference)
        try:
            yield BoundTarget(target, loop) if in_loop else target
        except BaseException as error:
            with suppress(TargetError):  # the first error is the one to mend
                _guarded(partial(_close, opening, error), reference)
            raise
        _guarded(partial(_close, opening, None), reference)


def with_target(
    made: object,
    *,
    reference: str,
    use: Callable[[object], Value],
) -> Value:
    """Return what ``use`` gives for an opened target; see :func:`open_target`.

    Raises:
        TargetError: The target could not be made, opened or closed. What ``use`` raises goes through as it is, also
            where closing then fails.
    """
    with open_target(made, reference=reference) as target:
        return use(target)


def _opening(made: object, loop: LoopThread) -> tuple[object, AbstractContextManager[Any] | None, bool]:
    """Return what was made, awaited where it has to be; how it opens; and whether it lives in the loop."""
    in_loop = False
    if inspect.isawaitable(made):
        made, in_loop = loop.run(made), True
    if isinstance(made, AbstractAsyncContextManager):
        from sekisho.adapters.opening import OpenedInLoop  # noqa: PLC0415  imports asyncio, which few targets need

        return made, OpenedInLoop(made, loop), True
    return made, made if isinstance(made, AbstractContextManager) else None, in_loop


def _enter(opening: AbstractContextManager[Any]) -> object:
    return opening.__enter__()


def _close(opening: AbstractContextManager[Any], error: BaseException | None) -> None:
    opening.__exit__(type(error) if error else None, error, error.__traceback__ if error else None)


def _guarded(action: Callable[[], Value], reference: str) -> Value:
    try:
        return action()
    except BaseException as error:
        if _passes(error):
            raise
        raise TargetError(
            "app.target_factory", target=reference, reason=described(error), trace=_own_frames(error)
        ) from error


def _own_frames(error: BaseException) -> str:
    """Return where in the user's files it happened: file, line and name of the last frames."""
    frames = [
        f"{frame.filename}:{frame.lineno} ({frame.name})"
        for frame in traceback.extract_tb(vars(BaseException)["__traceback__"].__get__(error))
        if not frame.filename.startswith(_SILENT_FOLDERS)
    ]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append(f"{error.filename}:{error.lineno}")
    return " > ".join(frames[-4:]) or "-"
