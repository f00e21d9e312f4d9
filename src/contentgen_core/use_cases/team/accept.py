"""Accepting an invitation: a new member with a first API key."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.errors import NotFound
from contentgen_core.link_errors import InvitationInvalid, InvitationNotMailed
from contentgen_core.model.ids import UserId
from contentgen_core.model.team import Invitation
from contentgen_core.model.tenant import Quota, Tenant, User
from contentgen_core.policies.tenancy.quotas import limit_of, quota_error
from contentgen_core.policies.text.names import checked_name
from contentgen_core.ports.mail import InvitationClaim, InvitationTokens
from contentgen_core.ports.repositories.team import Invitations
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.keys.manage_keys import ManageKeys, NewKey
from contentgen_core.use_cases.use_case import use_case


@frozen
class Joined:
    """The new member, its tenant and its first key."""

    tenant: Tenant
    user: User
    key: NewKey


@use_case
class AcceptInvitation:
    """`mails`: whether invitations are mailed. Then only the link in the mail joins: whoever invites, and whoever was
    shown the link, would else become a member by another person's address."""

    unit_of_work: UnitOfWork
    tokens: InvitationTokens
    keys: ManageKeys
    clock: Clock
    ids: Ids
    mails: bool = False

    async def __call__(self, token: str, name: str) -> Joined:
        """Make the bearer of the link a member, once. Raises InvalidInput, InvitationInvalid for any fault of the link,
        InvitationNotMailed; QuotaExceeded when the plan has become smaller than the team."""
        name = checked_name(name)
        now = self.clock.now()
        claim = self.tokens.read(token)
        if claim is None or now >= claim.expires_at:
            raise InvitationInvalid
        if self.mails and not claim.mailed:
            raise InvitationNotMailed
        async with self.unit_of_work() as tx:
            invitation = await self._lock_invitation(tx, claim)
            tenant = await tx[Tenants].get(invitation.tenant_id)
            members = await tx[Users].count(tenant.id)
            limit = limit_of(tenant.plan, Quota.TEAM_MEMBERS)
            if limit is not None and members >= limit:
                raise quota_error(tenant.plan, Quota.TEAM_MEMBERS, members, now)
            user = User(UserId(self.ids.new()), tenant.id, name, invitation.role, now, email=invitation.email)
            await tx[Users].add(user)
            await tx[Invitations].remove(tenant.id, invitation.id)
            key = await self.keys.create_in(tx, tenant.id, user.id, "First key")
        return Joined(tenant, user, key)

    async def _lock_invitation(self, tx: Transaction, claim: InvitationClaim) -> Invitation:
        try:
            await tx[Tenants].lock(claim.tenant_id)
            invitation = await tx[Invitations].get(claim.tenant_id, claim.invitation_id)
        except NotFound as exc:
            raise InvitationInvalid from exc
        if invitation.nonce != claim.nonce or not invitation.open(self.clock.now()):
            raise InvitationInvalid
        return invitation
