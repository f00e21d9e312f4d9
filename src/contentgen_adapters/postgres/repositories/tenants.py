"""Tenants, their users and their API keys."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.erasure import erase
from contentgen_adapters.postgres.repositories.knowledge_rows import findables
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.model.ids import ApiKeyId, TenantId, UserId
from contentgen_core.model.team import Member
from contentgen_core.model.tenant import ApiKey, PlanName, Role, Tenant, User
from contentgen_core.ports.repositories.tenants import ApiKeys, Identity, Tenants, Users

REVOKED_CHANNEL: Final = "contentgen_keys"
MAX_KEYS_LISTED: Final = 1_000
MAX_MEMBERS_LISTED: Final = 1_000
MAX_MEMBERSHIPS: Final = 20

TENANT: Final = "t.id, t.name, t.plan, t.created_at, t.time_zone, t.suspended_at"
USER: Final = "u.id, u.tenant_id, u.name, u.role, u.created_at, u.email, u.platform_admin"
KEY: Final = (
    "k.id, k.tenant_id, k.user_id, k.name, k.digest, k.hint, k.created_at, k.expires_at, k.revoked_at, k.last_used_at"
)
# True or false, never NULL.
_USABLE: Final = "revoked_at IS NULL AND coalesce(expires_at > %s, true)"
_NAMED: Final = (
    " AND name_parts(name, 1) @> name_parts(%(search)s, least(3, char_length(lower(%(search)s))))"
    " AND strpos(lower(name), lower(%(search)s)) > 0"
)
TENANT_WIDTH, USER_WIDTH = (columns.count(",") + 1 for columns in (TENANT, USER))


def tenant_of(row: Row) -> Tenant:
    """From the columns TENANT."""
    id, name, plan, *rest = row
    return Tenant(id, name, PlanName(plan), *rest)


def user_of(row: Row) -> User:
    """From the columns USER."""
    id, tenant_id, name, role, *rest = row
    return User(id, tenant_id, name, Role(role), *rest)


def _identity(row: Row) -> Identity:
    user_end = TENANT_WIDTH + USER_WIDTH
    return Identity(ApiKey(*row[user_end:]), user_of(row[TENANT_WIDTH:user_end]), tenant_of(row[:TENANT_WIDTH]))


@repository(Tenants)
class PostgresTenants:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, tenant: Tenant) -> None:
        await self._session.write(
            "INSERT INTO tenants (id, name, plan, created_at, time_zone, suspended_at) VALUES (%s, %s, %s, %s, %s, %s)",
            (tenant.id, tenant.name, tenant.plan.value, tenant.created_at, tenant.time_zone, tenant.suspended_at),
        )

    async def get(self, tenant_id: TenantId) -> Tenant:
        rows = await self._session.read(f"SELECT {TENANT} FROM tenants t WHERE id = %s", (findable(tenant_id),))
        [row] = require(rows, "tenant", tenant_id)
        return tenant_of(row)

    async def lock(self, tenant_id: TenantId) -> None:
        # NO KEY: what others store for this tenant meanwhile, and so points here, does not have to wait.
        query = "SELECT 1 FROM tenants WHERE id = %s FOR NO KEY UPDATE"
        require(await self._session.write(query, (findable(tenant_id),)), "tenant", tenant_id)

    async def set_plan(self, tenant_id: TenantId, plan: PlanName) -> None:
        query = "UPDATE tenants SET plan = %s WHERE id = %s"
        require(await self._session.change(query, (plan.value, findable(tenant_id))), "tenant", tenant_id)

    async def save_settings(self, tenant: Tenant) -> None:
        query = "UPDATE tenants SET name = %s, time_zone = %s WHERE id = %s"
        changed = await self._session.change(query, (tenant.name, tenant.time_zone, findable(tenant.id)))
        require(changed, "tenant", tenant.id)

    async def set_suspended(self, tenant_id: TenantId, since: datetime | None) -> None:
        query = "UPDATE tenants SET suspended_at = %s WHERE id = %s"
        require(await self._session.change(query, (since, findable(tenant_id))), "tenant", tenant_id)

    async def erase(self, tenant_id: TenantId, limit: int) -> bool:
        # Not NO KEY: whoever stores something for this tenant meanwhile waits, and then finds it or finds it gone.
        query = "SELECT 1 FROM tenants WHERE id = %s FOR UPDATE"
        require(await self._session.write(query, (findable(tenant_id),)), "tenant", tenant_id)
        return await erase(self._session, tenant_id, limit)

    async def after(self, tenant_id: TenantId | None, limit: int) -> Sequence[Tenant]:
        rows = await self._session.read(
            f"SELECT {TENANT} FROM tenants t WHERE id > %s ORDER BY id LIMIT %s", (findable(tenant_id or ""), limit)
        )
        return [tenant_of(row) for row in rows]

    async def newest(self, search: str, before: TenantId | None, limit: int) -> Sequence[Tenant]:
        rows = await self._session.read(
            f"SELECT {TENANT} FROM tenants t WHERE true{_NAMED if search else ''}"
            f"{'' if before is None else ' AND id < %(before)s'} ORDER BY id DESC LIMIT %(limit)s",
            {"search": findable(search), "before": before and findable(before), "limit": limit},
            plan_anew=bool(search),  # a rare part by its index, a common one through the newest
        )
        return [tenant_of(row) for row in rows]

    async def find_by_name(self, name: str) -> Tenant | None:
        rows = await self._session.read(
            f"SELECT {TENANT} FROM tenants t WHERE name = %s ORDER BY created_at, id LIMIT 1", (findable(name),)
        )
        return tenant_of(rows[0]) if rows else None


@repository(Users)
class PostgresUsers:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, user: User) -> None:
        await self._session.write(
            "INSERT INTO users (id, tenant_id, name, role, created_at, email, platform_admin)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s)",
            (
                user.id,
                user.tenant_id,
                user.name,
                user.role.value,
                user.created_at,
                user.email,
                user.platform_admin,
            ),
        )

    async def get(self, tenant_id: TenantId, user_id: UserId) -> User:
        rows = await self._session.read(
            f"SELECT {USER} FROM users u WHERE id = %s AND tenant_id = %s", (findable(user_id), findable(tenant_id))
        )
        [row] = require(rows, "user", user_id)
        return user_of(row)

    async def by_email(self, email: str) -> list[User]:
        rows = await self._session.read(
            f"SELECT {USER} FROM users u WHERE email = %s ORDER BY created_at, id LIMIT %s",
            (findable(email), MAX_MEMBERSHIPS),
        )
        return [user_of(row) for row in rows]

    async def owner(self, tenant_id: TenantId) -> User:
        rows = await self._session.read(
            f"SELECT {USER} FROM users u WHERE tenant_id = %s AND role = %s ORDER BY created_at, id LIMIT 1",
            (findable(tenant_id), Role.OWNER.value),
        )
        [row] = require(rows, "tenant", tenant_id)
        return user_of(row)

    async def count(self, tenant_id: TenantId) -> int:
        rows = await self._session.read("SELECT count(*) FROM users WHERE tenant_id = %s", (findable(tenant_id),))
        return int(rows[0][0])

    async def members(self, tenant_id: TenantId) -> list[Member]:
        rows = await self._session.read(
            f"SELECT {USER}, (SELECT max(last_used_at) FROM api_keys k WHERE k.user_id = u.id)"
            " FROM users u WHERE tenant_id = %s ORDER BY created_at, id LIMIT %s",
            (findable(tenant_id), MAX_MEMBERS_LISTED),
        )
        return [Member(user_of(row[:-1]), row[-1]) for row in rows]

    async def save(self, user: User) -> None:
        query = "UPDATE users SET name = %s, role = %s WHERE id = %s AND tenant_id = %s"
        ids = findable(user.id), findable(user.tenant_id)
        require(await self._session.change(query, (user.name, user.role.value, *ids)), "user", user.id)

    async def remove(self, tenant_id: TenantId, user_id: UserId) -> None:
        ids = findable(user_id), findable(tenant_id)
        await self._session.write(
            "DELETE FROM api_keys WHERE user_id = %s AND tenant_id = %s RETURNING pg_notify(%s, '')",
            (*ids, REVOKED_CHANNEL),
        )
        deleted = await self._session.change("DELETE FROM users WHERE id = %s AND tenant_id = %s", ids)
        require(deleted, "user", user_id)


@repository(ApiKeys)
class PostgresApiKeys:
    """Revoking a key notifies `REVOKED_CHANNEL`, so that whoever remembers keys can forget them at once."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, key: ApiKey) -> None:
        await self._session.write(
            "INSERT INTO api_keys (id, tenant_id, user_id, name, digest, hint, created_at, expires_at, revoked_at,"
            " last_used_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                key.id,
                key.tenant_id,
                key.user_id,
                key.name,
                key.digest,
                key.hint,
                key.created_at,
                key.expires_at,
                key.revoked_at,
                key.last_used_at,
            ),
        )

    async def identify(self, digest: str) -> Identity | None:
        return (await self.identify_all([digest])).get(digest)

    async def identify_all(self, digests: Sequence[str]) -> dict[str, Identity]:
        rows = await self._session.read(
            f"SELECT {TENANT}, {USER}, {KEY} FROM api_keys k JOIN users u ON u.id = k.user_id"
            " JOIN tenants t ON t.id = k.tenant_id WHERE k.digest = ANY(%s)",
            (findables(digests),),
        )
        return {identity.key.digest: identity for identity in map(_identity, rows)}

    async def get(self, tenant_id: TenantId, key_id: ApiKeyId) -> ApiKey:
        rows = await self._session.read(
            f"SELECT {KEY} FROM api_keys k WHERE id = %s AND tenant_id = %s", (findable(key_id), findable(tenant_id))
        )
        [row] = require(rows, "API key", key_id)
        return ApiKey(*row)

    async def list(self, tenant_id: TenantId, user_id: UserId | None = None) -> list[ApiKey]:
        one = user_id is not None  # told apart from a user that no row can hold, who has no keys
        rows = await self._session.read(
            f"SELECT {KEY} FROM api_keys k WHERE tenant_id = %s AND (NOT %s OR user_id = %s)"
            " ORDER BY created_at DESC, id DESC LIMIT %s",
            (findable(tenant_id), one, findable(user_id or ""), MAX_KEYS_LISTED),
        )
        return [ApiKey(*row) for row in rows]

    async def count_usable(self, tenant_id: TenantId, user_id: UserId, now: datetime) -> int:
        rows = await self._session.read(
            f"SELECT count(*) FROM api_keys WHERE tenant_id = %s AND user_id = %s AND {_USABLE}",
            (findable(tenant_id), findable(user_id), now),
        )
        return int(rows[0][0])

    async def forget_unusable(self, tenant_id: TenantId, now: datetime, keep: int) -> None:
        await self._session.write(
            f"DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE tenant_id = %s AND NOT ({_USABLE})"
            " ORDER BY created_at DESC, id DESC OFFSET %s)",
            (findable(tenant_id), now, keep),
        )

    async def revoke(self, tenant_id: TenantId, key_id: ApiKeyId, now: datetime) -> None:
        rows = await self._session.write(
            "UPDATE api_keys SET revoked_at = coalesce(revoked_at, %s) WHERE id = %s AND tenant_id = %s"
            " RETURNING pg_notify(%s, '')",
            (now, findable(key_id), findable(tenant_id), REVOKED_CHANNEL),
        )
        require(rows, "API key", key_id)

    async def touch(self, key_id: ApiKeyId, now: datetime) -> None:
        # Uses are recorded by several processes: the latest stands, whoever comes last.
        await self._session.change(
            "UPDATE api_keys SET last_used_at = greatest(last_used_at, %s) WHERE id = %s", (now, findable(key_id))
        )
