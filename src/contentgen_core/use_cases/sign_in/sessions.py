"""Sessions of browsers: begun by a link or an API key, looked up with each request, ended."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import frozen

from contentgen_core.errors import NotFound, TenantSuspended, Unauthenticated
from contentgen_core.link_errors import SignInInvalid
from contentgen_core.model.ids import ApiKeyId, TenantId, UserId, WebSessionId
from contentgen_core.model.sign_in import SESSION_IDLE, SESSION_LASTS, WebSession
from contentgen_core.model.tenant import Caller, Tenant, User
from contentgen_core.ports.mail import SignInClaim, SignInTokens
from contentgen_core.ports.repositories.sign_in import SignedIn, SignInLinks, WebSessions
from contentgen_core.ports.repositories.tenants import ApiKeys, Tenants, Users
from contentgen_core.ports.runtime import Clock, Ids, KeyMaker
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.keys.authenticate import Authenticate
from contentgen_core.use_cases.sign_in.lookups import SessionLookups
from contentgen_core.use_cases.use_case import use_case

TOUCH_AFTER_SECONDS: Final = 300.0
FORGOTTEN: Final = 500
"""Ended sessions that a new one removes at most."""
MAX_TOKEN: Final = 200
_SUSPENDED: Final = "This tenant is suspended. Nothing of it is lost: ask whoever runs the service."


@frozen
class SignedInPerson:
    """The person behind a request of a browser."""

    session: WebSession
    caller: Caller
    user: User
    tenant: Tenant


@frozen
class NewSession:
    """A session just begun. `token`: kept by the browser, and not stored here."""

    session: WebSession
    token: str


@use_case
class ManageWebSessions:
    unit_of_work: UnitOfWork
    lookups: SessionLookups
    authenticate: Authenticate
    tokens: SignInTokens
    keys: KeyMaker
    clock: Clock
    ids: Ids

    async def person_of_link(self, token: str) -> tuple[User, Tenant]:
        """Return the user that a link signs in, without using it up. Raises SignInInvalid."""
        claim = self._claim(token)
        async with self.unit_of_work() as tx:
            try:
                link = await tx[SignInLinks].get(claim.tenant_id, claim.link_id)
                if link.nonce != claim.nonce:
                    raise SignInInvalid
                return await tx[Users].get(link.tenant_id, link.user_id), await tx[Tenants].get(link.tenant_id)
            except NotFound as exc:
                raise SignInInvalid from exc

    async def begin_by_link(self, token: str) -> NewSession:
        """A session of the member whose link this is, which it uses up. Raises SignInInvalid, TenantSuspended."""
        claim = self._claim(token)
        async with self.unit_of_work() as tx:
            link = await tx[SignInLinks].take(claim.tenant_id, claim.link_id)
            if link is None or link.nonce != claim.nonce:
                raise SignInInvalid
            tenant = await tx[Tenants].get(link.tenant_id)
            if tenant.suspended_at is not None:
                raise TenantSuspended(_SUSPENDED)
            return await self._begun(tx, link.tenant_id, link.user_id)

    async def begin_by_key(self, key: str) -> NewSession:
        """A session of the key's user, which ends with the key. Raises Unauthenticated, TenantSuspended."""
        recognised = await self.authenticate.identify(key)
        caller = recognised.caller
        async with self.unit_of_work() as tx:
            identity = await tx[ApiKeys].identify(self.keys.digest(key))
            if identity is None:
                raise Unauthenticated("This API key is unknown, expired or revoked.")
            return await self._begun(tx, caller.tenant_id, caller.user_id, identity.key.id)

    async def begin_for(self, tenant_id: TenantId, user_id: UserId) -> NewSession:
        """A session of a member whom a provider of sign-ins has identified. Raises NotFound, TenantSuspended."""
        async with self.unit_of_work() as tx:
            if (await tx[Tenants].get(tenant_id)).suspended_at is not None:
                raise TenantSuspended(_SUSPENDED)
            await tx[Users].get(tenant_id, user_id)
            return await self._begun(tx, tenant_id, user_id)

    async def identify(self, token: str) -> SignedInPerson:
        """The person behind a session's token. Raises Unauthenticated for one that is unknown or has ended, or whose
        key has; TenantSuspended."""
        if not token or len(token) > MAX_TOKEN:
            raise Unauthenticated("Sign in first.")
        now, found = self.clock.now(), await self.lookups.find(self.keys.digest(token))
        if found is None or not _usable(found, now):
            raise Unauthenticated("Sign in again: this session has ended.")
        if found.tenant.suspended_at is not None:
            raise TenantSuspended(_SUSPENDED)
        if (now - found.session.last_used_at).total_seconds() > TOUCH_AFTER_SECONDS:
            async with self.unit_of_work() as tx:
                await tx[WebSessions].touch(found.session.id, now)
        user, tenant = found.user, found.tenant
        caller = Caller(tenant.id, user.id, tenant.plan, user.role, user.platform_admin)
        return SignedInPerson(found.session, caller, user, tenant)

    async def end(self, session: WebSession) -> None:
        """Idempotent."""
        async with self.unit_of_work() as tx:
            await tx[WebSessions].remove(session.tenant_id, session.id)

    async def end_others(self, session: WebSession) -> int:
        """End the other sessions of this session's user; how many there were."""
        async with self.unit_of_work() as tx:
            found = await tx[WebSessions].of_user(session.tenant_id, session.user_id)
            others = [other for other in found if other.id != session.id]
            for other in others:
                await tx[WebSessions].remove(other.tenant_id, other.id)
        return len(others)

    async def _begun(
        self, tx: Transaction, tenant_id: TenantId, user_id: UserId, key_id: ApiKeyId | None = None
    ) -> NewSession:
        now, token = self.clock.now(), self.keys.new_key()
        await tx[WebSessions].forget_unused(now - SESSION_LASTS, now - SESSION_IDLE, FORGOTTEN)
        session = WebSession(
            id=WebSessionId(self.ids.new()),
            tenant_id=tenant_id,
            user_id=user_id,
            digest=self.keys.digest(token),
            created_at=now,
            last_used_at=now,
            key_id=key_id,
        )
        await tx[WebSessions].add(session)
        return NewSession(session, token)

    def _claim(self, token: str) -> SignInClaim:
        claim = self.tokens.read(token)
        if claim is None or self.clock.now() >= claim.expires_at:
            raise SignInInvalid
        return claim


def _usable(found: SignedIn, now: datetime) -> bool:
    if found.session.key_id is not None and (found.key is None or not found.key.usable(now)):
        return False
    return found.session.usable(now)
