"""From a presented key to a caller."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.errors import Unauthenticated
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.runtime import Clock, KeyMaker
from contentgen_core.ports.unit_of_work import UnitOfWork

MAX_KEY = 200
TOUCH_AFTER_SECONDS = 60.0


@frozen
class Authenticate:
    unit_of_work: UnitOfWork
    keys: KeyMaker
    clock: Clock

    async def __call__(self, key: str) -> Caller:
        """Raises Unauthenticated for a key that is unknown, expired or revoked: the three look the same."""
        if not key or len(key) > MAX_KEY:
            raise Unauthenticated("A valid API key is needed: send it as X-API-Key or as Authorization: Bearer.")
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            identity = await tx.api_keys.identify(self.keys.digest(key))
            if identity is None or not identity.key.usable(now):
                raise Unauthenticated("This API key is unknown, expired or revoked.")
            last = identity.key.last_used_at
            if last is None or (now - last).total_seconds() > TOUCH_AFTER_SECONDS:
                await tx.api_keys.touch(identity.key.id, now)
        return Caller(
            tenant_id=identity.tenant.id,
            user_id=identity.user.id,
            plan=identity.tenant.plan,
            role=identity.user.role,
            platform_admin=identity.user.platform_admin,
        )
