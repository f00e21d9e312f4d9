"""The demand of a niche: reading it, its queues, and having it looked at."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import AlreadyExists, ConcurrentChange, FieldError, InvalidInput, NotFound
from contentgen_core.model.ids import JobId, SearchDemandId, SearchEntryId, TenantId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.niche import Niche
from contentgen_core.model.search_demand import (
    MAX_BRAND_WORD,
    MAX_BRAND_WORDS,
    MAX_DISMISSED_DAYS,
    SearchConsole,
    SearchDemand,
    SearchEntry,
    SearchQueue,
)
from contentgen_core.model.search_report import SearchReport
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.search_demands import EntryPage, SearchDemands
from contentgen_core.ports.repositories.search_reports import SearchReports
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

BATCH: Final = 50
EVERY: Final = timedelta(days=1)
"""How often queries are looked at when nothing was imported: articles and the knowledge base change as well."""
MAX_ENTRIES: Final = 100
"""Of one answer."""


@frozen
class NicheDemand:
    """A niche's demand with the reports that it comes from. `demand`: None where nothing was imported."""

    niche: Niche
    demand: SearchDemand | None
    reports: Sequence[SearchReport]


@frozen
class QueuePage:
    """A page of a niche's entries, with the niche, and whether its queries are being looked at."""

    niche: Niche
    found: EntryPage
    running: bool


@use_case
class ManageSearchDemand:
    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids

    async def get(self, caller: Caller, niche: str) -> NicheDemand:
        """`niche`: its key or id. Raises NotFound."""
        async with self.unit_of_work() as tx:
            found = await tx[Niches].get(caller.tenant_id, niche)
            demand = await tx[SearchDemands].of_niche(caller.tenant_id, found.niche_key)
            return NicheDemand(found, demand, await tx[SearchReports].of_niche(caller.tenant_id, found.niche_key))

    async def entries(
        self, caller: Caller, niche: str, queue: SearchQueue | None, page: int, limit: int, *, dismissed: bool = False
    ) -> QueuePage:
        """Return the entries with most gain first, at most MAX_ENTRIES. Raises NotFound."""
        async with self.unit_of_work() as tx:
            found = await tx[Niches].get(caller.tenant_id, niche)
            demand = await tx[SearchDemands].of_niche(caller.tenant_id, found.niche_key)
            entries = await tx[SearchDemands].page(
                caller.tenant_id,
                found.niche_key,
                queue,
                self.clock.now(),
                page,
                min(limit, MAX_ENTRIES),
                dismissed=dismissed,
            )
        return QueuePage(found, entries, demand is not None and demand.job_id is not None)

    async def set_brand_words(self, caller: Caller, niche: str, words: Sequence[str]) -> NicheDemand:
        """Leave out queries with one of these; they are looked at anew. Raises InvalidInput, NotPermitted, NotFound,
        ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        kept = tuple(dict.fromkeys(key for word in words if (key := topic_key(word))))
        if len(kept) > MAX_BRAND_WORDS:
            raise InvalidInput(FieldError("brandWords", f"at most {MAX_BRAND_WORDS}"))
        if any(len(word) > MAX_BRAND_WORD for word in kept):
            raise InvalidInput(FieldError("brandWords", f"at most {MAX_BRAND_WORD} characters each"))
        async with self.unit_of_work() as tx:
            found = await tx[Niches].get(caller.tenant_id, niche)
            demand = await self._demand(tx, caller.tenant_id, found)
            await self._start(tx, evolve(demand, brand_words=kept, updated_at=self.clock.now()))
        return await self.get(caller, niche)

    async def look(self, caller: Caller, niche: str) -> NicheDemand:
        """Look at the queries now; a look that is under way goes on. Raises NotPermitted, NotFound (also where nothing
        was imported), ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            found = await tx[Niches].get(caller.tenant_id, niche)
            demand = await tx[SearchDemands].of_niche(caller.tenant_id, found.niche_key)
            if demand is None:
                raise NotFound("search demand", found.niche_key)
            await self._start(tx, demand)
        return await self.get(caller, niche)

    async def dismiss(self, caller: Caller, entry_id: SearchEntryId, days: int) -> SearchEntry:
        """Show an entry no more for so many days; 0: show it again. Raises InvalidInput, NotPermitted, NotFound."""
        require_role(caller, Role.EDITOR)
        if not 0 <= days <= MAX_DISMISSED_DAYS:
            raise InvalidInput.of("days", f"0 to {MAX_DISMISSED_DAYS}")
        until = self.clock.now() + timedelta(days=days) if days else None
        async with self.unit_of_work() as tx:
            return await tx[SearchDemands].dismiss(caller.tenant_id, entry_id, until)

    async def delete(self, caller: Caller, niche: str) -> None:
        """Forget all figures of a niche, and what was found on them. Raises NotPermitted, NotFound."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            found = await tx[Niches].get(caller.tenant_id, niche)
            reports = await tx[SearchReports].of_niche(caller.tenant_id, found.niche_key)
            demand = await tx[SearchDemands].of_niche(caller.tenant_id, found.niche_key)
            await tx[SearchReports].drop(caller.tenant_id, [report.id for report in reports])
            if demand is not None:
                await tx[Jobs].cancel_subject(caller.tenant_id, demand.id, JobKind.MAP_QUERIES)
                await tx[SearchDemands].delete(caller.tenant_id, demand.id)

    async def imported(self, tx: Transaction, tenant_id: TenantId, niche: Niche) -> None:
        """Start a new mapping of the queries, after one that is under way; in the transaction of an import. Raises
        ConcurrentChange."""
        await self._start(tx, await self._demand(tx, tenant_id, niche))

    async def connected(self, tx: Transaction, tenant_id: TenantId, niche: Niche, console: SearchConsole) -> None:
        """Start reading a property and mapping its queries; in the transaction that connects it. Raises
        ConcurrentChange."""
        demand = await self._demand(tx, tenant_id, niche)
        await self._start(tx, evolve(demand, console=console, updated_at=self.clock.now()))

    async def fire_due(self) -> None:
        """Begin the looks that are due, of all tenants; each begins once, whatever number of processes asks."""
        async with self.unit_of_work() as tx:
            due = await tx[SearchDemands].due(self.clock.now(), BATCH)
        for demand in due:
            with suppress(ConcurrentChange, NotFound):
                async with self.unit_of_work() as tx:
                    await self._start(tx, demand)

    async def _demand(self, tx: Transaction, tenant_id: TenantId, niche: Niche) -> SearchDemand:
        """The niche's, which is made where it has none."""
        found = await tx[SearchDemands].of_niche(tenant_id, niche.niche_key)
        if found is not None:
            return found
        now = self.clock.now()
        id = SearchDemandId(self.ids.new())
        demand = SearchDemand(id, tenant_id, niche.id, niche.niche_key, created_at=now, updated_at=now, next_at=now)
        try:
            await tx[SearchDemands].add(demand)
        except AlreadyExists as error:
            raise ConcurrentChange("Another request was faster. Try again.") from error
        return demand

    async def _start(self, tx: Transaction, demand: SearchDemand) -> SearchDemand:
        """Return the demand with a mapping under way, or one that begins when that has ended."""
        now = self.clock.now()
        if demand.job_id is not None:
            return await tx[SearchDemands].save(evolve(demand, next_at=now))
        job = Job(JobId(self.ids.new()), JobKind.MAP_QUERIES, demand.tenant_id, demand.id, run_at=now)
        await tx[Jobs].enqueue(job)
        return await tx[SearchDemands].save(evolve(demand, job_id=job.id, next_at=now + EVERY))
