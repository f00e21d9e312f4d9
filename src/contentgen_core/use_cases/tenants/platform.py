"""Tenants, as platform administrators see and change them in the console."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_core.errors import Conflict, InvalidInput
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Caller, PlanName, Tenant
from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.policies.text.names import MAX_NAME
from contentgen_core.policies.text.storable import NUL
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.tenants.administer import AdministerTenants
from contentgen_core.use_cases.tenants.queries import ReadTenant, TenantOverview
from contentgen_core.use_cases.use_case import use_case

MOST: Final = 100


@use_case
class PlatformTenants:
    """Every method raises NotPermitted for whoever is no platform administrator."""

    unit_of_work: UnitOfWork
    administer: AdministerTenants
    read: ReadTenant

    async def newest(self, caller: Caller, search: str, before: TenantId | None, limit: int) -> Sequence[Tenant]:
        """Newest first, from the one before `before`, MOST at most; those whose name has the text `search`, in letters
        of either case. Raises InvalidInput, NotPermitted."""
        require_platform_admin(caller)
        if len(search) > MAX_NAME or NUL in search:
            raise InvalidInput.of("search", f"at most {MAX_NAME} characters")
        async with self.unit_of_work() as tx:
            return await tx[Tenants].newest(search, before, min(limit, MOST))

    async def overview(self, caller: Caller, tenant_id: TenantId) -> TenantOverview:
        """Raises NotPermitted, NotFound."""
        require_platform_admin(caller)
        return await self.read.overview(tenant_id)

    async def set_plan(self, caller: Caller, tenant_id: TenantId, plan: PlanName) -> None:
        """Takes effect with the tenant's next request. Raises NotPermitted, NotFound."""
        require_platform_admin(caller)
        await self.administer.set_plan(tenant_id, plan)

    async def suspend(self, caller: Caller, tenant_id: TenantId) -> None:
        """As `AdministerTenants.suspend`. Raises NotPermitted, NotFound; Conflict for the caller's own tenant, which
        nobody could resume here any more."""
        require_platform_admin(caller)
        if tenant_id == caller.tenant_id:
            raise Conflict("You would suspend your own team, and could not undo it here.")
        await self.administer.suspend(tenant_id)

    async def resume(self, caller: Caller, tenant_id: TenantId) -> None:
        """Raises NotPermitted, NotFound."""
        require_platform_admin(caller)
        await self.administer.resume(tenant_id)
