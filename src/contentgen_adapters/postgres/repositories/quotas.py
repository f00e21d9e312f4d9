"""Counters of what was used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Quota
from contentgen_core.ports.repositories.quotas import Quotas

# One statement decides and counts: of two that want the last one, the second waits for the first one's row, sees what
# it left, and finds no row to return.
_CONSUME: Final = (
    "INSERT INTO quota_usage AS q (tenant_id, quota, used_in, used)"
    " VALUES (%(tenant_id)s, %(quota)s, %(window)s, %(amount)s)"
    " ON CONFLICT (tenant_id, quota, used_in) DO UPDATE SET used = q.used + %(amount)s"
    " WHERE %(limit)s::bigint IS NULL OR q.used + %(amount)s::bigint <= %(limit)s RETURNING used"
)


@repository(Quotas)
class PostgresQuotas:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def consume(
        self, tenant_id: TenantId, quota: Quota, window: date, limit: int | None, amount: int = 1
    ) -> bool:
        if limit is not None and amount > limit:
            return False
        counted = await self._session.write(
            _CONSUME,
            {"tenant_id": tenant_id, "quota": quota.value, "window": window, "limit": limit, "amount": amount},
        )
        return bool(counted)

    async def refund(self, tenant_id: TenantId, quota: Quota, window: date, amount: int = 1) -> None:
        await self._session.change(
            "UPDATE quota_usage SET used = greatest(0, used - %s)"
            " WHERE tenant_id = %s AND quota = %s AND used_in = %s AND used > 0",
            (amount, findable(tenant_id), quota.value, window),
        )

    async def used(self, tenant_id: TenantId, quota: Quota, window: date) -> int:
        rows = await self._session.read(
            "SELECT used FROM quota_usage WHERE tenant_id = %s AND quota = %s AND used_in = %s",
            (findable(tenant_id), quota.value, window),
        )
        return rows[0][0] if rows else 0

    async def used_of(self, tenant_id: TenantId, windows: Mapping[Quota, date]) -> dict[Quota, int]:
        rows = await self._session.read(
            "SELECT quota, used_in, used FROM quota_usage WHERE tenant_id = %s AND quota = ANY(%s)"
            " AND used_in = ANY(%s)",
            (findable(tenant_id), [quota.value for quota in windows], list(set(windows.values()))),
        )
        counted = {(quota, window): used for quota, window, used in rows}
        return {quota: counted.get((quota.value, window), 0) for quota, window in windows.items()}
