"""Invitations into tenants."""

from __future__ import annotations

import builtins
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.records import owned
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import InvitationId, TenantId
from contentgen_core.model.team import Invitation
from contentgen_core.ports.repositories.team import Invitations

INVITATIONS: Final = TableOf[InvitationId, Invitation]("invitations")

MAX_LISTED = 1_000


@repository(Invitations)
class MemoryInvitations:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, invitation: Invitation) -> None:
        await self._session.writing()
        if any(other.email == invitation.email for other in self._of(invitation.tenant_id)):
            raise AlreadyExists("There is an invitation for this address already.")
        self._session[INVITATIONS].put(invitation.id, invitation)

    async def save(self, invitation: Invitation) -> None:
        await self._session.writing()
        known = await self.get(invitation.tenant_id, invitation.id)
        self._session[INVITATIONS].put(invitation.id, evolve(invitation, email=known.email))

    async def get(self, tenant_id: TenantId, invitation_id: InvitationId) -> Invitation:
        return owned(self._session[INVITATIONS], tenant_id, invitation_id, "invitation")

    async def list(self, tenant_id: TenantId) -> list[Invitation]:
        return sorted(self._of(tenant_id), key=lambda one: (one.invited_at, one.id))[:MAX_LISTED]

    async def remove(self, tenant_id: TenantId, invitation_id: InvitationId) -> None:
        await self._session.writing()
        invitation = self._session[INVITATIONS].get(invitation_id)
        if invitation is not None and invitation.tenant_id == tenant_id:
            self._session[INVITATIONS].drop(invitation_id)

    def _of(self, tenant_id: TenantId) -> builtins.list[Invitation]:
        return [one for one in self._session[INVITATIONS].rows() if one.tenant_id == tenant_id]
