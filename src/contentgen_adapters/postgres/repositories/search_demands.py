"""The demand of each niche: what was found on its queries, and the queues they are in."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from attrs import evolve

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.ids import SearchDemandId, SearchEntryId, TenantId
from contentgen_core.model.search_demand import SearchDemand, SearchEntry, SearchQueue
from contentgen_core.ports.repositories.search_demands import EntryPage, SearchDemands

_ENTRY: Final = "record::text, dismissed_until"


@repository(SearchDemands)
class PostgresSearchDemands:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "search_demands", SearchDemand, "search demand")

    async def add(self, demand: SearchDemand) -> None:
        columns = {"niche_id": demand.niche_id, "niche_key": demand.niche_key, **_columns(demand)}
        await self._records.add(demand, columns)

    async def get(self, tenant_id: TenantId, demand_id: SearchDemandId) -> SearchDemand:
        return await self._records.get(tenant_id, demand_id)

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> SearchDemand | None:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM search_demands WHERE tenant_id = %s AND niche_key = %s",
            (findable(tenant_id), findable(niche_key)),
        )
        return next((self._records.read(row) for row in rows), None)

    async def save(self, demand: SearchDemand) -> SearchDemand:
        return await self._records.save(demand, _columns(demand))

    async def delete(self, tenant_id: TenantId, demand_id: SearchDemandId) -> None:
        deleted = await self._session.change(
            "DELETE FROM search_demands WHERE id = %s AND tenant_id = %s", (findable(demand_id), findable(tenant_id))
        )
        require(deleted, "search demand", demand_id)

    async def due(self, now: datetime, limit: int) -> list[SearchDemand]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM search_demands WHERE due_at <= %s ORDER BY due_at, id LIMIT %s", (now, limit)
        )
        return [self._records.read(row) for row in rows]

    async def after(self, demand_id: SearchDemandId | None, limit: int) -> Sequence[SearchDemand]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM search_demands WHERE id > %s ORDER BY id LIMIT %s",
            (findable(demand_id or ""), limit),
        )
        return [self._records.read(row) for row in rows]

    async def coverages(self, demand_id: SearchDemandId, state: str) -> dict[str, ArticleCoverage]:
        rows = await self._session.read(
            "SELECT query, record::text FROM search_coverages WHERE demand_id = %s AND state = %s",
            (findable(demand_id), state),
        )
        return {query: loads(record, ArticleCoverage) for query, record in rows}

    async def save_coverages(
        self, demand_id: SearchDemandId, state: str, coverages: Mapping[str, ArticleCoverage]
    ) -> None:
        records = [dumps(coverage, ArticleCoverage) for coverage in coverages.values()]
        await self._session.change(
            "INSERT INTO search_coverages (demand_id, query, state, record)"
            " SELECT %s, query, %s, record::jsonb FROM unnest(%s::text[], %s::text[]) AS made (query, record)"
            " ON CONFLICT (demand_id, query) DO UPDATE SET state = excluded.state, record = excluded.record",
            (demand_id, state, list(coverages), records),
        )

    async def replace_entries(self, demand_id: SearchDemandId, entries: Sequence[SearchEntry], state: str) -> None:
        await self._session.change("DELETE FROM search_entries WHERE demand_id = %s", (demand_id,))
        await self._session.change(
            "DELETE FROM search_coverages WHERE demand_id = %s AND state <> %s", (demand_id, state)
        )
        if entries:
            columns = [list(column) for column in zip(*map(_values, entries), strict=True)]
            await self._session.change(
                "INSERT INTO search_entries (id, tenant_id, demand_id, niche_key, queue, gain, dismissed_until, record)"
                " SELECT id, tenant_id, demand_id, niche_key, queue, gain, dismissed_until, record::jsonb FROM"
                " unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::float8[], %s::timestamptz[],"
                " %s::text[]) AS made (id, tenant_id, demand_id, niche_key, queue, gain, dismissed_until, record)",
                columns,
            )

    async def dismissed(self, demand_id: SearchDemandId, now: datetime) -> dict[str, datetime]:
        rows = await self._session.read(
            f"SELECT {_ENTRY} FROM search_entries WHERE demand_id = %s AND dismissed_until > %s",
            (findable(demand_id), now),
        )
        entries = [_entry(row) for row in rows]
        return {
            query: entry.dismissed_until
            for entry in entries
            for query in (entry.demand.query, *entry.demand.variants)
            if entry.dismissed_until is not None
        }

    async def page(
        self,
        tenant_id: TenantId,
        niche_key: str,
        queue: SearchQueue | None,
        now: datetime,
        page: int,
        limit: int,
        *,
        dismissed: bool = False,
    ) -> EntryPage:
        parameters: dict[str, Any] = {
            "tenant": findable(tenant_id),
            "niche": findable(niche_key),
            "queue": queue and queue.value,
            "now": now,
            "limit": limit,
            "offset": (page - 1) * limit,
        }
        shown = "dismissed_until > %(now)s" if dismissed else "(dismissed_until IS NULL OR dismissed_until <= %(now)s)"
        of_queue = "" if queue is None else " AND queue = %(queue)s"
        where = f"tenant_id = %(tenant)s AND niche_key = %(niche)s{of_queue} AND {shown}"
        [[total]] = await self._session.read(f"SELECT count(*) FROM search_entries WHERE {where}", parameters)
        rows = await self._session.read(
            f"SELECT {_ENTRY} FROM search_entries WHERE {where} ORDER BY gain DESC, id"
            " LIMIT %(limit)s OFFSET %(offset)s",
            parameters,
        )
        return EntryPage(tuple(map(_entry, rows)), total)

    async def dismiss(self, tenant_id: TenantId, entry_id: SearchEntryId, until: datetime | None) -> SearchEntry:
        rows = await self._session.write(
            f"UPDATE search_entries SET dismissed_until = %s WHERE id = %s AND tenant_id = %s RETURNING {_ENTRY}",
            (until, findable(entry_id), findable(tenant_id)),
        )
        [row] = require(rows, "entry", entry_id)
        return _entry(row)


def _columns(demand: SearchDemand) -> dict[str, Any]:
    return {"due_at": demand.next_at if demand.job_id is None else None}


def _values(entry: SearchEntry) -> tuple[object, ...]:
    return (
        entry.id,
        entry.tenant_id,
        entry.demand_id,
        entry.niche_key,
        entry.decision.queue.value,
        entry.decision.gain,
        entry.dismissed_until,
        dumps(evolve(entry, dismissed_until=None), SearchEntry),
    )


def _entry(row: Row) -> SearchEntry:
    record, dismissed_until = row
    stored: SearchEntry = loads(record, SearchEntry)
    return evolve(stored, dismissed_until=dismissed_until)
