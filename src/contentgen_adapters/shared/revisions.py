"""Values with revisions: stored as a whole, each change adds a revision, in every store."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, cast

import attrs

from contentgen_core.model.ids import TenantId


class Revised(attrs.AttrsInstance, Protocol):
    """A value that counts its stored changes."""

    @property
    def revision(self) -> int: ...


class Record(Revised, Protocol):
    """A value with revisions that has an id and belongs to a tenant."""

    @property
    def id(self) -> str: ...
    @property
    def tenant_id(self) -> TenantId: ...


R = TypeVar("R", bound=Revised)


def at_revision(value: R, revision: int) -> R:
    """Return the same value at another revision."""
    moved: R = attrs.evolve(cast(Any, value), revision=revision)  # mypy knows no class behind a TypeVar
    return moved


def next_revision(value: R) -> R:
    """Return the value as it is after the next stored change."""
    return at_revision(value, value.revision + 1)
