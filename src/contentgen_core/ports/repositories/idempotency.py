"""Idempotency keys and the results of their first requests."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.ids import TenantId


@frozen
class IdempotencyRecord:
    """`fingerprint`: a hash of the operation and its body; `result_id`: what the first request made."""

    tenant_id: TenantId
    key: str
    fingerprint: str
    result_id: str
    created_at: datetime


class Idempotency(Protocol):
    async def find(self, tenant_id: TenantId, key: str, now: datetime) -> IdempotencyRecord | None:
        """The record of a key that was used in the last 24 hours."""
        ...

    async def add(self, record: IdempotencyRecord) -> None:
        """Raises AlreadyExists when the key was used in the last 24 hours; waits for a transaction that is adding it.
        An older record is replaced."""
        ...
