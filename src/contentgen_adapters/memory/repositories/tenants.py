"""Tenants, their users and their API keys."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import (
    API_KEYS,
    CALENDAR_LINKS,
    SIGN_IN_LINKS,
    TENANTS,
    USERS,
    WEB_SESSIONS,
)
from contentgen_adapters.memory.records import existing, owned
from contentgen_adapters.memory.repositories.erasure import erase
from contentgen_adapters.memory.repositories.reviews import drop_reviews_of
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.ids import ApiKeyId, TenantId, UserId
from contentgen_core.model.sign_in import SignInLink, WebSession
from contentgen_core.model.team import Member
from contentgen_core.model.tenant import ApiKey, PlanName, Role, Tenant, User
from contentgen_core.ports.repositories.tenants import ApiKeys, Identity, Tenants, Users

KEYS_BY_DIGEST: Final = TableOf[str, ApiKeyId]("keys_by_digest")

MAX_KEYS_LISTED = 1_000
MAX_MEMBERS_LISTED = 1_000
MAX_MEMBERSHIPS = 20


@repository(Tenants)
class MemoryTenants:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, tenant: Tenant) -> None:
        await self._session.writing()
        self._session[TENANTS].put(tenant.id, tenant)

    async def get(self, tenant_id: TenantId) -> Tenant:
        return existing(self._session[TENANTS], tenant_id, "tenant")

    async def lock(self, tenant_id: TenantId) -> None:
        await self._session.writing()
        await self.get(tenant_id)

    async def set_plan(self, tenant_id: TenantId, plan: PlanName) -> None:
        await self._session.writing()
        self._session[TENANTS].put(tenant_id, evolve(await self.get(tenant_id), plan=plan))

    async def save_settings(self, tenant: Tenant) -> None:
        await self._session.writing()
        known = await self.get(tenant.id)
        self._session[TENANTS].put(tenant.id, evolve(known, name=tenant.name, time_zone=tenant.time_zone))

    async def set_suspended(self, tenant_id: TenantId, since: datetime | None) -> None:
        await self._session.writing()
        self._session[TENANTS].put(tenant_id, evolve(await self.get(tenant_id), suspended_at=since))

    async def erase(self, tenant_id: TenantId, limit: int) -> bool:
        await self._session.writing()
        await self.get(tenant_id)
        await erase(self._session, tenant_id)
        return True

    async def after(self, tenant_id: TenantId | None, limit: int) -> Sequence[Tenant]:
        following = (tenant for tenant in self._session[TENANTS].rows() if tenant_id is None or tenant.id > tenant_id)
        return sorted(following, key=lambda tenant: tenant.id)[:limit]

    async def newest(self, search: str, before: TenantId | None, limit: int) -> Sequence[Tenant]:
        wanted = search.lower()
        found = (
            tenant
            for tenant in self._session[TENANTS].rows()
            if (before is None or tenant.id < before) and wanted in tenant.name.lower()
        )
        return sorted(found, key=lambda tenant: tenant.id, reverse=True)[:limit]

    async def find_by_name(self, name: str) -> Tenant | None:
        named = (tenant for tenant in self._session[TENANTS].rows() if tenant.name == name)
        return min(named, key=lambda tenant: (tenant.created_at, tenant.id), default=None)


@repository(Users)
class MemoryUsers:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, user: User) -> None:
        await self._session.writing()
        self._session[USERS].put(user.id, user)

    async def get(self, tenant_id: TenantId, user_id: UserId) -> User:
        return owned(self._session[USERS], tenant_id, user_id, "user")

    async def by_email(self, email: str) -> list[User]:
        found = (user for user in self._session[USERS].rows() if user.email == email)
        return sorted(found, key=lambda user: (user.created_at, user.id))[:MAX_MEMBERSHIPS]

    async def owner(self, tenant_id: TenantId) -> User:
        owners = (user for user in self._of(tenant_id) if user.role is Role.OWNER)
        first = min(owners, key=lambda user: (user.created_at, user.id), default=None)
        if first is None:
            raise NotFound("tenant", tenant_id)
        return first

    async def count(self, tenant_id: TenantId) -> int:
        return len(self._of(tenant_id))

    async def members(self, tenant_id: TenantId) -> list[Member]:
        used: dict[UserId, datetime] = {}
        for key in self._session[API_KEYS].rows():
            if key.tenant_id == tenant_id and key.last_used_at is not None:
                used[key.user_id] = max(key.last_used_at, used.get(key.user_id, key.last_used_at))
        users = sorted(self._of(tenant_id), key=lambda user: (user.created_at, user.id))
        return [Member(user, used.get(user.id)) for user in users[:MAX_MEMBERS_LISTED]]

    async def save(self, user: User) -> None:
        await self._session.writing()
        known = await self.get(user.tenant_id, user.id)
        self._session[USERS].put(user.id, evolve(known, name=user.name, role=user.role))

    async def remove(self, tenant_id: TenantId, user_id: UserId) -> None:
        await self._session.writing()
        await self.get(tenant_id, user_id)
        for key in [key for key in self._session[API_KEYS].rows() if key.user_id == user_id]:
            drop_key(self._session, key)
        drop_reviews_of(self._session, user_id)
        self._session[CALENDAR_LINKS].drop(user_id)
        drop_sign_ins(self._session, lambda row: row.user_id == user_id)
        self._session[USERS].drop(user_id)

    def _of(self, tenant_id: TenantId) -> list[User]:
        return [user for user in self._session[USERS].rows() if user.tenant_id == tenant_id]


def drop_key(session: Session, key: ApiKey) -> None:
    session[API_KEYS].drop(key.id)
    session[KEYS_BY_DIGEST].drop(key.digest)
    drop_sign_ins(session, lambda row: isinstance(row, WebSession) and row.key_id == key.id)


def drop_sign_ins(session: Session, goes: Callable[[SignInLink | WebSession], bool]) -> None:
    """Remove the links and sessions for which this is true."""
    for link in [link for link in session[SIGN_IN_LINKS].rows() if goes(link)]:
        session[SIGN_IN_LINKS].drop(link.id)
    for browser in [browser for browser in session[WEB_SESSIONS].rows() if goes(browser)]:
        session[WEB_SESSIONS].drop(browser.id)


@repository(ApiKeys)
class MemoryApiKeys:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, key: ApiKey) -> None:
        await self._session.writing()
        if self._session[KEYS_BY_DIGEST].get(key.digest) is not None:
            raise AlreadyExists("There is a key of this digest already.")
        self._session[API_KEYS].put(key.id, key)
        self._session[KEYS_BY_DIGEST].put(key.digest, key.id)

    async def identify(self, digest: str) -> Identity | None:
        key_id = self._session[KEYS_BY_DIGEST].get(digest)
        key = None if key_id is None else self._session[API_KEYS].get(key_id)
        if key is None:
            return None
        user, tenant = self._session[USERS].get(key.user_id), self._session[TENANTS].get(key.tenant_id)
        return None if user is None or tenant is None else Identity(key, user, tenant)

    async def identify_all(self, digests: Sequence[str]) -> dict[str, Identity]:
        found = {digest: await self.identify(digest) for digest in digests}
        return {digest: identity for digest, identity in found.items() if identity is not None}

    async def get(self, tenant_id: TenantId, key_id: ApiKeyId) -> ApiKey:
        return owned(self._session[API_KEYS], tenant_id, key_id, "API key")

    async def list(self, tenant_id: TenantId, user_id: UserId | None = None) -> list[ApiKey]:
        own = self._newest_first(tenant_id)
        return [key for key in own if user_id is None or key.user_id == user_id][:MAX_KEYS_LISTED]

    async def count_usable(self, tenant_id: TenantId, user_id: UserId, now: datetime) -> int:
        return sum(key.user_id == user_id and key.usable(now) for key in self._newest_first(tenant_id))

    async def forget_unusable(self, tenant_id: TenantId, now: datetime, keep: int) -> None:
        await self._session.writing()
        for key in [key for key in self._newest_first(tenant_id) if not key.usable(now)][keep:]:
            drop_key(self._session, key)

    def _newest_first(self, tenant_id: TenantId) -> builtins.list[ApiKey]:
        own = [key for key in self._session[API_KEYS].rows() if key.tenant_id == tenant_id]
        return sorted(own, key=lambda key: (key.created_at, key.id), reverse=True)

    async def revoke(self, tenant_id: TenantId, key_id: ApiKeyId, now: datetime) -> None:
        await self._session.writing()
        key = await self.get(tenant_id, key_id)
        self._session[API_KEYS].put(key_id, evolve(key, revoked_at=key.revoked_at or now))

    async def touch(self, key_id: ApiKeyId, now: datetime) -> None:
        await self._session.writing()
        key = self._session[API_KEYS].get(key_id)
        if key is not None:
            self._session[API_KEYS].put(key_id, evolve(key, last_used_at=now))
