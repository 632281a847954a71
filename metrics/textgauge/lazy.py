"""Attributes that are computed on first access."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_Value = TypeVar("_Value")


class lazy(Generic[_Value]):  # noqa: N801
    """A method whose result becomes an attribute of its instance.

    Like `functools.cached_property` from Python 3.12 on. Earlier ones hold a lock per class:
    threads wait for each other, and a process forked while a thread holds the lock hangs.

    Examples
    --------
    >>> class Text:
    ...     @lazy
    ...     def words(self):
    ...         return "counted once".split()
    >>> text = Text()
    >>> text.words is text.words
    True
    """

    def __init__(self, method: Callable[[Any], _Value]) -> None:
        """Replace a method, under its name."""
        self._method = method
        self._name = method.__name__
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> lazy[_Value]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any]) -> _Value: ...
    def __get__(self, instance: Any, owner: type[Any]) -> lazy[_Value] | _Value:
        """Compute the value and store it in the instance, where later accesses find it."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._method(instance)
        return value
