"""What is stored whole and changed one revision after the other, whichever store keeps it."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, cast

import attrs

from contentgen_core.model.ids import TenantId


class Revised(attrs.AttrsInstance, Protocol):
    """A value that counts its stored changes."""

    @property
    def revision(self) -> int: ...


class Record(Revised, Protocol):
    """Such a value with an id, owned by a tenant."""

    @property
    def id(self) -> str: ...
    @property
    def tenant_id(self) -> TenantId: ...


R = TypeVar("R", bound=Revised)


def at_revision(value: R, revision: int) -> R:
    """The same value at another revision."""
    moved: R = attrs.evolve(cast(Any, value), revision=revision)  # mypy knows no class behind a TypeVar
    return moved


def next_revision(value: R) -> R:
    """The same value as it is after the next stored change."""
    return at_revision(value, value.revision + 1)
