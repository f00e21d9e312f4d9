"""Tenants, their users and their API keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.ids import ApiKeyId, TenantId, UserId
from contentgen_core.model.tenant import ApiKey, PlanName, Role, Tenant, User
from contentgen_core.ports.repositories.tenants import Identity

MAX_KEYS_LISTED = 1_000


class MemoryTenants:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, tenant: Tenant) -> None:
        await self._session.writing()
        self._session.tenants.put(tenant.id, tenant)

    async def get(self, tenant_id: TenantId) -> Tenant:
        tenant = self._session.tenants.get(tenant_id)
        if tenant is None:
            raise NotFound("tenant", tenant_id)
        return tenant

    async def lock(self, tenant_id: TenantId) -> None:
        await self._session.writing()
        await self.get(tenant_id)

    async def set_plan(self, tenant_id: TenantId, plan: PlanName) -> None:
        await self._session.writing()
        self._session.tenants.put(tenant_id, evolve(await self.get(tenant_id), plan=plan))

    async def find_by_name(self, name: str) -> Tenant | None:
        named = (tenant for tenant in self._session.tenants.rows() if tenant.name == name)
        return min(named, key=lambda tenant: (tenant.created_at, tenant.id), default=None)


class MemoryUsers:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, user: User) -> None:
        await self._session.writing()
        self._session.users.put(user.id, user)

    async def get(self, tenant_id: TenantId, user_id: UserId) -> User:
        user = self._session.users.get(user_id)
        if user is None or user.tenant_id != tenant_id:
            raise NotFound("user", user_id)
        return user

    async def owner(self, tenant_id: TenantId) -> User:
        owners = (user for user in self._of(tenant_id) if user.role is Role.OWNER)
        first = min(owners, key=lambda user: (user.created_at, user.id), default=None)
        if first is None:
            raise NotFound("tenant", tenant_id)
        return first

    async def count(self, tenant_id: TenantId) -> int:
        return len(self._of(tenant_id))

    def _of(self, tenant_id: TenantId) -> list[User]:
        return [user for user in self._session.users.rows() if user.tenant_id == tenant_id]


class MemoryApiKeys:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, key: ApiKey) -> None:
        await self._session.writing()
        if self._session.keys_by_digest.get(key.digest) is not None:
            raise AlreadyExists("There is a key of this digest already.")
        self._session.api_keys.put(key.id, key)
        self._session.keys_by_digest.put(key.digest, key.id)

    async def identify(self, digest: str) -> Identity | None:
        key_id = self._session.keys_by_digest.get(digest)
        key = None if key_id is None else self._session.api_keys.get(key_id)
        if key is None:
            return None
        user, tenant = self._session.users.get(key.user_id), self._session.tenants.get(key.tenant_id)
        return None if user is None or tenant is None else Identity(key, user, tenant)

    async def identify_all(self, digests: Sequence[str]) -> dict[str, Identity]:
        found = {digest: await self.identify(digest) for digest in digests}
        return {digest: identity for digest, identity in found.items() if identity is not None}

    async def list(self, tenant_id: TenantId) -> list[ApiKey]:
        own = [key for key in self._session.api_keys.rows() if key.tenant_id == tenant_id]
        own.sort(key=lambda key: (key.created_at, key.id), reverse=True)
        return own[:MAX_KEYS_LISTED]

    async def revoke(self, tenant_id: TenantId, key_id: ApiKeyId, now: datetime) -> None:
        await self._session.writing()
        key = self._session.api_keys.get(key_id)
        if key is None or key.tenant_id != tenant_id:
            raise NotFound("API key", key_id)
        self._session.api_keys.put(key_id, evolve(key, revoked_at=key.revoked_at or now))

    async def touch(self, key_id: ApiKeyId, now: datetime) -> None:
        await self._session.writing()
        key = self._session.api_keys.get(key_id)
        if key is not None:
            self._session.api_keys.put(key_id, evolve(key, last_used_at=now))
