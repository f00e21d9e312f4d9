"""Idempotency keys: the first request with a key does the work, later ones get its result."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from contentgen_core.errors import IdempotencyKeyReused
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.idempotency import Idempotency, IdempotencyRecord
from contentgen_core.ports.unit_of_work import Transaction


@frozen
class IdempotencyKey:
    """`fingerprint`: a hash of the operation and the request's body."""

    key: str
    fingerprint: str


async def previous_result(
    tx: Transaction, tenant_id: TenantId, key: IdempotencyKey | None, now: datetime
) -> str | None:
    """The result id of an earlier request with this key; None without one, or without a key. Raises
    IdempotencyKeyReused if that was another request."""
    if key is None:
        return None
    record = await tx[Idempotency].find(tenant_id, key.key, now)
    if record is None:
        return None
    if record.fingerprint != key.fingerprint:
        raise IdempotencyKeyReused()
    return record.result_id


async def record_result(
    tx: Transaction, tenant_id: TenantId, key: IdempotencyKey | None, result_id: str, now: datetime
) -> None:
    """Record the result of a key, in the transaction that creates it. Raises AlreadyExists when another request was
    faster."""
    if key is not None:
        await tx[Idempotency].add(IdempotencyRecord(tenant_id, key.key, key.fingerprint, result_id, now))
