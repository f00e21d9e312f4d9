"""Sites whose changed pages are told to search engines, and an engine that remembers what it was told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from attrs import define, field

from contentgen_adapters.memory.common_tables import TENANTS
from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists, ProviderFailed
from contentgen_core.model.ids import IndexNowSiteId, TenantId
from contentgen_core.model.index_now import MAX_ADDRESS_BYTES, MAX_SITES, IndexNowSite, NotedAddress, host_of
from contentgen_core.ports.repositories.index_now import IndexNowSites

INDEX_NOW_SITES: Final = TableOf[IndexNowSiteId, IndexNowSite]("index_now_sites")
NOTED_ADDRESSES: Final = TableOf[IndexNowSiteId, dict[str, datetime]]("noted_addresses")


@repository(IndexNowSites)
class MemoryIndexNowSites:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[INDEX_NOW_SITES], "IndexNow site")

    async def add(self, site: IndexNowSite) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], site.tenant_id, "tenant")
        if any(other.host == site.host for other in self._records.of(site.tenant_id)):
            raise AlreadyExists("There is a site of this host already.")
        self._session[INDEX_NOW_SITES].put(site.id, site)

    async def get(self, tenant_id: TenantId, site_id: IndexNowSiteId) -> IndexNowSite:
        return await self._records.get(tenant_id, site_id)

    async def of_tenant(self, tenant_id: TenantId) -> list[IndexNowSite]:
        return sorted(self._records.of(tenant_id), key=lambda site: site.host)[:MAX_SITES]

    async def save(self, site: IndexNowSite) -> IndexNowSite:
        return await self._records.save(site)

    async def delete(self, tenant_id: TenantId, site_id: IndexNowSiteId) -> None:
        await self._session.writing()
        site = await self.get(tenant_id, site_id)
        self._session[INDEX_NOW_SITES].drop(site.id)
        self._session[NOTED_ADDRESSES].drop(site.id)

    async def has_key(self, host: str, key: str) -> bool:
        return any(site.host == host and site.key == key for site in self._session[INDEX_NOW_SITES].rows())

    async def due(self, now: datetime, limit: int) -> list[IndexNowSite]:
        due = [
            site
            for site in self._session[INDEX_NOW_SITES].rows()
            if site.job_id is None and site.next_at <= now and self._session[NOTED_ADDRESSES].get(site.id)
        ]
        return sorted(due, key=lambda site: (site.next_at, site.id))[:limit]

    async def note(self, tenant_id: TenantId, addresses: Sequence[str], now: datetime) -> None:
        await self._session.writing()
        kept = [address for address in addresses if len(address.encode()) <= MAX_ADDRESS_BYTES]
        for site in self._records.of(tenant_id):
            own = {address: now for address in kept if host_of(address) == site.host}
            if own:
                self._session[NOTED_ADDRESSES].put(site.id, (self._session[NOTED_ADDRESSES].get(site.id) or {}) | own)

    async def noted(self, site_id: IndexNowSiteId, limit: int) -> list[NotedAddress]:
        found = (self._session[NOTED_ADDRESSES].get(site_id) or {}).items()
        noted = sorted((at, address) for address, at in found)
        return [NotedAddress(address, at) for at, address in noted[:limit]]

    async def told(self, site_id: IndexNowSiteId, addresses: Sequence[NotedAddress]) -> None:
        await self._session.writing()
        told = {(one.address, one.noted_at) for one in addresses}
        found = (self._session[NOTED_ADDRESSES].get(site_id) or {}).items()
        self._session[NOTED_ADDRESSES].put(site_id, {address: at for address, at in found if (address, at) not in told})


@define
class MemoryIndexNow:
    """`told`: by host, in order; `refuses`: why it takes nothing."""

    told: dict[str, list[str]] = field(factory=dict)
    refuses: str | None = None
    retryable: bool = False

    async def submit(self, site: IndexNowSite, addresses: Sequence[str]) -> None:
        if self.refuses is not None:
            raise ProviderFailed("IndexNow", self.refuses, retryable=self.retryable)
        self.told.setdefault(site.host, []).extend(addresses)
