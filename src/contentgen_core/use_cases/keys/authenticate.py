"""Return the caller of an API key."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from contentgen_core.errors import TenantSuspended, Unauthenticated
from contentgen_core.model.tenant import ApiKey, Caller
from contentgen_core.ports.repositories.tenants import ApiKeys, Identity
from contentgen_core.ports.runtime import Clock, KeyMaker
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

MAX_KEY = 200
TOUCH_AFTER_SECONDS = 60.0


@frozen
class AuthenticatedCaller:
    """The caller behind a key, and when the key expires."""

    caller: Caller
    expires_at: datetime | None = None


@use_case
class Authenticate:
    unit_of_work: UnitOfWork
    keys: KeyMaker
    clock: Clock

    async def __call__(self, key: str) -> Caller:
        """Raises as `identify` does."""
        return (await self.identify(key)).caller

    async def identify(self, key: str) -> AuthenticatedCaller:
        """The caller behind a key. Raises Unauthenticated for a key that is unknown, expired or revoked, without saying
        which, and TenantSuspended."""
        if not key or len(key) > MAX_KEY:
            raise Unauthenticated("A valid API key is needed: send it as X-API-Key or as Authorization: Bearer.")
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            identity = await tx[ApiKeys].identify(self.keys.digest(key))
            if identity is None or not identity.key.usable(now):
                raise Unauthenticated("This API key is unknown, expired or revoked.")
            if identity.tenant.suspended_at is not None:
                raise TenantSuspended("This tenant is suspended. Nothing of it is lost: ask whoever runs the service.")
            if _use_is_due(identity.key, now):
                await tx[ApiKeys].touch(identity.key.id, now)
        return _caller_of(identity)

    async def revalidate(self, digests: Sequence[str]) -> dict[str, AuthenticatedCaller]:
        """The callers behind keys that were valid before, by digest. Left out are keys that are not valid any more, and
        keys whose use has to be recorded, which `identify` does."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            found = await tx[ApiKeys].identify_all(digests)
        return {
            digest: _caller_of(identity)
            for digest, identity in found.items()
            if identity.key.usable(now) and identity.tenant.suspended_at is None and not _use_is_due(identity.key, now)
        }


def _use_is_due(key: ApiKey, now: datetime) -> bool:
    last = key.last_used_at
    return last is None or (now - last).total_seconds() > TOUCH_AFTER_SECONDS


def _caller_of(identity: Identity) -> AuthenticatedCaller:
    caller = Caller(
        tenant_id=identity.tenant.id,
        user_id=identity.user.id,
        plan=identity.tenant.plan,
        role=identity.user.role,
        platform_admin=identity.user.platform_admin,
    )
    return AuthenticatedCaller(caller, identity.key.expires_at)
