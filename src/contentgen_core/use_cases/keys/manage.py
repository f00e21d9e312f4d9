"""Create, list and revoke API keys. A key is shown once, at its creation; only its digest is kept."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.ids import ApiKeyId, TenantId, UserId
from contentgen_core.model.tenant import ApiKey, Caller, Role
from contentgen_core.policies.access import require_role
from contentgen_core.ports.runtime import Clock, Ids, KeyMaker
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork

MAX_NAME = 100


@frozen
class NewKey:
    """`secret` is the key itself."""

    key: ApiKey
    secret: str


@frozen
class ManageKeys:
    unit_of_work: UnitOfWork
    keys: KeyMaker
    clock: Clock
    ids: Ids

    async def create(self, caller: Caller, name: str, expires_at: datetime | None = None) -> NewKey:
        """A key of the caller's own user. Raises InvalidInput, NotPermitted."""
        name = name.strip()
        if not 1 <= len(name) <= MAX_NAME or "\0" in name:
            raise InvalidInput.of("name", f"between 1 and {MAX_NAME} characters")
        if expires_at is not None and expires_at <= self.clock.now():
            raise InvalidInput.of("expiresAt", "must be in the future")
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            return await self.create_in(tx, caller.tenant_id, caller.user_id, name, expires_at)

    async def create_in(
        self, tx: Transaction, tenant_id: TenantId, user_id: UserId, name: str, expires_at: datetime | None = None
    ) -> NewKey:
        """The same as a step of a larger transaction, for operators: nobody is asked for a role."""
        secret = self.keys.new_key()
        key = ApiKey(
            id=ApiKeyId(self.ids.new()),
            tenant_id=tenant_id,
            user_id=user_id,
            name=name,
            digest=self.keys.digest(secret),
            hint=secret[-4:],
            created_at=self.clock.now(),
            expires_at=expires_at,
        )
        await tx.api_keys.add(key)
        return NewKey(key, secret)

    async def list(self, caller: Caller) -> list[ApiKey]:
        """The tenant's keys, newest first. Raises NotPermitted."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            return await tx.api_keys.list(caller.tenant_id)

    async def revoke(self, caller: Caller, key_id: ApiKeyId) -> None:
        """Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            await tx.api_keys.revoke(caller.tenant_id, key_id, self.clock.now())
