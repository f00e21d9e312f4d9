"""Counters of what was used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Quota
from contentgen_core.ports.repositories.quotas import Quotas

QuotaKey = tuple[TenantId, Quota, date]


QUOTAS: Final = TableOf[QuotaKey, int]("quotas")


@repository(Quotas)
class MemoryQuotas:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def consume(
        self, tenant_id: TenantId, quota: Quota, window: date, limit: int | None, amount: int = 1
    ) -> bool:
        await self._session.writing()
        used = await self.used(tenant_id, quota, window)
        if limit is not None and used + amount > limit:
            return False
        self._session[QUOTAS].put((tenant_id, quota, window), used + amount)
        return True

    async def refund(self, tenant_id: TenantId, quota: Quota, window: date, amount: int = 1) -> None:
        await self._session.writing()
        used = await self.used(tenant_id, quota, window)
        self._session[QUOTAS].put((tenant_id, quota, window), max(0, used - amount))

    async def used(self, tenant_id: TenantId, quota: Quota, window: date) -> int:
        return self._session[QUOTAS].get((tenant_id, quota, window)) or 0

    async def used_of(self, tenant_id: TenantId, windows: Mapping[Quota, date]) -> dict[Quota, int]:
        return {quota: await self.used(tenant_id, quota, window) for quota, window in windows.items()}
