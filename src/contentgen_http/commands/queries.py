"""`contentgen queries …`"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import TenantId
from contentgen_http.commands.console import DataDir, Tenant, group, warn, with_services

if TYPE_CHECKING:
    from contentgen_core.model.search_report import Period
    from contentgen_core.use_cases.search_queries.import_export import ImportedExport
    from contentgen_http.services import Services

queries_app = group("What people search for, and what to do about it.")

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
    """Import an export of queries and pages."""
    from contentgen_core.use_cases.search_queries.import_export import ImportSearchExport

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        days = (None if day is None else day.date() for day in (start, end))
        command = ImportSearchExport(caller, niche, file.name, file.read_bytes(), *days)
        _echo(await services.knowledge.import_search_queries(command))

    with_services(data_dir, run)


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
