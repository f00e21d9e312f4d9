"""The team of a tenant, locked for a transaction."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from contentgen_core.errors import NotFound, Unauthenticated
from contentgen_core.model.team import Invitation, Member
from contentgen_core.model.tenant import Caller, User
from contentgen_core.ports.repositories.team import Invitations
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.unit_of_work import Transaction


@frozen
class LockedTeam:
    """`actor`: the caller's user as it is now, whose role may be lower than when the key was looked up. `invitations`:
    the open ones."""

    actor: User
    members: list[Member]
    invitations: list[Invitation]

    @property
    def seats_used(self) -> int:
        """Members and open invitations, which both count against the quota."""
        return len(self.members) + len(self.invitations)

    @property
    def users(self) -> list[User]:
        return [member.user for member in self.members]

    def member(self, user_id: str) -> Member | None:
        """The member with this user id, or None."""
        return next((member for member in self.members if member.user.id == user_id), None)


async def lock_team(tx: Transaction, caller: Caller, now: datetime) -> LockedTeam:
    """Lock the tenant and load its team. Raises Unauthenticated when the caller's user was removed meanwhile."""
    await tx[Tenants].lock(caller.tenant_id)
    members = await tx[Users].members(caller.tenant_id)
    invitations = [one for one in await tx[Invitations].list(caller.tenant_id) if one.open(now)]
    return LockedTeam(await current_user(tx, caller), members, invitations)


async def current_user(tx: Transaction, caller: Caller) -> User:
    """The caller's user as it is now. Raises Unauthenticated when it was removed since its key was looked up."""
    try:
        return await tx[Users].get(caller.tenant_id, caller.user_id)
    except NotFound as exc:
        raise Unauthenticated("The user of this API key is not in the team any more.") from exc
