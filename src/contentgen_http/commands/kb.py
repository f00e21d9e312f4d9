"""`contentgen kb …`"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.ids import TenantId
from contentgen_http.commands.conflicts import conflicts_app
from contentgen_http.commands.console import (
    AsJson,
    DataDir,
    Tenant,
    group,
    import_counts,
    print_table,
    print_values,
    progress_bar,
    readable_sources,
    warn,
    with_services,
)
from contentgen_http.processes.garbage_collection import freeze_loaded_objects

if TYPE_CHECKING:
    from contentgen_core.model.enrichment import Enrichment
    from contentgen_core.model.entity import KbStatistics
    from contentgen_core.model.knowledge import KbScope, Understanding
    from contentgen_http.services import Services

kb_app = group()
kb_app.add_typer(conflicts_app, name="conflicts")

LOOK_EVERY_SECONDS = 0.2
WORKER = "contentgen kb"
_SHOWN: Final = {
    "documents": "documents",
    "total": "passages",
    "understood": "passages with a vector",
    "webSourced": "passages from the web",
    "aiGenerated": "passages distilled by a model",
    "avgAgeInDays": "average age in days",
}


@kb_app.command("import")
def kb_import(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Files or folders: texts, pages, office documents, tables, e-books."),
    ],
    niche: Annotated[str, typer.Option(help="Key of the niche.")],
    country: Annotated[str | None, typer.Option(help="Only for this country's agent (ISO 3166-1).")] = None,
    tenant: Annotated[str | None, typer.Option(help="Only for this tenant; else for everybody.")] = None,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Import sources into a niche. Importing the same content again adds nothing."""
    unread: list[str] = []

    async def run(services: Services) -> None:
        scope = await _scope(services, niche, country, tenant)
        await freeze_loaded_objects(services.ports.index)
        with progress_bar() as progress:
            task = progress.add_task("reading", total=None)
            sources = readable_sources(services.ports.documents, paths, unread)
            report = await services.knowledge.import_sources(
                scope, sources, on_progress=lambda r: progress.update(task, description=import_counts(r))
            )
            progress.update(task, description=f"{import_counts(report)}; indexing")
            await services.knowledge.apply_index_changes.drain("kb-import")
            await _understand(services, lambda text: progress.update(task, description=text))
        counts = {
            "added": report.added,
            "updated": report.updated,
            "unchanged": report.unchanged,
            "passages": report.passages,
            "withoutText": report.without_text,
            "unreadable": len(unread),
        }
        print_values(counts, json_)

    with_services(data_dir, run)
    if unread:
        for line in unread:
            warn("not read:", line)
        raise typer.Exit(1)


@kb_app.command("reindex")
def kb_reindex(data_dir: DataDir = None) -> None:
    """Build the search index anew from the database, with the present embedding model."""

    async def run(services: Services) -> None:
        with progress_bar() as progress:
            task = progress.add_task("indexing", total=None)
            done = await services.knowledge.rebuild_index(
                on_progress=lambda n: progress.update(task, description=f"{n} documents")
            )
            await _understand(services, lambda text: progress.update(task, description=text))
        typer.echo(f"indexed {done} documents")

    with_services(data_dir, run)


@kb_app.command("stats")
def kb_stats(
    niche: Annotated[str, typer.Option(help="Key of the niche; with a tenant, also of an agent.")],
    tenant: Annotated[str | None, typer.Option(help="What this tenant sees; else what all tenants share.")] = None,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show how much a niche's knowledge base holds, from where, and how old it is."""

    from contentgen_core.use_cases.context import area_of

    async def run(services: Services) -> dict[str, object]:
        if tenant is None:
            scope = await _scope(services, niche, None, None)
            countries = services.agents.niches.countries
            return _statistics(niche, *await services.knowledge.overview.of_platform(scope.niche_key, countries))
        found = await services.knowledge.overview.statistics(
            await services.people.tenants.owner_of(TenantId(tenant)), niche
        )
        return _statistics(str(area_of(found.context)), found.figures, found.understanding)

    values = with_services(data_dir, run)
    if json_:
        print_values(values, as_json=True)
        return
    by_language = values["byLanguage"]
    assert isinstance(by_language, dict)
    rows = [(label, f"{values[name]:,}") for name, label in _SHOWN.items()]
    rows += [(f"passages in {language}", f"{count:,}") for language, count in by_language.items()]
    columns = {"how much": {"justify": "right"}}
    print_table(("what", "how much"), rows, columns, title=f"Knowledge base {values['nicheKey']}")


async def _understand(services: Services, tell: Callable[[str], None]) -> None:
    """Embed what waits for vectors; a service that runs shares the work, and completes it if the command is ended."""
    from contentgen_core.ports.repositories.embeddings import Embeddings

    embed = services.knowledge.embed_passages
    try:
        while await embed(WORKER):
            async with services.ports.unit_of_work() as tx:
                tell(f"understanding; {await tx[Embeddings].waiting(embed.space):,} documents to go")
    finally:
        await embed.release(WORKER)


def _statistics(key: str, figures: KbStatistics, understanding: Understanding) -> dict[str, object]:
    """Return the statistics with the names of GET /kb/{nicheKey}/stats."""
    from contentgen_core.model.knowledge import Origin

    return {
        "nicheKey": key,
        "total": figures.passages,
        "understood": understanding.passages,
        "webSourced": figures.by_origin.get(Origin.WEB.value, 0),
        "aiGenerated": figures.by_origin.get(Origin.AI.value, 0),
        "avgAgeInDays": round(figures.average_age_days, 2),
        "documents": figures.documents,
        "byLanguage": {language.value: count for language, count in sorted(figures.by_language.items())},
    }


async def _scope(services: Services, niche: str, country: str | None, tenant: str | None) -> KbScope:
    """Raises NotFound for a niche or tenant that does not exist, InvalidInput for an unknown country."""
    from contentgen_core.model.knowledge import KbScope
    from contentgen_core.ports.repositories.niches import Niches

    if country is not None and country not in services.agents.niches.countries:
        raise InvalidInput.of("country", f"{country!r} is not an ISO 3166-1 alpha-2 code such as FR")
    if tenant is not None:
        found = await services.agents.niches.get(await services.people.tenants.owner_of(TenantId(tenant)), niche)
        return KbScope(found.niche_key, TenantId(tenant), country)
    async with services.ports.unit_of_work() as tx:
        if await tx[Niches].find_preconfigured(niche) is None:
            raise NotFound("preconfigured niche", niche)
    return KbScope(niche, None, country)


@kb_app.command("enrich")
def kb_enrich(
    topic: Annotated[str, typer.Argument(help="What to look for on the web.")],
    agent: Annotated[str, typer.Option(help="The agent it is for: niche key and country, such as home-energy-GB.")],
    tenant: Tenant,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Search the web for a topic and bring what is found into a tenant's knowledge base. Counts one of its day's
    enrichments."""

    import asyncio

    from contentgen_core.model.enrichment import ENDED
    from contentgen_core.model.job import JobKind
    from contentgen_core.use_cases.enrichment.start import EnrichCommand, Rejected

    async def run(services: Services) -> Enrichment:
        from contentgen_http.jobs.runner import running_jobs

        caller = await services.people.tenants.owner_of(TenantId(tenant))
        outcome = await services.knowledge.enrich(EnrichCommand(caller, agent, topic))
        if isinstance(outcome, Rejected):
            raise InvalidInput.of("topic", f"does not belong to the niche: {outcome.reason}")
        enrichment = outcome.enrichment
        async with running_jobs(services, JobKind.ENRICH_TOPIC):
            with progress_bar() as progress:
                task = progress.add_task(enrichment.message, total=100)
                while enrichment.status not in ENDED:
                    await asyncio.sleep(LOOK_EVERY_SECONDS)
                    enrichment = await services.knowledge.enrichments.get(caller, enrichment.id)
                    progress.update(task, description=enrichment.message, completed=enrichment.progress)
        return enrichment

    enrichment = with_services(data_dir, run)
    values = {"status": enrichment.status.value, "insights": enrichment.insights_added, "search": enrichment.provider}
    print_values(values | ({"error": enrichment.error} if enrichment.error else {}), json_)
    if enrichment.error:
        raise typer.Exit(1)
