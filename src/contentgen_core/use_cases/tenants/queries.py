"""GET /tenant and /tenant/quotas."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from contentgen_core.model.tenant import Caller, Tenant
from contentgen_core.policies.plans import Quota
from contentgen_core.policies.quotas import limit_of, resets_at, window_of
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork


@frozen
class QuotaState:
    """`limit`: None is unlimited; `resets_at`: None for what does not reset."""

    limit: int | None
    used: int
    resets_at: datetime | None


@frozen
class ReadTenant:
    unit_of_work: UnitOfWork
    clock: Clock

    async def tenant(self, caller: Caller) -> Tenant:
        async with self.unit_of_work() as tx:
            return await tx.tenants.get(caller.tenant_id)

    async def quotas(self, caller: Caller) -> dict[Quota, QuotaState]:
        """Every quota of the caller's plan with its present use."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            return {
                quota: QuotaState(
                    limit_of(caller.plan, quota), await _used(tx, caller, quota, now), resets_at(quota, now)
                )
                for quota in Quota
            }


async def _used(tx: Transaction, caller: Caller, quota: Quota, now: datetime) -> int:
    window = window_of(quota, now)
    if window is not None:
        return await tx.quotas.used(caller.tenant_id, quota, window)
    match quota:
        case Quota.AGENTS:
            return await tx.agents.count_own(caller.tenant_id)
        case Quota.TEAM_MEMBERS:
            return await tx.users.count(caller.tenant_id)
        case Quota.DOCUMENTS:
            return await tx.documents.count(caller.tenant_id)
        case _:
            return await tx.integrations.count(caller.tenant_id)
