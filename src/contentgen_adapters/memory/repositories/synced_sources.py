"""Synced sources, and what is known of their items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from contentgen_adapters.memory.common_tables import TENANTS
from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import NotFound
from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import ItemCounts, ItemState, SkipReason, SyncedItem, SyncedSource
from contentgen_core.ports.repositories.synced_sources import SyncedSources

SYNCED_SOURCES: Final = TableOf[SyncedSourceId, SyncedSource]("synced_sources")
SYNCED_ITEMS: Final = TableOf[tuple[SyncedSourceId, str], SyncedItem]("synced_items")


@repository(SyncedSources)
class MemorySyncedSources:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[SYNCED_SOURCES], "source")

    async def add(self, source: SyncedSource) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], source.tenant_id, "tenant")
        self._session[SYNCED_SOURCES].put(source.id, source)

    async def get(self, tenant_id: TenantId, source_id: SyncedSourceId) -> SyncedSource:
        return await self._records.get(tenant_id, source_id)

    async def of_tenant(self, tenant_id: TenantId, limit: int) -> list[SyncedSource]:
        return sorted(self._records.of(tenant_id), key=lambda source: (source.created_at, source.id))[:limit]

    async def save(self, source: SyncedSource) -> SyncedSource:
        return await self._records.save(source)

    async def delete(self, tenant_id: TenantId, source_id: SyncedSourceId) -> None:
        await self._session.writing()
        self._session[SYNCED_SOURCES].drop((await self.get(tenant_id, source_id)).id)
        await self.drop_items(source_id, [item.key for item in self._of(source_id)])

    async def due(self, now: datetime, limit: int) -> list[SyncedSource]:
        due = [
            (source.next_sync_at, source.id, source)
            for source in self._session[SYNCED_SOURCES].rows()
            if not source.paused
            and source.next_sync_at is not None
            and source.next_sync_at <= now
            and ((tenant := self._session[TENANTS].get(source.tenant_id)) is None or tenant.suspended_at is None)
        ]
        return [source for *_, source in sorted(due, key=lambda one: one[:2])[:limit]]

    async def after(self, source_id: SyncedSourceId | None, limit: int) -> list[SyncedSource]:
        rows = [source for source in self._session[SYNCED_SOURCES].rows() if source.id > (source_id or "")]
        return sorted(rows, key=lambda source: source.id)[:limit]

    async def items(self, source_id: SyncedSourceId, keys: Sequence[str]) -> dict[str, SyncedItem]:
        found = {key: self._session[SYNCED_ITEMS].get((source_id, key)) for key in keys}
        return {key: item for key, item in found.items() if item is not None}

    async def save_items(self, items: Sequence[SyncedItem]) -> None:
        await self._session.writing()
        for item in items:
            if self._session[SYNCED_SOURCES].get(item.source_id) is None:
                raise NotFound("source", item.source_id)
            self._session[SYNCED_ITEMS].put((item.source_id, item.key), item)

    async def unseen(self, source_id: SyncedSourceId, since: datetime, limit: int) -> list[SyncedItem]:
        return self._first(source_id, lambda item: item.seen_at < since and item.missing_since is None, limit)

    async def duplicates(
        self, source_id: SyncedSourceId, content_hashes: Sequence[str], since: datetime
    ) -> dict[str, SyncedItem]:
        wanted = set(content_hashes)
        seen = [i for i in self._of(source_id) if i.seen_at >= since]
        found = [i for i in seen if i.skipped is SkipReason.DUPLICATE and i.content_hash in wanted]
        return {i.content_hash: i for i in sorted(found, key=lambda i: i.key, reverse=True) if i.content_hash}

    async def expired(self, source_id: SyncedSourceId, missing_until: datetime, limit: int) -> list[SyncedItem]:
        return self._first(
            source_id, lambda item: item.missing_since is not None and item.missing_since <= missing_until, limit
        )

    async def drop_items(self, source_id: SyncedSourceId, keys: Sequence[str]) -> None:
        await self._session.writing()
        for key in keys:
            self._session[SYNCED_ITEMS].drop((source_id, key))

    async def counts(self, source_id: SyncedSourceId, since: datetime) -> ItemCounts:
        items = self._of(source_id)
        listed = [item for item in items if item.missing_since is None]
        skipped = Counter(item.skipped for item in listed if item.skipped and item.seen_at >= since)
        added = [item for item in items if item.added_at is not None and item.added_at >= since]
        changed = [item for item in items if item.changed_at is not None and item.changed_at >= since]
        return ItemCounts(
            held=sum(item.document_id is not None for item in listed),
            missing=len(items) - len(listed),
            skipped=dict[SkipReason, int](skipped),
            added=len(added),
            changed=sum(item not in added for item in changed),
            read=sum(item.read_at is not None and item.read_at >= since for item in items),
            known=len(items),
        )

    async def page_items(
        self, source_id: SyncedSourceId, state: ItemState | None, after: str | None, limit: int
    ) -> list[SyncedItem]:
        def wanted(item: SyncedItem) -> bool:
            return item.key > (after or "") and state in (None, item.state)

        return self._first(source_id, wanted, limit)

    def _of(self, source_id: SyncedSourceId) -> list[SyncedItem]:
        return [item for item in self._session[SYNCED_ITEMS].rows() if item.source_id == source_id]

    def _first(self, source_id: SyncedSourceId, wanted: Callable[[SyncedItem], bool], limit: int) -> list[SyncedItem]:
        return sorted(filter(wanted, self._of(source_id)), key=lambda item: item.key)[:limit]
