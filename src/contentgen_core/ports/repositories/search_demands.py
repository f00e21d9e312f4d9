"""The demand of each niche: what was found on its queries, and the queues they are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.ids import SearchDemandId, SearchEntryId, TenantId
from contentgen_core.model.search_demand import SearchDemand, SearchEntry, SearchQueue


@frozen
class EntryPage:
    """A page of entries. `total`: over all pages."""

    entries: tuple[SearchEntry, ...]
    total: int


class SearchDemands(Protocol):
    """A tenant sees its own only; a niche takes its demand along, with coverages and entries."""

    async def add(self, demand: SearchDemand) -> None:
        """Raises AlreadyExists where the niche has one, NotFound for an unknown tenant or niche."""
        ...

    async def get(self, tenant_id: TenantId, demand_id: SearchDemandId) -> SearchDemand:
        """Raises NotFound."""
        ...

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> SearchDemand | None: ...

    async def save(self, demand: SearchDemand) -> SearchDemand:
        """Store a changed one that was read at `demand.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def delete(self, tenant_id: TenantId, demand_id: SearchDemandId) -> None:
        """Raises NotFound."""
        ...

    async def due(self, now: datetime, limit: int) -> list[SearchDemand]:
        """Those of any tenant whose time has come and that are not being looked at, the longest due first."""
        ...

    async def after(self, demand_id: SearchDemandId | None, limit: int) -> Sequence[SearchDemand]:
        """Those of all tenants by id, from the one after `demand_id` (None: from the first), for encrypting their
        secrets under a new key."""
        ...

    async def coverages(self, demand_id: SearchDemandId, state: str) -> dict[str, ArticleCoverage]:
        """What was assessed while the knowledge base was in this state, by query."""
        ...

    async def save_coverages(
        self, demand_id: SearchDemandId, state: str, coverages: Mapping[str, ArticleCoverage]
    ) -> None:
        """In place of former ones of the same queries. Raises NotFound."""
        ...

    async def replace_entries(self, demand_id: SearchDemandId, entries: Sequence[SearchEntry], state: str) -> None:
        """Store these entries in place of all there are, and forget coverages of other states."""
        ...

    async def dismissed(self, demand_id: SearchDemandId, now: datetime) -> dict[str, datetime]:
        """Queries, and their variants, that are dismissed now, and until when."""
        ...

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
        """Entries of a niche, those with most gain first, then by id. `queue`: of this one alone; `dismissed`: those
        that are dismissed now, instead of the others."""
        ...

    async def dismiss(self, tenant_id: TenantId, entry_id: SearchEntryId, until: datetime | None) -> SearchEntry:
        """Raises NotFound."""
        ...
