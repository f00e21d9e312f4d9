"""Which Idempotency-Keys were used, and for what."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.idempotency import Idempotency, IdempotencyRecord

IDEMPOTENCY: Final = TableOf[tuple[TenantId, str], IdempotencyRecord]("idempotency")

KEPT: Final = timedelta(hours=24)


@repository(Idempotency)
class MemoryIdempotency:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, tenant_id: TenantId, key: str, now: datetime) -> IdempotencyRecord | None:
        record = self._session[IDEMPOTENCY].get((tenant_id, key))
        return record if record is not None and now - record.created_at < KEPT else None

    async def add(self, record: IdempotencyRecord) -> None:
        await self._session.writing()
        if await self.find(record.tenant_id, record.key, record.created_at) is not None:
            raise AlreadyExists("This Idempotency-Key was used in the last 24 hours.")
        self._session[IDEMPOTENCY].put((record.tenant_id, record.key), record)
