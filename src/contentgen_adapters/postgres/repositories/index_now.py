"""Sites whose changed pages are told to search engines, and the pages that are to be told."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.model.ids import IndexNowSiteId, TenantId
from contentgen_core.model.index_now import MAX_ADDRESS_BYTES, MAX_SITES, IndexNowSite, NotedAddress, host_of
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.ports.repositories.index_now import IndexNowSites


@repository(IndexNowSites)
class PostgresIndexNowSites:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "index_now_sites", IndexNowSite, "IndexNow site")

    async def add(self, site: IndexNowSite) -> None:
        await self._records.add(site, {"host": site.host, "key": site.key, **_columns(site)})

    async def get(self, tenant_id: TenantId, site_id: IndexNowSiteId) -> IndexNowSite:
        return await self._records.get(tenant_id, site_id)

    async def of_tenant(self, tenant_id: TenantId) -> list[IndexNowSite]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM index_now_sites WHERE tenant_id = %s ORDER BY host LIMIT %s",
            (findable(tenant_id), MAX_SITES),
        )
        return [self._records.read(row) for row in rows]

    async def save(self, site: IndexNowSite) -> IndexNowSite:
        return await self._records.save(site, _columns(site))

    async def delete(self, tenant_id: TenantId, site_id: IndexNowSiteId) -> None:
        deleted = await self._session.change(
            "DELETE FROM index_now_sites WHERE id = %s AND tenant_id = %s", (findable(site_id), findable(tenant_id))
        )
        require(deleted, "IndexNow site", site_id)

    async def has_key(self, host: str, key: str) -> bool:
        rows = await self._session.read(
            "SELECT 1 FROM index_now_sites WHERE key = %s AND host = %s LIMIT 1", (findable(key), findable(host))
        )
        return bool(rows)

    async def due(self, now: datetime, limit: int) -> list[IndexNowSite]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM index_now_sites JOIN (SELECT DISTINCT site_id FROM noted_addresses) AS noted"
            " ON noted.site_id = id WHERE due_at <= %s ORDER BY due_at, id LIMIT %s",
            (now, limit),
        )
        return [self._records.read(row) for row in rows]

    async def note(self, tenant_id: TenantId, addresses: Sequence[str], now: datetime) -> None:
        kept = [a for a in dict.fromkeys(addresses) if is_storable(a) and len(a.encode()) <= MAX_ADDRESS_BYTES]
        await self._session.change(
            "INSERT INTO noted_addresses (site_id, address, noted_at) SELECT s.id, changed.address, %s"
            " FROM unnest(%s::text[], %s::text[]) AS changed (address, host)"
            " JOIN index_now_sites s ON s.tenant_id = %s AND s.host = changed.host"
            " ON CONFLICT (site_id, address) DO UPDATE SET noted_at = excluded.noted_at",
            (now, kept, [host_of(address) for address in kept], findable(tenant_id)),
        )

    async def noted(self, site_id: IndexNowSiteId, limit: int) -> list[NotedAddress]:
        rows = await self._session.read(
            "SELECT address, noted_at FROM noted_addresses WHERE site_id = %s ORDER BY noted_at, address LIMIT %s",
            (findable(site_id), limit),
        )
        return [NotedAddress(*row) for row in rows]

    async def told(self, site_id: IndexNowSiteId, addresses: Sequence[NotedAddress]) -> None:
        await self._session.change(
            "DELETE FROM noted_addresses n USING unnest(%s::text[], %s::timestamptz[]) AS told (address, noted_at)"
            " WHERE n.site_id = %s AND n.address = told.address AND n.noted_at = told.noted_at",
            ([one.address for one in addresses], [one.noted_at for one in addresses], findable(site_id)),
        )


def _columns(site: IndexNowSite) -> dict[str, Any]:
    return {"due_at": site.next_at if site.job_id is None else None}
