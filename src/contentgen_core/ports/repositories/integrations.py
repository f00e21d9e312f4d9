"""Integrations of tenants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.ids import IntegrationId, TenantId
from contentgen_core.model.integration import Integration


class Integrations(Protocol):
    """A tenant sees its own integrations only."""

    async def add(self, integration: Integration) -> None:
        """Raises NotFound for an unknown tenant."""
        ...

    async def get(self, tenant_id: TenantId, integration_id: IntegrationId) -> Integration:
        """Raises NotFound."""
        ...

    async def list(self, tenant_id: TenantId, *, enabled: bool | None = None) -> list[Integration]:
        """In the order of their creation, at most 1,000."""
        ...

    async def save(self, integration: Integration) -> Integration:
        """Store a changed integration that was read at `integration.revision`; returns it with the next revision.
        Raises ConcurrentChange, NotFound."""
        ...

    async def delete(self, tenant_id: TenantId, integration_id: IntegrationId) -> None:
        """Raises NotFound."""
        ...

    async def count(self, tenant_id: TenantId) -> int: ...

    async def after(self, integration_id: IntegrationId | None, limit: int) -> Sequence[Integration]:
        """Integrations of all tenants by id, from the one after `integration_id` (None: from the first), for encrypting
        them under a new key."""
        ...
