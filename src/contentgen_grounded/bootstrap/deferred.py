"""Adapters that are made when they are first asked for something, and whose modules are imported then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


def deferred(make: Callable[[], T]) -> T:
    """Return a proxy that calls `make` at its first use. It is of a class of its own: `unwrap` gives the adapter where
    its class matters. `make` imports what it needs itself; it is called twice when two threads use the proxy first at
    the same moment.
    """
    return cast("T", _Deferred(make))


def unwrap(adapter: object) -> object:
    """The adapter itself, whether it was deferred or not."""
    return adapter.made if isinstance(adapter, _Deferred) else adapter


class _Deferred(Generic[T]):
    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        if name == "made":
            self.made = self._make()
            return self.made
        return getattr(self.made, name)
