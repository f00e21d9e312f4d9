"""Integrations of tenants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_adapters.shared.aggregates import Aggregate, StoredWhole, stored
from contentgen_core.model.ids import IntegrationId, TenantId
from contentgen_core.model.integration import Integration
from contentgen_core.ports.repositories.integrations import Integrations

INTEGRATIONS: Final = Aggregate(
    Integration,
    table="integrations",
    resource="integration",
    columns=lambda integration: {"enabled": integration.enabled, "created_at": integration.created_at},
)
_AT_MOST: Final = 1_000


@stored(Integrations, INTEGRATIONS)
class StoredIntegrations(StoredWhole[Integration, IntegrationId]):
    async def list(self, tenant_id: TenantId, *, enabled: bool | None = None) -> list[Integration]:
        return await self.records.ordered(tenant_id, by=("created_at", "id"), limit=_AT_MOST, enabled=enabled)

    async def count(self, tenant_id: TenantId) -> int:
        return await self.records.count(tenant_id)

    async def after(self, integration_id: IntegrationId | None, limit: int) -> Sequence[Integration]:
        return await self.records.after(integration_id, limit)
