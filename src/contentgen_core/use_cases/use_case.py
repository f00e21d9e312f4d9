"""Base of the use cases' classes."""

from __future__ import annotations

from typing import TypeVar, dataclass_transform

from attrs import field, frozen

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def use_case(cls: type[T]) -> type[T]:
    """Make a frozen attrs class that is compared by identity and shown without its parts: nobody compares or prints a
    use case, and generating these methods takes half of the time of making the class, for two hundred of them at each
    start."""
    return frozen(cls, eq=False, repr=False)
