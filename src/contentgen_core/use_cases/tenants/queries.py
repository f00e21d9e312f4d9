"""GET /tenant and /tenant/quotas."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from contentgen_core.model.ids import TenantId, UserId
from contentgen_core.model.tenant import Caller, Quota, Role, Tenant, User
from contentgen_core.policies.tenancy.quotas import limit_of, resets_at, window_of
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.team import Invitations
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case


@frozen
class QuotaState:
    """`limit`: None is unlimited; `resets_at`: None for a standing quota."""

    limit: int | None
    used: int
    resets_at: datetime | None


@frozen
class TenantOverview:
    """A tenant with its people and what it uses. `owners`: none for the tenant of the free articles."""

    tenant: Tenant
    owners: tuple[User, ...]
    members: int
    quotas: dict[Quota, QuotaState]


@use_case
class ReadTenant:
    unit_of_work: UnitOfWork
    clock: Clock

    async def tenant(self, caller: Caller) -> Tenant:
        async with self.unit_of_work() as tx:
            return await tx[Tenants].get(caller.tenant_id)

    async def quotas(self, caller: Caller) -> dict[Quota, QuotaState]:
        """Every quota of the caller's plan with its present use."""
        now = self.clock.now()
        windows = {quota: window for quota in Quota if (window := window_of(quota, now)) is not None}
        async with self.unit_of_work() as tx:
            used = await tx[Quotas].used_of(caller.tenant_id, windows) | await _standing_usage(tx, caller, now)
        return {quota: QuotaState(limit_of(caller.plan, quota), used[quota], resets_at(quota, now)) for quota in Quota}

    async def overview(self, tenant_id: TenantId) -> TenantOverview:
        """A tenant as operators see it. Raises NotFound."""
        async with self.unit_of_work() as tx:
            tenant = await tx[Tenants].get(tenant_id)
            users = [member.user for member in await tx[Users].members(tenant_id)]
        owners = tuple(user for user in users if user.role is Role.OWNER)
        asking = Caller(tenant.id, UserId(""), tenant.plan, Role.OWNER)
        return TenantOverview(tenant, owners, len(users), await self.quotas(asking))


async def _standing_usage(tx: Transaction, caller: Caller, now: datetime) -> dict[Quota, int]:
    """Return the use of standing quotas, which count what exists. Open invitations count as team members."""
    invited = sum(one.open(now) for one in await tx[Invitations].list(caller.tenant_id))
    return {
        Quota.AGENTS: await tx[Agents].count_own(caller.tenant_id),
        Quota.TEAM_MEMBERS: await tx[Users].count(caller.tenant_id) + invited,
        Quota.DOCUMENTS: await tx[Documents].count(caller.tenant_id),
        Quota.INTEGRATIONS: await tx[Integrations].count(caller.tenant_id),
    }
