"""Integrations."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, Records
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.model.ids import IntegrationId, TenantId
from contentgen_core.model.integration import Integration
from contentgen_core.ports.repositories.integrations import Integrations

_AT_MOST: Final = 1_000


@repository(Integrations)
class PostgresIntegrations:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, "integrations", Integration, "integration")

    async def add(self, integration: Integration) -> None:
        columns = {"enabled": integration.enabled, "created_at": integration.created_at}
        await self._records.add(integration, columns)

    async def get(self, tenant_id: TenantId, integration_id: IntegrationId) -> Integration:
        return await self._records.get(tenant_id, integration_id)

    async def list(self, tenant_id: TenantId, *, enabled: bool | None = None) -> list[Integration]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM integrations WHERE tenant_id = %s AND enabled = coalesce(%s, enabled)"
            " ORDER BY created_at, id LIMIT %s",
            (findable(tenant_id), enabled, _AT_MOST),
        )
        return [self._records.read(row) for row in rows]

    async def save(self, integration: Integration) -> Integration:
        return await self._records.save(integration, {"enabled": integration.enabled})

    async def delete(self, tenant_id: TenantId, integration_id: IntegrationId) -> None:
        deleted = await self._session.change(
            "DELETE FROM integrations WHERE id = %s AND tenant_id = %s",
            (findable(integration_id), findable(tenant_id)),
        )
        require(deleted, "integration", integration_id)

    async def count(self, tenant_id: TenantId) -> int:
        rows = await self._session.read(
            "SELECT count(*) FROM integrations WHERE tenant_id = %s", (findable(tenant_id),)
        )
        count: int = rows[0][0]
        return count

    async def after(self, integration_id: IntegrationId | None, limit: int) -> Sequence[Integration]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM integrations WHERE id > %s ORDER BY id LIMIT %s",
            (findable(integration_id or ""), limit),
        )
        return [self._records.read(row) for row in rows]
