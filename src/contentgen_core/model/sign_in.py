"""Signing in to the console: links in mails, and the sessions of browsers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import ApiKeyId, SignInLinkId, TenantId, UserId, WebSessionId

LINK_LASTS: Final = timedelta(minutes=20)
SESSION_LASTS: Final = timedelta(days=60)
SESSION_IDLE: Final = timedelta(days=14)
"""After its last use a session ends."""


@frozen
class SignInLink:
    """A link that signs a member in once. `nonce`: a part of the link's token."""

    id: SignInLinkId
    tenant_id: TenantId
    user_id: UserId
    nonce: str
    created_at: datetime
    expires_at: datetime


@frozen
class WebSession:
    """A browser that is signed in. `digest`: a keyed hash of the session's token, which the browser alone has.
    `key_id`: the API key that it was begun with, with which it ends; None for one that a link began."""

    id: WebSessionId
    tenant_id: TenantId
    user_id: UserId
    digest: str
    created_at: datetime
    last_used_at: datetime
    key_id: ApiKeyId | None = None

    def usable(self, now: datetime) -> bool:
        """Whether it has neither ended nor been unused for too long."""
        return now < min(self.created_at + SESSION_LASTS, self.last_used_at + SESSION_IDLE)
