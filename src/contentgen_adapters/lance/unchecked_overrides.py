"""LanceDB without its checks of overrides: before Python 3.12 its decorators compare each method's signature with that
of its base, which they find in the caller's bytecode. That is a fifth of what importing LanceDB takes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Final, TypeVar

T = TypeVar("T")

_OVERRIDES: Final = "overrides"


class EnforceOverrides:
    """A base class that asks nothing of its children, as LanceDB has it from Python 3.12 on."""


def override(method: T) -> T:
    """Says of a method that it overrides another one, as `typing.override` does from Python 3.12 on."""
    return method


@contextmanager
def unchecked_overrides() -> Iterator[None]:
    """What is imported in the block finds the two above in the place of the package `overrides`, unless that was
    imported before."""
    absent = _OVERRIDES not in sys.modules
    if absent:
        sys.modules[_OVERRIDES] = stand_in = ModuleType(_OVERRIDES)
        vars(stand_in).update(EnforceOverrides=EnforceOverrides, override=override)
    try:
        yield
    finally:
        if absent:
            del sys.modules[_OVERRIDES]
