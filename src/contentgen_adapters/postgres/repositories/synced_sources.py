"""Synced sources, and what is known of their items."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repositories.knowledge_rows import findables
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import ItemCounts, ItemState, SkipReason, SyncedItem, SyncedSource
from contentgen_core.ports.repositories.synced_sources import SyncedSources

_COLUMNS: Final = (
    "source_id, key, seen_at, fingerprint, title, document_id, content_hash, added_at, changed_at, missing_since,"
    " skipped, version, read_at"
)
_SAVE: Final = (
    f"INSERT INTO synced_items ({_COLUMNS}) SELECT * FROM unnest(%s::text[], %s::text[], %s::timestamptz[],"
    " %s::text[], %s::text[], %s::text[], %s::text[], %s::timestamptz[], %s::timestamptz[], %s::timestamptz[],"
    " %s::text[], %s::text[], %s::timestamptz[]) ON CONFLICT (source_id, key) DO UPDATE SET seen_at = excluded.seen_at,"
    " fingerprint = excluded.fingerprint, title = excluded.title, document_id = excluded.document_id,"
    " content_hash = excluded.content_hash, added_at = excluded.added_at, changed_at = excluded.changed_at,"
    " missing_since = excluded.missing_since, skipped = excluded.skipped,"
    " version = excluded.version, read_at = excluded.read_at"
)
_COUNTS: Final = (
    "SELECT skipped, count(*) FILTER (WHERE missing_since IS NOT NULL),"
    " count(*) FILTER (WHERE missing_since IS NULL AND document_id IS NOT NULL),"
    " count(*) FILTER (WHERE missing_since IS NULL AND seen_at >= %(since)s),"
    " count(*) FILTER (WHERE added_at >= %(since)s),"
    " count(*) FILTER (WHERE changed_at >= %(since)s AND added_at < %(since)s),"
    " count(*) FILTER (WHERE read_at >= %(since)s), count(*)"
    " FROM synced_items WHERE source_id = %(source)s GROUP BY skipped"
)
_IN_STATE: Final = {
    None: "",
    ItemState.STORED: " AND missing_since IS NULL AND skipped IS NULL",
    ItemState.SKIPPED: " AND missing_since IS NULL AND skipped IS NOT NULL",
    ItemState.MISSING: " AND missing_since IS NOT NULL",
}


@repository(SyncedSources)
class PostgresSyncedSources:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "synced_sources", SyncedSource, "source")

    async def add(self, source: SyncedSource) -> None:
        await self._records.add(source, {**_columns(source), "created_at": source.created_at})

    async def get(self, tenant_id: TenantId, source_id: SyncedSourceId) -> SyncedSource:
        return await self._records.get(tenant_id, source_id)

    async def of_tenant(self, tenant_id: TenantId, limit: int) -> list[SyncedSource]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM synced_sources WHERE tenant_id = %s ORDER BY created_at, id LIMIT %s",
            (findable(tenant_id), limit),
        )
        return [self._records.read(row) for row in rows]

    async def save(self, source: SyncedSource) -> SyncedSource:
        return await self._records.save(source, _columns(source))

    async def delete(self, tenant_id: TenantId, source_id: SyncedSourceId) -> None:
        deleted = await self._session.change(
            "DELETE FROM synced_sources WHERE id = %s AND tenant_id = %s", (findable(source_id), findable(tenant_id))
        )
        require(deleted, "source", source_id)

    async def due(self, now: datetime, limit: int) -> list[SyncedSource]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM synced_sources WHERE next_sync_at <= %s AND NOT EXISTS"
            " (SELECT 1 FROM tenants WHERE id = synced_sources.tenant_id AND suspended_at IS NOT NULL)"
            " ORDER BY next_sync_at, id LIMIT %s",
            (now, limit),
        )
        return [self._records.read(row) for row in rows]

    async def after(self, source_id: SyncedSourceId | None, limit: int) -> list[SyncedSource]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM synced_sources WHERE id > %s ORDER BY id LIMIT %s",
            (findable(source_id or "") or "", limit),
        )
        return [self._records.read(row) for row in rows]

    async def items(self, source_id: SyncedSourceId, keys: Sequence[str]) -> dict[str, SyncedItem]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM synced_items WHERE source_id = %s AND key = ANY(%s)",
            (findable(source_id), findables(keys)),
        )
        return {item.key: item for item in map(_item, rows)}

    async def save_items(self, items: Sequence[SyncedItem]) -> None:
        if items:
            rows = [_values(item) for item in {(i.source_id, i.key): i for i in items}.values()]
            await self._session.change(_SAVE, tuple(map(list, zip(*rows, strict=True))))

    async def unseen(self, source_id: SyncedSourceId, since: datetime, limit: int) -> list[SyncedItem]:
        return await self._read("seen_at < %s AND missing_since IS NULL", source_id, since, limit)

    async def duplicates(
        self, source_id: SyncedSourceId, content_hashes: Sequence[str], since: datetime
    ) -> dict[str, SyncedItem]:
        rows = await self._session.read(
            f"SELECT DISTINCT ON (content_hash) {_COLUMNS} FROM synced_items WHERE source_id = %s"
            " AND skipped = 'duplicate' AND content_hash = ANY(%s) AND seen_at >= %s ORDER BY content_hash, key",
            (findable(source_id), list(content_hashes), since),
        )
        return {item.content_hash: item for item in map(_item, rows) if item.content_hash}

    async def expired(self, source_id: SyncedSourceId, missing_until: datetime, limit: int) -> list[SyncedItem]:
        return await self._read("missing_since <= %s", source_id, missing_until, limit)

    async def drop_items(self, source_id: SyncedSourceId, keys: Sequence[str]) -> None:
        await self._session.change(
            "DELETE FROM synced_items WHERE source_id = %s AND key = ANY(%s)", (findable(source_id), findables(keys))
        )

    async def counts(self, source_id: SyncedSourceId, since: datetime) -> ItemCounts:
        rows = await self._session.read(_COUNTS, {"source": findable(source_id), "since": since})
        return ItemCounts(
            held=sum(held for _, _, held, *_ in rows),
            missing=sum(missing for _, missing, *_ in rows),
            skipped={SkipReason(reason): n for reason, _, _, n, *_ in rows if reason is not None and n},
            added=sum(added for *_, added, _, _, _ in rows),
            changed=sum(changed for *_, changed, _, _ in rows),
            read=sum(read for *_, read, _ in rows),
            known=sum(known for *_, known in rows),
        )

    async def page_items(
        self, source_id: SyncedSourceId, state: ItemState | None, after: str | None, limit: int
    ) -> list[SyncedItem]:
        return await self._read(f"key > %s{_IN_STATE[state]}", source_id, findable(after or "") or "", limit)

    async def _read(self, condition: str, source_id: SyncedSourceId, value: Any, limit: int) -> list[SyncedItem]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM synced_items WHERE source_id = %s AND {condition} ORDER BY key LIMIT %s",
            (findable(source_id), value, limit),
        )
        return list(map(_item, rows))


def _columns(source: SyncedSource) -> dict[str, Any]:
    return {"next_sync_at": None if source.paused else source.next_sync_at}


def _item(row: Row) -> SyncedItem:
    source_id, key, seen_at, *known, added_at, changed_at, missing_since, skipped, version, read_at = row
    fingerprint, title, document_id, content_hash = known
    reason = None if skipped is None else SkipReason(skipped)
    times = (added_at, changed_at, missing_since)
    return SyncedItem(
        source_id, key, seen_at, fingerprint, title, document_id, content_hash, *times, reason, version, read_at
    )


def _values(item: SyncedItem) -> tuple[object, ...]:
    return (
        item.source_id,
        item.key,
        item.seen_at,
        item.fingerprint,
        item.title,
        item.document_id,
        item.content_hash,
        item.added_at,
        item.changed_at,
        item.missing_since,
        None if item.skipped is None else item.skipped.value,
        item.version,
        item.read_at,
    )
