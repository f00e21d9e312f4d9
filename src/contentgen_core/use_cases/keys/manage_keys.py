"""Create, list and revoke API keys. A key is shown once, when it is created; only its digest is stored.

Admins manage the keys of every user whose role is not above theirs; all others see and revoke their own."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from contentgen_core.errors import Faults, NotFound, QuotaExceeded
from contentgen_core.model.ids import ApiKeyId, TenantId, UserId
from contentgen_core.model.tenant import ApiKey, Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.tenancy.team import check_may_change
from contentgen_core.policies.text.names import checked_name
from contentgen_core.ports.repositories.tenants import ApiKeys, Tenants, Users
from contentgen_core.ports.runtime import Clock, Ids, KeyMaker
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.locked_team import current_user
from contentgen_core.use_cases.use_case import use_case

MAX_USABLE = 100  # of one user
KEPT_UNUSABLE = 500  # of a tenant, for the list


@frozen
class NewKey:
    """`secret`: the key itself."""

    key: ApiKey
    secret: str


@use_case
class ManageKeys:
    unit_of_work: UnitOfWork
    keys: KeyMaker
    clock: Clock
    ids: Ids

    async def create(
        self, caller: Caller, name: str, expires_at: datetime | None = None, user_id: UserId | None = None
    ) -> NewKey:
        """Create a key of the caller's own user, or (`user_id`) of another one whose role is not above the caller's.

        Raises InvalidInput, NotPermitted, NotFound, and QuotaExceeded when the user has `MAX_USABLE` keys."""
        now, faults = self.clock.now(), Faults()
        name = faults.checked(checked_name, name)
        if expires_at is not None and expires_at <= now:
            faults.add("expiresAt", "must be in the future")
        faults.require_none()
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)
            actor = await current_user(tx, caller)
            user = actor if user_id is None else await tx[Users].get(caller.tenant_id, user_id)
            check_may_change(actor.role, user.role)
            usable = await tx[ApiKeys].count_usable(caller.tenant_id, user.id, now)
            if usable >= MAX_USABLE:
                text = f"Each person can have {MAX_USABLE} API keys that work. Revoke one first."
                raise QuotaExceeded(text, limit=MAX_USABLE, used=usable, resets_at=None)
            await tx[ApiKeys].forget_unusable(caller.tenant_id, now, keep=KEPT_UNUSABLE)
            return await self.create_in(tx, caller.tenant_id, user.id, name, expires_at)

    async def create_in(
        self, tx: Transaction, tenant_id: TenantId, user_id: UserId, name: str, expires_at: datetime | None = None
    ) -> NewKey:
        """Create a key in the caller's transaction, for operators: without a check of roles."""
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
        await tx[ApiKeys].add(key)
        return NewKey(key, secret)

    async def list(self, caller: Caller) -> list[ApiKey]:
        """Newest first: the tenant's keys for admins, their own for all others."""
        everybody = caller.role.includes(Role.ADMIN)
        async with self.unit_of_work() as tx:
            return await tx[ApiKeys].list(caller.tenant_id, None if everybody else caller.user_id)

    async def revoke(self, caller: Caller, key_id: ApiKeyId) -> None:
        """Revoke one's own key or, as an admin, that of a user whose role is not above the caller's. Raises
        NotPermitted, NotFound."""
        async with self.unit_of_work() as tx:
            try:
                key = await tx[ApiKeys].get(caller.tenant_id, key_id)
            except NotFound:
                require_role(caller, Role.ADMIN)  # others must not learn which keys exist
                raise
            if key.user_id != caller.user_id:
                require_role(caller, Role.ADMIN)
                check_may_change(
                    (await current_user(tx, caller)).role, (await tx[Users].get(caller.tenant_id, key.user_id)).role
                )
            await tx[ApiKeys].revoke(caller.tenant_id, key_id, self.clock.now())
