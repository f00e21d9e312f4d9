"""The demand of each niche: what was found on its queries, and the queues they are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import NICHES, SEARCH_DEMANDS, TENANTS
from contentgen_adapters.memory.records import Records, existing, owned, page_of
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.ids import SearchDemandId, SearchEntryId, TenantId
from contentgen_core.model.search_demand import SearchDemand, SearchEntry, SearchQueue
from contentgen_core.ports.repositories.search_demands import EntryPage, SearchDemands

SEARCH_COVERAGES: Final = TableOf[SearchDemandId, dict[str, tuple[str, ArticleCoverage]]]("search_coverages")
SEARCH_ENTRIES: Final = TableOf[SearchEntryId, SearchEntry]("search_entries")


@repository(SearchDemands)
class MemorySearchDemands:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[SEARCH_DEMANDS], "search demand")

    async def add(self, demand: SearchDemand) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], demand.tenant_id, "tenant")
        existing(self._session[NICHES], demand.niche_id, "niche")
        if await self.of_niche(demand.tenant_id, demand.niche_key) is not None:
            raise AlreadyExists("This niche has a search demand already.")
        self._session[SEARCH_DEMANDS].put(demand.id, demand)

    async def get(self, tenant_id: TenantId, demand_id: SearchDemandId) -> SearchDemand:
        return await self._records.get(tenant_id, demand_id)

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> SearchDemand | None:
        return next((demand for demand in self._records.of(tenant_id) if demand.niche_key == niche_key), None)

    async def save(self, demand: SearchDemand) -> SearchDemand:
        return await self._records.save(demand)

    async def delete(self, tenant_id: TenantId, demand_id: SearchDemandId) -> None:
        await self._session.writing()
        drop_demand(self._session, (await self.get(tenant_id, demand_id)).id)

    async def due(self, now: datetime, limit: int) -> list[SearchDemand]:
        due = [d for d in self._session[SEARCH_DEMANDS].rows() if d.next_at <= now and d.job_id is None]
        return sorted(due, key=lambda demand: (demand.next_at, demand.id))[:limit]

    async def after(self, demand_id: SearchDemandId | None, limit: int) -> Sequence[SearchDemand]:
        later = [demand for demand in self._session[SEARCH_DEMANDS].rows() if demand.id > (demand_id or "")]
        return sorted(later, key=lambda demand: demand.id)[:limit]

    async def coverages(self, demand_id: SearchDemandId, state: str) -> dict[str, ArticleCoverage]:
        found = (self._session[SEARCH_COVERAGES].get(demand_id) or {}).items()
        return {query: coverage for query, (own, coverage) in found if own == state}

    async def save_coverages(
        self, demand_id: SearchDemandId, state: str, coverages: Mapping[str, ArticleCoverage]
    ) -> None:
        await self._session.writing()
        existing(self._session[SEARCH_DEMANDS], demand_id, "search demand")
        known = self._session[SEARCH_COVERAGES].get(demand_id) or {}
        new = {query: (state, coverage) for query, coverage in coverages.items()}
        self._session[SEARCH_COVERAGES].put(demand_id, known | new)

    async def replace_entries(self, demand_id: SearchDemandId, entries: Sequence[SearchEntry], state: str) -> None:
        await self._session.writing()
        existing(self._session[SEARCH_DEMANDS], demand_id, "search demand")
        for entry in self._of(demand_id):
            self._session[SEARCH_ENTRIES].drop(entry.id)
        for entry in entries:
            self._session[SEARCH_ENTRIES].put(entry.id, entry)
        known = (self._session[SEARCH_COVERAGES].get(demand_id) or {}).items()
        self._session[SEARCH_COVERAGES].put(demand_id, {query: own for query, own in known if own[0] == state})

    async def dismissed(self, demand_id: SearchDemandId, now: datetime) -> dict[str, datetime]:
        return {
            query: entry.dismissed_until
            for entry in self._of(demand_id)
            for query in (entry.demand.query, *entry.demand.variants)
            if entry.dismissed_until is not None and entry.dismissed_until > now
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
        found = [
            entry
            for entry in self._session[SEARCH_ENTRIES].rows()
            if entry.tenant_id == tenant_id
            and entry.niche_key == niche_key
            and queue in (None, entry.decision.queue)
            and (entry.dismissed_until is not None and entry.dismissed_until > now) == dismissed
        ]
        found.sort(key=lambda entry: (-entry.decision.gain, entry.id))
        return EntryPage(tuple(page_of(found, page, limit)), len(found))

    async def dismiss(self, tenant_id: TenantId, entry_id: SearchEntryId, until: datetime | None) -> SearchEntry:
        await self._session.writing()
        entry = evolve(owned(self._session[SEARCH_ENTRIES], tenant_id, entry_id, "entry"), dismissed_until=until)
        self._session[SEARCH_ENTRIES].put(entry.id, entry)
        return entry

    def _of(self, demand_id: SearchDemandId) -> list[SearchEntry]:
        return [entry for entry in self._session[SEARCH_ENTRIES].rows() if entry.demand_id == demand_id]


def drop_demand(session: Session, demand_id: SearchDemandId) -> None:
    """With what was found for it."""
    session[SEARCH_DEMANDS].drop(demand_id)
    session[SEARCH_COVERAGES].drop(demand_id)
    for entry in [entry for entry in session[SEARCH_ENTRIES].rows() if entry.demand_id == demand_id]:
        session[SEARCH_ENTRIES].drop(entry.id)
