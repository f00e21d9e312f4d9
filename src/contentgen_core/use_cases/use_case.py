"""Base of the use cases' classes."""

from __future__ import annotations

from typing import TypeVar, dataclass_transform

from attrs import field, frozen

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def use_case(cls: type[T]) -> type[T]:
    """A frozen class of attrs that is compared by identity and shown without its parts: nobody does either with a use
    case, and making these methods is half of what making the class takes, for two hundred of them at each start."""
    return frozen(cls, eq=False, repr=False)
