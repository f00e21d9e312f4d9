"""The team: listing it, changing roles, removing members and cancelling invitations."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.model.team import Invitation, Member
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.tenancy.team import check_grants, check_may_change, check_owner_stays, void_invitations
from contentgen_core.ports.repositories.team import Invitations
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.locked_team import LockedTeam, lock_team
from contentgen_core.use_cases.use_case import use_case


@frozen
class Team:
    """Members and open invitations, both oldest first."""

    members: list[Member]
    invitations: list[Invitation]

    @property
    def seats(self) -> int:
        """The number of seats used of the plan's team members."""
        return len(self.members) + len(self.invitations)


@use_case
class ManageTeam:
    """`id`: that of a member or of an open invitation."""

    unit_of_work: UnitOfWork
    clock: Clock

    async def list(self, caller: Caller) -> Team:
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            members = await tx[Users].members(caller.tenant_id)
            invitations = await tx[Invitations].list(caller.tenant_id)
        return Team(members, [one for one in invitations if one.open(now)])

    async def members(self, caller: Caller) -> Sequence[Member]:
        """Oldest first."""
        async with self.unit_of_work() as tx:
            return await tx[Users].members(caller.tenant_id)

    async def change_role(self, caller: Caller, id: str, role: Role) -> Member | Invitation:
        """Change a role. Invitations that the member could no longer make are cancelled. Raises NotPermitted, NotFound,
        LastOwner."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            team = await lock_team(tx, caller, self.clock.now())
            target = _target(team, id)
            check_may_change(team.actor.role, _role(target))
            check_grants(team.actor.role, role)
            if isinstance(target, Invitation):
                changed = evolve(target, role=role)
                await tx[Invitations].save(changed)
                return changed
            if role is not Role.OWNER:
                check_owner_stays(team.users, target.user.id)
            user = evolve(target.user, role=role)
            await tx[Users].save(user)
            await self._cancel(tx, caller.tenant_id, void_invitations(team.invitations, user.id, role))
            return evolve(target, user=user)

    async def remove(self, caller: Caller, id: str) -> None:
        """Remove a member with all keys and open invitations made; or cancel an invitation. Raises NotPermitted,
        NotFound, LastOwner."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            team = await lock_team(tx, caller, self.clock.now())
            target = _target(team, id)
            check_may_change(team.actor.role, _role(target))
            if isinstance(target, Invitation):
                await tx[Invitations].remove(caller.tenant_id, target.id)
                return
            check_owner_stays(team.users, target.user.id)
            await tx[Users].remove(caller.tenant_id, target.user.id)
            await self._cancel(tx, caller.tenant_id, void_invitations(team.invitations, target.user.id, None))

    async def _cancel(self, tx: Transaction, tenant_id: TenantId, invitations: Sequence[Invitation]) -> None:
        for invitation in invitations:
            await tx[Invitations].remove(tenant_id, invitation.id)


def _target(team: LockedTeam, id: str) -> Member | Invitation:
    member = team.member(id)
    if member is not None:
        return member
    for invitation in team.invitations:
        if invitation.id == id:
            return invitation
    raise NotFound("team member", id)


def _role(target: Member | Invitation) -> Role:
    return target.role if isinstance(target, Invitation) else target.user.role
