"""Who belongs to a tenant, and who is asked to."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import InvitationId, JobId, TenantId, UserId
from contentgen_core.model.tenant import Role, User

INVITATION_LASTS: Final = timedelta(days=7)


@frozen
class Member:
    """`last_active_at`: the last use of any of the user's keys, to about a minute."""

    user: User
    last_active_at: datetime | None = None


class Delivery(StrEnum):
    """What became of an invitation's mail."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    LOGGED = "logged"  # no mail server is set up: the inviting person hands the link over


@frozen
class Invitation:
    """`email` is normal (see ports.mail.Addresses). `nonce` is what makes a link to it valid: a renewal changes it, and
    so ends the links before it. `job_id`: the job that sends its mail; one of an older link sends nothing."""

    id: InvitationId
    tenant_id: TenantId
    email: str
    role: Role
    invited_by: UserId
    invited_at: datetime
    expires_at: datetime
    nonce: str
    job_id: JobId
    delivery: Delivery = Delivery.PENDING
    delivery_error: str | None = None

    def open(self, now: datetime) -> bool:
        return now < self.expires_at
