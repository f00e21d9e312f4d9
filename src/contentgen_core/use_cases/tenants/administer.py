"""Tenants, as operators administer them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from attrs import frozen

from contentgen_core.errors import Conflict, ContentgenError
from contentgen_core.model.document import PrivateDocument
from contentgen_core.model.ids import TenantId, UserId
from contentgen_core.model.tenant import Caller, PlanName, Quota, Role, Tenant, User
from contentgen_core.policies.text.names import checked_name
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.free_articles.from_link import TENANT_FACT
from contentgen_core.use_cases.keys.manage import ManageKeys, NewKey
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.tenants.queries import QuotaState, ReadTenant

PAGE: Final = 1_000
DOCUMENTS: Final = 100  # whose originals are deleted at a time
ERASED_AT_ONCE: Final = 500  # rows of a kind in one transaction


@frozen
class NewTenant:
    tenant: Tenant
    owner: User
    key: NewKey

    @property
    def caller(self) -> Caller:
        return caller_of(self.tenant, self.owner)


@frozen
class TenantOverview:
    """A tenant with its people and what it uses. `owners`: none for the tenant of the free articles."""

    tenant: Tenant
    owners: tuple[User, ...]
    members: int
    quotas: dict[Quota, QuotaState]


@frozen
class AdministerTenants:
    unit_of_work: UnitOfWork
    keys: ManageKeys
    queries: ReadTenant
    objects: ObjectStore
    apply_changes: ApplyIndexChanges
    clock: Clock
    ids: Ids

    async def create(self, name: str, plan: PlanName, *, platform_admin: bool = False) -> NewTenant:
        """Create a tenant with its owner and a first key, all or nothing. Raises InvalidInput."""
        name = checked_name(name)
        now = self.clock.now()
        tenant = Tenant(TenantId(self.ids.new()), name, plan, now)
        owner = User(UserId(self.ids.new()), tenant.id, name, Role.OWNER, now, platform_admin=platform_admin)
        async with self.unit_of_work() as tx:
            await tx.tenants.add(tenant)
            await tx.users.add(owner)
            key = await self.keys.create_in(tx, tenant.id, owner.id, "First key")
        return NewTenant(tenant, owner, key)

    async def set_plan(self, tenant_id: TenantId, plan: PlanName) -> None:
        """Takes effect with the next request. Raises NotFound."""
        async with self.unit_of_work() as tx:
            await tx.tenants.set_plan(tenant_id, plan)

    async def every(self) -> list[Tenant]:
        """All tenants, in the order in which they were made."""
        found: list[Tenant] = []
        while True:
            async with self.unit_of_work() as tx:
                page = await tx.tenants.after(found[-1].id if found else None, PAGE)
            found += page
            if len(page) < PAGE:
                return found

    async def show(self, tenant_id: TenantId) -> TenantOverview:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            tenant = await tx.tenants.get(tenant_id)
            users = [member.user for member in await tx.users.members(tenant_id)]
        owners = tuple(user for user in users if user.role is Role.OWNER)
        asking = Caller(tenant.id, UserId(""), tenant.plan, Role.OWNER)
        return TenantOverview(tenant, owners, len(users), await self.queries.quotas(asking))

    async def suspend(self, tenant_id: TenantId) -> None:
        """Refuse its keys from the next request on, and start none of its schedules; what is under way ends. One that
        is suspended stays it since then. Raises NotFound."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            await tx.tenants.lock(tenant_id)
            if (await tx.tenants.get(tenant_id)).suspended_at is None:
                await tx.tenants.set_suspended(tenant_id, now)

    async def resume(self, tenant_id: TenantId) -> None:
        """End a suspension. Idempotent. Raises NotFound."""
        async with self.unit_of_work() as tx:
            await tx.tenants.set_suspended(tenant_id, None)

    async def delete(self, tenant_id: TenantId) -> None:
        """Delete a tenant with everything it has: it is suspended first, and can be deleted again after a failure. What
        it published elsewhere stays there. Raises NotFound, Conflict for the tenant of the free articles, Unavailable.
        """
        async with self.unit_of_work() as tx:
            if await tx.installation.find(TENANT_FACT) == tenant_id:
                raise Conflict("This tenant has the free articles of everybody, and stays.")
        await self.suspend(tenant_id)
        # The originals first: a crash after this leaves documents without one, and never an original without a record.
        page = 1
        while documents := await self._documents(tenant_id, page):
            for document in documents:
                await self.objects.delete(document.object_key)
            page += 1
        gone = False
        while not gone:
            async with self.unit_of_work() as tx:
                gone = await tx.tenants.erase(tenant_id, ERASED_AT_ONCE)
        with suppress(ContentgenError):  # the outbox has the removals, and no reader sees the passages
            await self.apply_changes.drain(f"deletion of {tenant_id}")

    async def _documents(self, tenant_id: TenantId, page: int) -> Sequence[PrivateDocument]:
        async with self.unit_of_work() as tx:
            return (await tx.documents.page(tenant_id, None, page, DOCUMENTS)).documents

    async def owner_of(self, tenant_id: TenantId) -> Caller:
        """The owner as a caller, for the command line. Raises NotFound."""
        async with self.unit_of_work() as tx:
            return caller_of(await tx.tenants.get(tenant_id), await tx.users.owner(tenant_id))


def caller_of(tenant: Tenant, user: User) -> Caller:
    """The caller that a key of this user would give."""
    return Caller(tenant.id, user.id, tenant.plan, user.role, user.platform_admin)
