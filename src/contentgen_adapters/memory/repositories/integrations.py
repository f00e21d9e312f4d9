"""Integrations."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.ids import IntegrationId, TenantId
from contentgen_core.model.integration import Integration
from contentgen_core.ports.repositories.integrations import Integrations

_AT_MOST = 1_000


@repository(Integrations)
class MemoryIntegrations:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session.integrations, "integration")

    async def add(self, integration: Integration) -> None:
        await self._session.writing()
        existing(self._session.tenants, integration.tenant_id, "tenant")
        self._session.integrations.put(integration.id, integration)

    async def get(self, tenant_id: TenantId, integration_id: IntegrationId) -> Integration:
        return await self._records.get(tenant_id, integration_id)

    async def list(self, tenant_id: TenantId, *, enabled: bool | None = None) -> list[Integration]:
        wanted = (i for i in self._records.of(tenant_id) if enabled in (None, i.enabled))
        return sorted(wanted, key=lambda i: (i.created_at, i.id))[:_AT_MOST]

    async def save(self, integration: Integration) -> Integration:
        return await self._records.save(integration)

    async def delete(self, tenant_id: TenantId, integration_id: IntegrationId) -> None:
        await self._session.writing()
        self._session.integrations.drop((await self.get(tenant_id, integration_id)).id)

    async def count(self, tenant_id: TenantId) -> int:
        return len(self._records.of(tenant_id))

    async def after(self, integration_id: IntegrationId | None, limit: int) -> Sequence[Integration]:
        later = (i for i in self._session.integrations.rows() if integration_id is None or i.id > integration_id)
        return sorted(later, key=lambda i: i.id)[:limit]
