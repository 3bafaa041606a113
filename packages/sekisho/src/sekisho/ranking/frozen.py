"""Frozen records without ``dataclasses``, ``typing`` or ``msgspec``, whose import costs more than a small run."""

from __future__ import annotations


class Frozen:
    """A record: fields are the slots of the subclass, given by keyword once and never changed.

    Equal records have the same class and equal fields.
    """

    __slots__: tuple[str, ...] = ()

    def __init__(self, **fields: object) -> None:
        for name in self.__slots__:
            object.__setattr__(self, name, fields.pop(name))
        if fields:
            message = f"{type(self).__name__} has no field {min(fields)!r}"
            raise TypeError(message)

    def __setattr__(self, name: str, value: object) -> None:
        message = f"{type(self).__name__} is frozen: {name!r} cannot be set"
        raise AttributeError(message)

    def __delattr__(self, name: str) -> None:
        message = f"{type(self).__name__} is frozen: {name!r} cannot be deleted"
        raise AttributeError(message)

    def _fields(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *self._fields().values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._fields().items())})"

    def __reduce__(self) -> tuple[object, ...]:
        return _remake, (type(self), self._fields())


def _remake(kind: type[Frozen], fields: dict[str, object]) -> Frozen:
    return kind(**fields)
