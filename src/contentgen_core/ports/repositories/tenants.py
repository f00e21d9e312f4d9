"""Tenants, their users and API keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.ids import ApiKeyId, TenantId, UserId
from contentgen_core.model.team import Member
from contentgen_core.model.tenant import ApiKey, PlanName, Tenant, User


@frozen
class Identity:
    """An API key with its user and tenant."""

    key: ApiKey
    user: User
    tenant: Tenant


class Tenants(Protocol):
    async def add(self, tenant: Tenant) -> None: ...
    async def get(self, tenant_id: TenantId) -> Tenant:
        """Raises NotFound."""
        ...

    async def lock(self, tenant_id: TenantId) -> None:
        """Lock out other transactions that lock this tenant, until this one ends. Raises NotFound."""
        ...

    async def set_plan(self, tenant_id: TenantId, plan: PlanName) -> None:
        """Raises NotFound."""
        ...

    async def save_settings(self, tenant: Tenant) -> None:
        """Store its name and its time zone. Raises NotFound."""
        ...

    async def set_suspended(self, tenant_id: TenantId, since: datetime | None) -> None:
        """Suspend a tenant, or (None) resume it. Raises NotFound."""
        ...

    async def erase(self, tenant_id: TenantId, limit: int) -> bool:
        """Delete some of what the tenant has, `limit` rows of each kind at most, and the tenant once it has nothing;
        whether it is gone. What the search index shows of it goes into the outbox. Raises NotFound."""
        ...

    async def after(self, tenant_id: TenantId | None, limit: int) -> Sequence[Tenant]:
        """By id, from the one after `tenant_id` (None: from the first)."""
        ...

    async def newest(self, search: str, before: TenantId | None, limit: int) -> Sequence[Tenant]:
        """By id, the latest first, from the one before `before` (None: from the latest): those whose name has the text
        `search`, whatever the case of its letters from a to z. For administrators."""
        ...

    async def find_by_name(self, name: str) -> Tenant | None:
        """The oldest tenant of this name."""
        ...


class Users(Protocol):
    async def add(self, user: User) -> None: ...
    async def get(self, tenant_id: TenantId, user_id: UserId) -> User:
        """Raises NotFound."""
        ...

    async def by_email(self, email: str) -> list[User]:
        """The memberships of a person in all tenants, by the normal form of the address; oldest first, at most 20."""
        ...

    async def owner(self, tenant_id: TenantId) -> User:
        """The tenant's first owner. Raises NotFound."""
        ...

    async def count(self, tenant_id: TenantId) -> int: ...

    async def members(self, tenant_id: TenantId) -> list[Member]:
        """Oldest first, at most 1,000."""
        ...

    async def save(self, user: User) -> None:
        """Store its name and its role. Raises NotFound."""
        ...

    async def remove(self, tenant_id: TenantId, user_id: UserId) -> None:
        """Remove a user with its keys, review and marks. Raises NotFound."""
        ...


class ApiKeys(Protocol):
    async def add(self, key: ApiKey) -> None:
        """Raises AlreadyExists when there is a key of this digest."""
        ...

    async def identify(self, digest: str) -> Identity | None:
        """The key of this digest with its user and tenant, usable or not."""
        ...

    async def identify_all(self, digests: Sequence[str]) -> dict[str, Identity]:
        """Several at once, by digest; unknown ones are left out."""
        ...

    async def get(self, tenant_id: TenantId, key_id: ApiKeyId) -> ApiKey:
        """Raises NotFound."""
        ...

    async def list(self, tenant_id: TenantId, user_id: UserId | None = None) -> list[ApiKey]:
        """Newest first, at most 1,000; of one user if given."""
        ...

    async def count_usable(self, tenant_id: TenantId, user_id: UserId, now: datetime) -> int:
        """The number of a user's keys that are usable at `now`."""
        ...

    async def forget_unusable(self, tenant_id: TenantId, now: datetime, keep: int) -> None:
        """Delete the tenant's keys that are not usable any more, except the newest `keep`."""
        ...

    async def revoke(self, tenant_id: TenantId, key_id: ApiKeyId, now: datetime) -> None:
        """Idempotent. Raises NotFound."""
        ...

    async def touch(self, key_id: ApiKeyId, now: datetime) -> None:
        """Record a use of the key."""
        ...
