"""Links that sign members in, and sessions of browsers."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.knowledge_rows import findables
from contentgen_adapters.postgres.repositories.tenants import (
    KEY,
    TENANT,
    TENANT_WIDTH,
    USER,
    USER_WIDTH,
    tenant_of,
    user_of,
)
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.model.ids import SignInLinkId, TenantId, UserId, WebSessionId
from contentgen_core.model.sign_in import SignInLink, WebSession
from contentgen_core.model.tenant import ApiKey
from contentgen_core.ports.repositories.sign_in import SignedIn, SignInLinks, WebSessions

MAX_SESSIONS_LISTED: Final = 100

_LINK: Final = "id, tenant_id, user_id, nonce, created_at, expires_at"
_SESSION: Final = "s.id, s.tenant_id, s.user_id, s.digest, s.created_at, s.last_used_at, s.key_id"
_SESSION_WIDTH: Final = _SESSION.count(",") + 1


@repository(SignInLinks)
class PostgresSignInLinks:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, link: SignInLink) -> None:
        await self._session.write(
            f"INSERT INTO sign_in_links ({_LINK}) VALUES (%s, %s, %s, %s, %s, %s)",
            (link.id, link.tenant_id, link.user_id, link.nonce, link.created_at, link.expires_at),
        )

    async def get(self, tenant_id: TenantId, link_id: SignInLinkId) -> SignInLink:
        rows = await self._session.read(
            f"SELECT {_LINK} FROM sign_in_links WHERE id = %s AND tenant_id = %s",
            (findable(link_id), findable(tenant_id)),
        )
        [row] = require(rows, "sign-in link", link_id)
        return SignInLink(*row)

    async def take(self, tenant_id: TenantId, link_id: SignInLinkId) -> SignInLink | None:
        rows = await self._session.write(
            f"DELETE FROM sign_in_links WHERE id = %s AND tenant_id = %s RETURNING {_LINK}",
            (findable(link_id), findable(tenant_id)),
        )
        return SignInLink(*rows[0]) if rows else None

    async def forget_expired(self, now: datetime, limit: int) -> int:
        return await self._session.change(
            "DELETE FROM sign_in_links WHERE id IN (SELECT id FROM sign_in_links WHERE expires_at < %s LIMIT %s)",
            (now, limit),
        )


def _signed_in(row: Row) -> SignedIn:
    user_end = _SESSION_WIDTH + USER_WIDTH
    tenant_end = user_end + TENANT_WIDTH
    session = WebSession(*row[:_SESSION_WIDTH])
    return SignedIn(
        session,
        user_of(row[_SESSION_WIDTH:user_end]),
        tenant_of(row[user_end:tenant_end]),
        ApiKey(*row[tenant_end:]) if session.key_id is not None else None,
    )


@repository(WebSessions)
class PostgresWebSessions:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, session: WebSession) -> None:
        await self._session.write(
            "INSERT INTO web_sessions (id, tenant_id, user_id, digest, created_at, last_used_at, key_id)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s)",
            (
                session.id,
                session.tenant_id,
                session.user_id,
                session.digest,
                session.created_at,
                session.last_used_at,
                session.key_id,
            ),
        )

    async def identify(self, digest: str) -> SignedIn | None:
        return (await self.identify_all([digest])).get(digest)

    async def identify_all(self, digests: Collection[str]) -> dict[str, SignedIn]:
        rows = await self._session.read(
            f"SELECT {_SESSION}, {USER}, {TENANT}, {KEY} FROM web_sessions s JOIN users u ON u.id = s.user_id"
            " JOIN tenants t ON t.id = s.tenant_id LEFT JOIN api_keys k ON k.id = s.key_id WHERE s.digest = ANY(%s)",
            (findables(digests),),
        )
        return {found.session.digest: found for found in map(_signed_in, rows)}

    async def touch(self, session_id: WebSessionId, now: datetime) -> None:
        await self._session.change(
            "UPDATE web_sessions SET last_used_at = greatest(last_used_at, %s) WHERE id = %s",
            (now, findable(session_id)),
        )

    async def of_user(self, tenant_id: TenantId, user_id: UserId) -> list[WebSession]:
        rows = await self._session.read(
            f"SELECT {_SESSION} FROM web_sessions s WHERE tenant_id = %s AND user_id = %s"
            " ORDER BY last_used_at DESC, id DESC LIMIT %s",
            (findable(tenant_id), findable(user_id), MAX_SESSIONS_LISTED),
        )
        return [WebSession(*row) for row in rows]

    async def remove(self, tenant_id: TenantId, session_id: WebSessionId) -> None:
        await self._session.change(
            "DELETE FROM web_sessions WHERE id = %s AND tenant_id = %s", (findable(session_id), findable(tenant_id))
        )

    async def forget_unused(self, created_before: datetime, used_before: datetime, limit: int) -> int:
        return await self._session.change(
            "DELETE FROM web_sessions WHERE id IN (SELECT id FROM web_sessions WHERE created_at < %s"
            " UNION SELECT id FROM web_sessions WHERE last_used_at < %s LIMIT %s)",
            (created_before, used_before, limit),
        )
