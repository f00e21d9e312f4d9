"""Links that sign members in, and sessions of browsers."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import API_KEYS, SIGN_IN_LINKS, TENANTS, USERS, WEB_SESSIONS
from contentgen_adapters.memory.records import existing, owned
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.ids import SignInLinkId, TenantId, UserId, WebSessionId
from contentgen_core.model.sign_in import SignInLink, WebSession
from contentgen_core.ports.repositories.sign_in import SignedIn, SignInLinks, WebSessions

MAX_SESSIONS_LISTED: Final = 100


@repository(SignInLinks)
class MemorySignInLinks:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, link: SignInLink) -> None:
        await self._session.writing()
        existing(self._session[USERS], link.user_id, "user")
        self._session[SIGN_IN_LINKS].put(link.id, link)

    async def get(self, tenant_id: TenantId, link_id: SignInLinkId) -> SignInLink:
        return owned(self._session[SIGN_IN_LINKS], tenant_id, link_id, "sign-in link")

    async def take(self, tenant_id: TenantId, link_id: SignInLinkId) -> SignInLink | None:
        await self._session.writing()
        link = self._session[SIGN_IN_LINKS].get(link_id)
        if link is None or link.tenant_id != tenant_id:
            return None
        self._session[SIGN_IN_LINKS].drop(link_id)
        return link

    async def forget_expired(self, now: datetime, limit: int) -> int:
        await self._session.writing()
        expired = [link for link in self._session[SIGN_IN_LINKS].rows() if link.expires_at < now][:limit]
        for link in expired:
            self._session[SIGN_IN_LINKS].drop(link.id)
        return len(expired)


@repository(WebSessions)
class MemoryWebSessions:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, session: WebSession) -> None:
        await self._session.writing()
        existing(self._session[USERS], session.user_id, "user")
        if session.key_id is not None:
            existing(self._session[API_KEYS], session.key_id, "API key")
        self._session[WEB_SESSIONS].put(session.id, session)

    async def identify(self, digest: str) -> SignedIn | None:
        session = next((s for s in self._session[WEB_SESSIONS].rows() if s.digest == digest), None)
        if session is None:
            return None
        user, tenant = self._session[USERS].get(session.user_id), self._session[TENANTS].get(session.tenant_id)
        key = None if session.key_id is None else self._session[API_KEYS].get(session.key_id)
        return None if user is None or tenant is None else SignedIn(session, user, tenant, key)

    async def identify_all(self, digests: Collection[str]) -> dict[str, SignedIn]:
        found = {digest: await self.identify(digest) for digest in digests}
        return {digest: signed_in for digest, signed_in in found.items() if signed_in is not None}

    async def touch(self, session_id: WebSessionId, now: datetime) -> None:
        await self._session.writing()
        session = self._session[WEB_SESSIONS].get(session_id)
        if session is not None:
            used = evolve(session, last_used_at=max(session.last_used_at, now))
            self._session[WEB_SESSIONS].put(session_id, used)

    async def of_user(self, tenant_id: TenantId, user_id: UserId) -> list[WebSession]:
        own = [s for s in self._session[WEB_SESSIONS].rows() if (s.tenant_id, s.user_id) == (tenant_id, user_id)]
        return sorted(own, key=lambda s: (s.last_used_at, s.id), reverse=True)[:MAX_SESSIONS_LISTED]

    async def remove(self, tenant_id: TenantId, session_id: WebSessionId) -> None:
        await self._session.writing()
        session = self._session[WEB_SESSIONS].get(session_id)
        if session is not None and session.tenant_id == tenant_id:
            self._session[WEB_SESSIONS].drop(session_id)

    async def forget_unused(self, created_before: datetime, used_before: datetime, limit: int) -> int:
        await self._session.writing()
        unused = [
            session
            for session in self._session[WEB_SESSIONS].rows()
            if session.created_at < created_before or session.last_used_at < used_before
        ][:limit]
        for session in unused:
            self._session[WEB_SESSIONS].drop(session.id)
        return len(unused)
