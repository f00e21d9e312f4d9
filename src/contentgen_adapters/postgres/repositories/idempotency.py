"""Which Idempotency-Keys were used, and for what."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.idempotency import Idempotency, IdempotencyRecord

KEPT: Final = timedelta(hours=24)
# Each call clears up after a few others, so that keys which nobody sends again do not pile up.
_SWEPT_AT_ONCE: Final = 10

_SWEEP: Final = (
    "DELETE FROM idempotency_keys WHERE ctid IN (SELECT ctid FROM idempotency_keys WHERE created_at <= %(oldest)s"
    " AND (tenant_id, key_digest) <> (%(tenant_id)s, %(key_digest)s) ORDER BY created_at"
    f" LIMIT {_SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)"
)
# Waits for a transaction that is inserting the same key, and then judges what it left.
_ADD: Final = (
    f"WITH swept AS ({_SWEEP}) INSERT INTO idempotency_keys AS k"
    " (tenant_id, key, key_digest, fingerprint, result_id, created_at)"
    " VALUES (%(tenant_id)s, %(key)s, %(key_digest)s, %(fingerprint)s, %(result_id)s, %(created_at)s)"
    " ON CONFLICT (tenant_id, key_digest) DO UPDATE SET fingerprint = excluded.fingerprint,"
    " result_id = excluded.result_id, created_at = excluded.created_at WHERE k.created_at <= %(oldest)s"
)


@repository(Idempotency)
class PostgresIdempotency:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, tenant_id: TenantId, key: str, now: datetime) -> IdempotencyRecord | None:
        rows = await self._session.read(
            "SELECT tenant_id, key, fingerprint, result_id, created_at FROM idempotency_keys"
            " WHERE tenant_id = %s AND key_digest = %s AND created_at > %s",
            (findable(tenant_id), digest(key), now - KEPT),
        )
        return IdempotencyRecord(*rows[0]) if rows else None

    async def add(self, record: IdempotencyRecord) -> None:
        added = await self._session.change(
            _ADD,
            {
                "tenant_id": record.tenant_id,
                "key": record.key,
                "key_digest": digest(record.key),
                "fingerprint": record.fingerprint,
                "result_id": record.result_id,
                "created_at": record.created_at,
                "oldest": record.created_at - KEPT,
            },
        )
        if not added:
            raise AlreadyExists("This Idempotency-Key was used in the last 24 hours.")
