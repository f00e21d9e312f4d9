"""PATCH /tenant/settings."""

from __future__ import annotations

from attrs import evolve, frozen

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.tenant import Caller, Role, Tenant
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.text.names import name_fault
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import TimeZones
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case


@frozen
class TenantChanges:
    name: str | UnsetType = UNSET
    time_zone: str | UnsetType | None = UNSET


@use_case
class EditTenant:
    unit_of_work: UnitOfWork
    time_zones: TimeZones

    async def __call__(self, caller: Caller, changes: TenantChanges) -> Tenant:
        """Change name and time zone. The zone becomes that of article schedules without one when they are enabled; None
        clears it. Raises InvalidInput, NotPermitted."""
        name = changes.name.strip() if isinstance(changes.name, str) else None
        zone = changes.time_zone if isinstance(changes.time_zone, str) else None
        faults = []
        if name is not None and (fault := name_fault(name)) is not None:
            faults.append(FieldError("name", fault))
        if zone is not None and zone not in self.time_zones.names:
            faults.append(FieldError("timeZone", "is no time zone of IANA's list, such as Europe/Paris"))
        if faults:
            raise InvalidInput(*faults)
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)
            tenant = await tx[Tenants].get(caller.tenant_id)
            changed = evolve(
                tenant,
                name=tenant.name if name is None else name,
                time_zone=tenant.time_zone if changes.time_zone is UNSET else zone,
            )
            if changed != tenant:
                await tx[Tenants].save_settings(changed)
        return changed
