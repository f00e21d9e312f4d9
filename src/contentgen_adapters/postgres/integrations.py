"""Integrations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import IntegrationId, TenantId
from contentgen_core.model.integration import Integration

_AT_MOST: Final = 1_000


class PostgresIntegrations:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, integration: Integration) -> None:
        await self._session.change(
            "INSERT INTO integrations (id, tenant_id, enabled, created_at, record, revision)"
            " VALUES (%s, %s, %s, %s, %s, %s)",
            (
                integration.id,
                integration.tenant_id,
                integration.enabled,
                integration.created_at,
                dumps(integration, Integration),
                integration.revision,
            ),
        )

    async def get(self, tenant_id: TenantId, integration_id: IntegrationId) -> Integration:
        rows = await self._session.read(
            "SELECT record::text, revision FROM integrations WHERE id = %s AND tenant_id = %s",
            (findable(integration_id), findable(tenant_id)),
        )
        if not rows:
            raise NotFound("integration", integration_id)
        return _integration(rows[0])

    async def list(self, tenant_id: TenantId, *, enabled: bool | None = None) -> list[Integration]:
        rows = await self._session.read(
            "SELECT record::text, revision FROM integrations WHERE tenant_id = %s AND enabled = coalesce(%s, enabled)"
            " ORDER BY created_at, id LIMIT %s",
            (findable(tenant_id), enabled, _AT_MOST),
        )
        return [_integration(row) for row in rows]

    async def save(self, integration: Integration) -> Integration:
        changed = await self._session.change(
            "UPDATE integrations SET enabled = %s, record = %s, revision = revision + 1"
            " WHERE id = %s AND tenant_id = %s AND revision = %s",
            (
                integration.enabled,
                dumps(integration, Integration),
                findable(integration.id),
                findable(integration.tenant_id),
                integration.revision,
            ),
        )
        if not changed:
            await self.get(integration.tenant_id, integration.id)
            raise ConcurrentChange("The integration was changed meanwhile. Read it again.")
        return evolve(integration, revision=integration.revision + 1)

    async def delete(self, tenant_id: TenantId, integration_id: IntegrationId) -> None:
        deleted = await self._session.change(
            "DELETE FROM integrations WHERE id = %s AND tenant_id = %s",
            (findable(integration_id), findable(tenant_id)),
        )
        if not deleted:
            raise NotFound("integration", integration_id)

    async def count(self, tenant_id: TenantId) -> int:
        rows = await self._session.read(
            "SELECT count(*) FROM integrations WHERE tenant_id = %s", (findable(tenant_id),)
        )
        count: int = rows[0][0]
        return count

    async def after(self, integration_id: IntegrationId | None, limit: int) -> Sequence[Integration]:
        rows = await self._session.read(
            "SELECT record::text, revision FROM integrations WHERE id > %s ORDER BY id LIMIT %s",
            (findable(integration_id or ""), limit),
        )
        return [_integration(row) for row in rows]


def _integration(row: Row) -> Integration:
    record, revision = row
    integration: Integration = loads(record, Integration)
    return evolve(integration, revision=revision)
