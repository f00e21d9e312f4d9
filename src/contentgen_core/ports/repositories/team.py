"""Invitations into tenants."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import InvitationId, TenantId
from contentgen_core.model.team import Invitation


class Invitations(Protocol):
    """Expired ones stay until they are removed. The tenant has to be locked before changes."""

    async def add(self, invitation: Invitation) -> None:
        """Raises AlreadyExists when the tenant has one for this address."""
        ...

    async def save(self, invitation: Invitation) -> None:
        """Everything but the address may have changed. Raises NotFound."""
        ...

    async def get(self, tenant_id: TenantId, invitation_id: InvitationId) -> Invitation:
        """Raises NotFound."""
        ...

    async def list(self, tenant_id: TenantId) -> list[Invitation]:
        """Oldest first, at most 1,000."""
        ...

    async def remove(self, tenant_id: TenantId, invitation_id: InvitationId) -> None:
        """Unknown ones are ignored."""
        ...
