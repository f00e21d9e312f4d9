"""Invitations into tenants."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.model.ids import InvitationId, TenantId
from contentgen_core.model.team import Delivery, Invitation
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.team import Invitations

MAX_LISTED: Final = 1_000

_COLUMNS: Final = (
    "id, tenant_id, email, role, invited_by, invited_at, expires_at, nonce, job_id, delivery, delivery_error"
)


def _invitation(row: Row) -> Invitation:
    id, tenant_id, email, role, invited_by, invited_at, expires_at, nonce, job_id, delivery, error = row
    return Invitation(
        id, tenant_id, email, Role(role), invited_by, invited_at, expires_at, nonce, job_id, Delivery(delivery), error
    )


@repository(Invitations)
class PostgresInvitations:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, invitation: Invitation) -> None:
        await self._session.write(
            f"INSERT INTO invitations ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                invitation.id,
                invitation.tenant_id,
                invitation.email,
                invitation.role.value,
                invitation.invited_by,
                invitation.invited_at,
                invitation.expires_at,
                invitation.nonce,
                invitation.job_id,
                invitation.delivery.value,
                invitation.delivery_error,
            ),
        )

    async def save(self, invitation: Invitation) -> None:
        changed = await self._session.change(
            "UPDATE invitations SET role = %s, invited_by = %s, invited_at = %s, expires_at = %s, nonce = %s,"
            " job_id = %s, delivery = %s, delivery_error = %s WHERE id = %s AND tenant_id = %s",
            (
                invitation.role.value,
                invitation.invited_by,
                invitation.invited_at,
                invitation.expires_at,
                invitation.nonce,
                invitation.job_id,
                invitation.delivery.value,
                invitation.delivery_error,
                findable(invitation.id),
                findable(invitation.tenant_id),
            ),
        )
        require(changed, "invitation", invitation.id)

    async def get(self, tenant_id: TenantId, invitation_id: InvitationId) -> Invitation:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM invitations WHERE id = %s AND tenant_id = %s",
            (findable(invitation_id), findable(tenant_id)),
        )
        [row] = require(rows, "invitation", invitation_id)
        return _invitation(row)

    async def list(self, tenant_id: TenantId) -> list[Invitation]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM invitations WHERE tenant_id = %s ORDER BY invited_at, id LIMIT %s",
            (findable(tenant_id), MAX_LISTED),
        )
        return [_invitation(row) for row in rows]

    async def remove(self, tenant_id: TenantId, invitation_id: InvitationId) -> None:
        await self._session.change(
            "DELETE FROM invitations WHERE id = %s AND tenant_id = %s", (findable(invitation_id), findable(tenant_id))
        )
