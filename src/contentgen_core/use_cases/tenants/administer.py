"""Tenants, as operators administer them."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contentgen_core.model.ids import TenantId, UserId
from contentgen_core.model.tenant import Caller, PlanName, Role, Tenant, User
from contentgen_core.policies.text.names import checked_name
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.keys.manage_keys import ManageKeys, NewKey
from contentgen_core.use_cases.synced_sources.cancel import cancel_syncs
from contentgen_core.use_cases.use_case import use_case

PAGE: Final = 1_000


@frozen
class NewTenant:
    tenant: Tenant
    owner: User
    key: NewKey

    @property
    def caller(self) -> Caller:
        return caller_of(self.tenant, self.owner)


@use_case
class AdministerTenants:
    unit_of_work: UnitOfWork
    keys: ManageKeys
    clock: Clock
    ids: Ids

    async def create(self, name: str, plan: PlanName, *, platform_admin: bool = False) -> NewTenant:
        """Create a tenant with its owner and a first key, all or nothing. Raises InvalidInput."""
        name = checked_name(name)
        now = self.clock.now()
        tenant = Tenant(TenantId(self.ids.new()), name, plan, now)
        owner = User(UserId(self.ids.new()), tenant.id, name, Role.OWNER, now, platform_admin=platform_admin)
        async with self.unit_of_work() as tx:
            await tx[Tenants].add(tenant)
            await tx[Users].add(owner)
            key = await self.keys.create_in(tx, tenant.id, owner.id, "First key")
        return NewTenant(tenant, owner, key)

    async def set_plan(self, tenant_id: TenantId, plan: PlanName) -> None:
        """Takes effect with the next request. Raises NotFound."""
        async with self.unit_of_work() as tx:
            await tx[Tenants].set_plan(tenant_id, plan)

    async def every(self) -> list[Tenant]:
        """Return all tenants in the order of their creation."""
        found: list[Tenant] = []
        while True:
            async with self.unit_of_work() as tx:
                page = await tx[Tenants].after(found[-1].id if found else None, PAGE)
            found += page
            if len(page) < PAGE:
                return found

    async def suspend(self, tenant_id: TenantId) -> None:
        """Refuse its keys from the next request on, and start none of its schedules. Syncs of its sources are cancelled
        and go on after a resumption; all else that is under way ends. One that is suspended stays it since then. Raises
        NotFound, ConcurrentChange."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(tenant_id)
            if (await tx[Tenants].get(tenant_id)).suspended_at is None:
                await tx[Tenants].set_suspended(tenant_id, now)
            await cancel_syncs(tx, tenant_id, now)

    async def resume(self, tenant_id: TenantId) -> None:
        """End a suspension. Idempotent. Raises NotFound."""
        async with self.unit_of_work() as tx:
            await tx[Tenants].set_suspended(tenant_id, None)

    async def owner_of(self, tenant_id: TenantId) -> Caller:
        """The owner as a caller, for the command line. Raises NotFound."""
        async with self.unit_of_work() as tx:
            return caller_of(await tx[Tenants].get(tenant_id), await tx[Users].owner(tenant_id))


def caller_of(tenant: Tenant, user: User) -> Caller:
    """The caller that a key of this user would give."""
    return Caller(tenant.id, user.id, tenant.plan, user.role, user.platform_admin)
