"""GET /account and PATCH /account/profile."""

from __future__ import annotations

from attrs import evolve, frozen

from contentgen_core.model.tenant import Caller, Tenant, User
from contentgen_core.policies.tenancy.access import Permission, permissions_of
from contentgen_core.policies.text.names import checked_name
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.locked_team import current_user
from contentgen_core.use_cases.use_case import use_case


@frozen
class Account:
    user: User
    tenant: Tenant
    permissions: tuple[Permission, ...]


@use_case
class ManageAccount:
    """The caller's own account. All methods raise Unauthenticated when the caller's user was removed meanwhile."""

    unit_of_work: UnitOfWork

    async def read(self, caller: Caller) -> Account:
        async with self.unit_of_work() as tx:
            user = await current_user(tx, caller)
            return Account(user, await tx[Tenants].get(caller.tenant_id), permissions_of(user))

    async def rename(self, caller: Caller, name: str | None) -> User:
        """Rename the caller's user; every role may. None changes nothing. Raises InvalidInput."""
        if name is None:
            return (await self.read(caller)).user
        name = checked_name(name)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # saving writes the role too, which others may be changing
            user = evolve(await current_user(tx, caller), name=name)
            await tx[Users].save(user)
        return user
