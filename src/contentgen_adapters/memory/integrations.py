"""Integrations."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import IntegrationId, TenantId
from contentgen_core.model.integration import Integration

_AT_MOST = 1_000


class MemoryIntegrations:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, integration: Integration) -> None:
        await self._session.writing()
        if self._session.tenants.get(integration.tenant_id) is None:
            raise NotFound("tenant", integration.tenant_id)
        self._session.integrations.put(integration.id, integration)

    async def get(self, tenant_id: TenantId, integration_id: IntegrationId) -> Integration:
        found = self._session.integrations.get(integration_id)
        if found is None or found.tenant_id != tenant_id:
            raise NotFound("integration", integration_id)
        return found

    async def list(self, tenant_id: TenantId, *, enabled: bool | None = None) -> list[Integration]:
        own = (i for i in self._session.integrations.rows() if i.tenant_id == tenant_id)
        wanted = (i for i in own if enabled in (None, i.enabled))
        return sorted(wanted, key=lambda i: (i.created_at, i.id))[:_AT_MOST]

    async def save(self, integration: Integration) -> Integration:
        await self._session.writing()
        stored = await self.get(integration.tenant_id, integration.id)
        if stored.revision != integration.revision:
            raise ConcurrentChange("The integration was changed meanwhile. Read it again.")
        saved = evolve(integration, revision=integration.revision + 1)
        self._session.integrations.put(saved.id, saved)
        return saved

    async def delete(self, tenant_id: TenantId, integration_id: IntegrationId) -> None:
        await self._session.writing()
        self._session.integrations.drop((await self.get(tenant_id, integration_id)).id)

    async def count(self, tenant_id: TenantId) -> int:
        return sum(i.tenant_id == tenant_id for i in self._session.integrations.rows())

    async def after(self, integration_id: IntegrationId | None, limit: int) -> Sequence[Integration]:
        later = (i for i in self._session.integrations.rows() if integration_id is None or i.id > integration_id)
        return sorted(later, key=lambda i: i.id)[:limit]
