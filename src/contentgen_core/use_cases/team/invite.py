"""Inviting a person into the team, or renewing the invitation."""

from __future__ import annotations

from attrs import evolve, frozen

from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import InvitationId, JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.team import INVITATION_LASTS, Invitation
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.tenancy.quotas import limit_of, quota_error
from contentgen_core.policies.tenancy.team import check_grants, check_may_change
from contentgen_core.ports.mail import Addresses, InvitationClaim, InvitationTokens
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.team import Invitations
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.locked_team import LockedTeam, lock_team
from contentgen_core.use_cases.use_case import use_case


@frozen
class Invited:
    """`token`: that of the invitation's link. It is not stored."""

    invitation: Invitation
    token: str


@use_case
class InviteMember:
    unit_of_work: UnitOfWork
    addresses: Addresses
    tokens: InvitationTokens
    clock: Clock
    ids: Ids

    async def __call__(self, caller: Caller, email: str, role: Role) -> Invited:
        """Inviting an address again renews the invitation, whose former link is then void. A job sends the mail.

        Raises InvalidInput, NotPermitted, QuotaExceeded; AlreadyExists for a member's address."""
        email = self.addresses.normalise(email)
        require_role(caller, Role.ADMIN)
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            team = await lock_team(tx, caller, now)
            check_grants(team.actor.role, role)
            if any(user.email == email for user in team.users):
                raise AlreadyExists("Somebody with this address is in the team already.")
            known = next((one for one in team.invitations if one.email == email), None)
            invitation = self._invitation(caller, email, role)
            if known is None:
                await self._check_seats(tx, caller, team)
                await self._remove_expired(tx, caller, team)
                await tx[Invitations].add(invitation)
            else:
                check_may_change(team.actor.role, known.role)
                invitation = evolve(invitation, id=known.id)
                await tx[Invitations].save(invitation)
            await tx[Jobs].enqueue(
                Job(invitation.job_id, JobKind.SEND_INVITATION, caller.tenant_id, invitation.id, run_at=now)
            )
        return Invited(invitation, self.tokens.sign(claim_of(invitation)))

    async def _check_seats(self, tx: Transaction, caller: Caller, team: LockedTeam) -> None:
        plan = (await tx[Tenants].get(caller.tenant_id)).plan
        limit = limit_of(plan, Quota.TEAM_MEMBERS)
        if limit is not None and team.seats_used >= limit:
            raise quota_error(plan, Quota.TEAM_MEMBERS, team.seats_used, self.clock.now())

    async def _remove_expired(self, tx: Transaction, caller: Caller, team: LockedTeam) -> None:
        """Remove expired invitations, which occupy no seat but their address."""
        still_open = {one.id for one in team.invitations}
        for one in await tx[Invitations].list(caller.tenant_id):
            if one.id not in still_open:
                await tx[Invitations].remove(caller.tenant_id, one.id)

    def _invitation(self, caller: Caller, email: str, role: Role) -> Invitation:
        now = self.clock.now()
        return Invitation(
            id=InvitationId(self.ids.new()),
            tenant_id=caller.tenant_id,
            email=email,
            role=role,
            invited_by=caller.user_id,
            invited_at=now,
            expires_at=now + INVITATION_LASTS,
            nonce=self.tokens.new_nonce(),
            job_id=JobId(self.ids.new()),
        )


def claim_of(invitation: Invitation, *, mailed: bool = False) -> InvitationClaim:
    """The content of a link's token. `mailed`: of the link that only the invited address gets."""
    return InvitationClaim(invitation.tenant_id, invitation.id, invitation.nonce, invitation.expires_at, mailed)
