"""`contentgen queries …`"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import TenantId
from contentgen_core.model.search_demand import SearchQueue
from contentgen_http.commands.console import DataDir, Tenant, group, warn, with_services

if TYPE_CHECKING:
    from contentgen_core.model.search_report import Period
    from contentgen_core.model.tenant import Caller
    from contentgen_core.use_cases.search_queries.import_export import ImportedExport
    from contentgen_http.services import Services

queries_app = group()

LOOK_EVERY_SECONDS = 0.2

Day = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Where the export does not say.")]


@queries_app.command("import")
def queries_import(
    file: Annotated[Path, typer.Argument(help="A CSV or ZIP of Search Console, Matomo or Plausible.", exists=True)],
    niche: Annotated[str, typer.Option(help="Key of the niche.")],
    tenant: Tenant,
    start: Day = None,
    end: Day = None,
    data_dir: DataDir = None,
) -> None:
    """Import an export of queries and pages, and wait until the queries have been looked at."""
    from contentgen_core.use_cases.search_queries.import_export import ImportSearchExport

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        days = (None if day is None else day.date() for day in (start, end))
        command = ImportSearchExport(caller, niche, file.name, file.read_bytes(), *days)
        _echo(await services.knowledge.import_search_queries(command))
        await _looked_at(services, caller, niche)

    with_services(data_dir, run)


@queries_app.command("queues")
def queries_queues(
    niche: Annotated[str, typer.Option(help="Key of the niche.")],
    tenant: Tenant,
    queue: Annotated[SearchQueue | None, typer.Option(help="Only this queue.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Entries at most.")] = 20,
    data_dir: DataDir = None,
) -> None:
    """List what to write, enrich, refresh and merge, with the clicks a month that are to be gained."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        page = await services.knowledge.search_demand.entries(caller, niche, queue, 1, limit)
        for entry in page.found.entries:
            typer.echo(f"{entry.decision.queue.value}  +{entry.decision.gain:,.0f} a month  {entry.demand.query}")
            typer.echo(f"    {entry.decision.reason}")
        typer.echo(f"{len(page.found.entries)} of {page.found.total}")

    with_services(data_dir, run)


async def _looked_at(services: Services, caller: Caller, niche: str) -> None:
    """Waits until the queries have been looked at, and says what was found."""
    import asyncio

    from contentgen_core.model.job import JobKind
    from contentgen_http.jobs.runner import running_jobs

    async with running_jobs(services, JobKind.MAP_QUERIES):
        while True:
            demand = (await services.knowledge.search_demand.get(caller, niche)).demand
            if demand is None or demand.job_id is None:
                break
            await asyncio.sleep(LOOK_EVERY_SECONDS)
    if demand is not None and demand.last is not None:
        counts = ", ".join(f"{count} to {queue.value}" for queue, count in demand.last.queues)
        typer.echo(f"{demand.last.looked_at} groups of queries looked at: {counts}")
        if demand.last.error:
            warn("note:", demand.last.error)


def _echo(imported: ImportedExport) -> None:
    for report in imported.reports:
        shown = "" if report.impressions is None else f", {report.impressions:,} impressions"
        counts = f"{report.rows:,} rows, {report.clicks:,} clicks{shown}"
        typer.echo(f"{_days(report.period)}  {report.about.value}: {counts}")
    for table in imported.export.tables:
        if table.skipped:
            reasons = ", ".join(f"{count:,} {reason.value}" for reason, count in table.skipped.items())
            lines = ", ".join(str(line) for line, _ in table.examples)
            warn("left out:", f"{table.file}: {reasons} (lines {lines})")
    for period in imported.dropped:
        typer.echo(f"{_days(period)}  dropped: six newer periods are kept")


def _days(period: Period) -> str:
    return f"{period.starts_on} to {period.ends_on}"
