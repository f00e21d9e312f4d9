"""Idempotency keys: the first call with a key does the work, later ones get what it made."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from contentgen_core.errors import IdempotencyKeyReused
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.idempotency import IdempotencyRecord
from contentgen_core.ports.unit_of_work import Transaction


@frozen
class IdempotencyKey:
    """`fingerprint`: hash of the operation and the request's body."""

    key: str
    fingerprint: str


async def made_before(tx: Transaction, tenant_id: TenantId, key: IdempotencyKey | None, now: datetime) -> str | None:
    """The id of what an earlier call with this key made. Raises IdempotencyKeyReused for another request's key."""
    if key is None:
        return None
    record = await tx.idempotency.find(tenant_id, key.key, now)
    if record is None:
        return None
    if record.fingerprint != key.fingerprint:
        raise IdempotencyKeyReused()
    return record.result_id


async def remember(tx: Transaction, tenant_id: TenantId, key: IdempotencyKey | None, made: str, now: datetime) -> None:
    """Tie what is being made to the key, in the same transaction. Raises AlreadyExists when another call was first."""
    if key is not None:
        await tx.idempotency.add(IdempotencyRecord(tenant_id, key.key, key.fingerprint, made, now))
