"""PATCH and DELETE of a custom niche."""

from __future__ import annotations

from attrs import evolve, frozen

from contentgen_core.errors import NotPermitted
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.niches.texts import check_texts
from contentgen_core.use_cases.use_case import use_case


@frozen
class NicheChanges:
    """UNSET fields are not changed; None clears."""

    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    icon: str | UnsetType | None = UNSET


@use_case
class EditNiches:
    unit_of_work: UnitOfWork

    async def edit(self, caller: Caller, niche_id: str, changes: NicheChanges) -> Niche:
        """Change name, description and icon; the key stays. Raises InvalidInput, NotPermitted (also for a preconfigured
        niche), NotFound."""
        name, description, icon = (
            None if value is UNSET else value for value in (changes.name, changes.description, changes.icon)
        )
        check_texts(name, description, icon)
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            niche = await self._lock_own_niche(tx, caller, niche_id)
            changed = evolve(
                niche,
                name=niche.name if name is None else name.strip(),
                description=niche.description if changes.description is UNSET else description,
                icon=niche.icon if changes.icon is UNSET else icon,
            )
            await tx[Niches].save(changed)
        return changed

    async def delete(self, caller: Caller, niche_id: str) -> None:
        """Delete a niche with its activation and its settings. Raises NotPermitted (also for a preconfigured niche),
        NotFound; NicheInUse while it has an agent, an article or a document."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            await tx[Niches].delete(await self._lock_own_niche(tx, caller, niche_id))

    async def _lock_own_niche(self, tx: Transaction, caller: Caller, niche_id: str) -> Niche:
        """Return the tenant's own niche, with the tenant locked so that nobody activates or changes it until the
        transaction ends."""
        await tx[Tenants].lock(caller.tenant_id)
        niche = await tx[Niches].get(caller.tenant_id, niche_id)
        if not niche.custom:
            raise NotPermitted(f"{niche.niche_key} is preconfigured: everybody can use it, nobody can change it.")
        return niche
