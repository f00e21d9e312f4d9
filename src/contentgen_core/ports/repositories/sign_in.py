"""Links that sign members in, and sessions of browsers."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.ids import SignInLinkId, TenantId, UserId, WebSessionId
from contentgen_core.model.sign_in import SignInLink, WebSession
from contentgen_core.model.tenant import ApiKey, Tenant, User


@frozen
class SignedIn:
    """A session with its user and tenant. `key`: the API key that it was begun with."""

    session: WebSession
    user: User
    tenant: Tenant
    key: ApiKey | None = None


class SignInLinks(Protocol):
    """They go with their user."""

    async def add(self, link: SignInLink) -> None:
        """Raises NotFound for an unknown user."""
        ...

    async def get(self, tenant_id: TenantId, link_id: SignInLinkId) -> SignInLink:
        """Raises NotFound."""
        ...

    async def take(self, tenant_id: TenantId, link_id: SignInLinkId) -> SignInLink | None:
        """Remove it and give it back; None for one that is not there. Of several who take it at once one gets it."""
        ...

    async def forget_expired(self, now: datetime, limit: int) -> int:
        """Remove at most `limit` that ended before `now`, of all tenants; how many there were."""
        ...


class WebSessions(Protocol):
    """They go with their user, and with their API key."""

    async def add(self, session: WebSession) -> None:
        """Raises NotFound for an unknown user or key."""
        ...

    async def identify(self, digest: str) -> SignedIn | None:
        """The session of this digest, usable or not."""
        ...

    async def identify_all(self, digests: Collection[str]) -> dict[str, SignedIn]:
        """The same of several at once, by their digests; none for those that nobody has."""
        ...

    async def touch(self, session_id: WebSessionId, now: datetime) -> None:
        """Record a use of the session."""
        ...

    async def of_user(self, tenant_id: TenantId, user_id: UserId) -> list[WebSession]:
        """Those last used first, at most 100."""
        ...

    async def remove(self, tenant_id: TenantId, session_id: WebSessionId) -> None:
        """Unknown ones are ignored."""
        ...

    async def forget_unused(self, created_before: datetime, used_before: datetime, limit: int) -> int:
        """Remove at most `limit`, of all tenants, that began or were used last before these times; how many there
        were."""
        ...
