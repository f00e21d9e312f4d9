"""Members of a tenant, and invitations."""

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
    """A member. `last_active_at`: the last use of any of the user's keys, to about a minute."""

    user: User
    last_active_at: datetime | None = None


class Delivery(StrEnum):
    """The outcome of an invitation's mail."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    LOGGED = "logged"  # no mail server is set up: the inviting person hands the link over


@frozen
class Invitation:
    """An invitation. `email`: as `ports.mail.Addresses` normalises it. `nonce`: part of each valid link; renewing
    changes it, so that older links end. `job_id`: the job that sends its mail; a job of an older link sends nothing."""

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
        """Whether it can be accepted at `now`."""
        return now < self.expires_at
