"""Search Console: connecting a niche to a property, and reading its figures."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from attrs import evolve

from contentgen_core.errors import FieldError, InvalidInput, NotFound, ProviderFailed
from contentgen_core.model.ids import SearchReportId, TenantId
from contentgen_core.model.search_demand import MAX_ACCOUNT, MAX_SITE, SearchConsole, SearchDemand
from contentgen_core.model.search_report import MAX_ROWS, Period, ReportAbout, SearchFigures, SearchReport
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.web_address import is_web_address
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.search_demands import SearchDemands
from contentgen_core.ports.repositories.search_reports import SearchReports
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.sealing import SecretBox, SecretUnreadable
from contentgen_core.ports.search_console import SearchConsoleReader
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.context import context_of_niche
from contentgen_core.use_cases.search_queries.import_export import MOST_ROWS
from contentgen_core.use_cases.search_queries.manage_search_demand import ManageSearchDemand, NicheDemand
from contentgen_core.use_cases.use_case import use_case

DOMAIN: Final = "sc-domain:"
DELAY: Final = timedelta(days=3)
"""After which figures are final."""
DAYS: Final = 28
EVERY: Final = timedelta(hours=20)
"""Of a look a day: figures change once a day."""
MAX_ERROR: Final = 500


def purpose_of(tenant_id: TenantId) -> str:
    """Includes the tenant, so that a sealed text copied to another tenant's row does not open."""
    return f"search console of {tenant_id}"


def resealed(demand: SearchDemand, box: SecretBox) -> SearchDemand:
    """With its key file under the newest key; itself where it is, or has none. Raises SecretUnreadable."""
    console = demand.console
    if console is None or box.current(console.sealed):
        return demand
    purpose = purpose_of(demand.tenant_id)
    return evolve(demand, console=evolve(console, sealed=box.seal(box.open(console.sealed, purpose), purpose)))


@use_case
class ConnectSearchConsole:
    """Connects a Search Console property. For administrators: the key file reads what the service account may read."""

    unit_of_work: UnitOfWork
    reader: SearchConsoleReader
    box: SecretBox
    demand: ManageSearchDemand
    clock: Clock

    async def connect(self, caller: Caller, niche: str, site: str, account: str) -> NicheDemand:
        """Read a property from now on, in place of a former one. Raises InvalidInput, NotPermitted, NotFound unless the
        niche is activated, ConcurrentChange."""
        require_role(caller, Role.ADMIN)
        site, faults = site.strip(), list[FieldError]()
        domain = site.startswith(DOMAIN) and is_web_address(f"https://{site.removeprefix(DOMAIN)}/")
        if len(site) > MAX_SITE or not (domain or is_web_address(site)):
            faults.append(FieldError("site", f"{DOMAIN}example.org, or the address of the property"))
        if len(account) > MAX_ACCOUNT:
            faults.append(FieldError("serviceAccount", f"at most {MAX_ACCOUNT:,} characters"))
        if faults:
            raise InvalidInput(*faults)
        email = await asyncio.to_thread(self.reader.client_email, account)
        sealed = await asyncio.to_thread(self.box.seal, account, purpose_of(caller.tenant_id))
        console = SearchConsole(site, email, sealed, self.clock.now())
        async with self.unit_of_work() as tx:
            found = (await context_of_niche(tx, caller.tenant_id, niche)).niche
            await self.demand.connected(tx, caller.tenant_id, found, console)
        return await self.demand.get(caller, niche)

    async def disconnect(self, caller: Caller, niche: str) -> None:
        """Disconnect the property; what was read stays. Raises NotPermitted, NotFound (also where nothing is
        connected), ConcurrentChange."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            found = await tx[Niches].get(caller.tenant_id, niche)
            demand = await tx[SearchDemands].of_niche(caller.tenant_id, found.niche_key)
            if demand is None or demand.console is None:
                raise NotFound("Search Console property", found.niche_key)
            await tx[SearchDemands].save(evolve(demand, console=None, updated_at=self.clock.now()))


@use_case
class ReadSearchConsole:
    reader: SearchConsoleReader
    box: SecretBox
    clock: Clock
    ids: Ids

    def due(self, demand: SearchDemand) -> bool:
        """Whether the property is to be read before the queries are looked at."""
        console = demand.console
        if console is None:
            return False
        return console.error is not None or console.fetched_at is None or self.clock.now() - console.fetched_at >= EVERY

    async def figures(self, demand: SearchDemand) -> tuple[SearchConsole, dict[Period, Sequence[SearchFigures]]]:
        """Read the property's figures of the last 28 days whose figures are final, and of the 28 days before them; none
        where it cannot be read, with the reason in the console. Outside of any transaction."""
        assert demand.console is not None
        last = (self.clock.now() - DELAY).date()
        now = Period(last - timedelta(days=DAYS - 1), last)
        periods = now, Period(now.starts_on - timedelta(days=DAYS), now.starts_on - timedelta(days=1))
        try:
            purpose = purpose_of(demand.tenant_id)
            account = await asyncio.to_thread(self.box.open, demand.console.sealed, purpose)
            found = {
                period: await self.reader.figures(account, demand.console.site, period, MAX_ROWS) for period in periods
            }
        except SecretUnreadable:
            return self._note_failure(
                demand.console, "The key file cannot be read any more. Connect the property again."
            ), {}
        except (ProviderFailed, InvalidInput) as error:
            return self._note_failure(demand.console, error.detail), {}
        read = evolve(demand.console, fetched=tuple(periods), fetched_at=self.clock.now(), error=None)
        return read, found

    async def store(
        self,
        tx: Transaction,
        demand: SearchDemand,
        console: SearchConsole,
        found: dict[Period, Sequence[SearchFigures]],
    ) -> SearchDemand:
        """Store the figures in place of those read before. `demand`: as it is now. Raises ConcurrentChange."""
        if demand.console is None or demand.console.sealed != console.sealed:
            return demand  # disconnected, or connected to another one, meanwhile
        if found:
            reports = await tx[SearchReports].of_niche(demand.tenant_id, demand.niche_key)
            former = [r.id for r in reports if r.about is ReportAbout.BOTH and r.period in demand.console.fetched]
            await tx[SearchReports].drop(demand.tenant_id, former)
            rows = await tx[SearchReports].count_rows(demand.tenant_id) + sum(map(len, found.values()))
            if rows > MOST_ROWS:
                console = self._note_failure(demand.console, f"A tenant keeps {MOST_ROWS:,} rows of search queries.")
            else:
                for period, figures in found.items():
                    await tx[SearchReports].put(self._report(demand, period, figures), figures)
        return await tx[SearchDemands].save(evolve(demand, console=console))

    def _note_failure(self, console: SearchConsole, reason: str) -> SearchConsole:
        return evolve(console, error=reason[:MAX_ERROR])

    def _report(self, demand: SearchDemand, period: Period, figures: Sequence[SearchFigures]) -> SearchReport:
        return SearchReport(
            id=SearchReportId(self.ids.new()),
            tenant_id=demand.tenant_id,
            niche_id=demand.niche_id,
            niche_key=demand.niche_key,
            period=period,
            about=ReportAbout.BOTH,
            rows=len(figures),
            clicks=sum(row.clicks for row in figures),
            impressions=sum(row.impressions or 0 for row in figures),
            imported_at=self.clock.now(),
        )
