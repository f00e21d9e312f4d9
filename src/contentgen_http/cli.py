"""The command line: serve, migrate, tenants, keys, kb, write, settings."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Column, Table

from contentgen_core.errors import ContentgenError, CoverageTooLow, InvalidInput, NotFound, UnreadableFile
from contentgen_core.model.coverage import Coverage
from contentgen_core.model.entity import KbFigures
from contentgen_core.model.ids import ApiKeyId, TenantId
from contentgen_core.model.knowledge import KbScope, Origin
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.markdown_document import markdown_document
from contentgen_core.ports.documents import DocumentReader, SourceText
from contentgen_core.use_cases.knowledge.import_sources import ImportReport
from contentgen_http.services import Services
from contentgen_http.settings import Settings, load, table

T = TypeVar("T")

app = typer.Typer(help="Grounded content generation.", no_args_is_help=True, pretty_exceptions_enable=False)
tenants_app = typer.Typer(help="Tenants and their plans.", no_args_is_help=True)
keys_app = typer.Typer(help="API keys of a tenant.", no_args_is_help=True)
kb_app = typer.Typer(help="The knowledge base.", no_args_is_help=True)
app.add_typer(tenants_app, name="tenants")
app.add_typer(keys_app, name="keys")
app.add_typer(kb_app, name="kb")

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of the data; also CONTENTGEN_DATA_DIR.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

console = Console(stderr=True)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    data_dir: DataDir = None,
    demo: Annotated[bool, typer.Option("--demo", help="Make a demo tenant with a small sample KB.")] = False,
) -> None:
    """Start the service, with all it needs."""
    from contentgen_http.serving import serve as run

    run(load(host=host, port=port, data_dir=data_dir), demo=demo)


@app.command()
def migrate(data_dir: DataDir = None) -> None:
    """Bring the database up to this version."""
    from contentgen_http.bootstrap import database

    with database(load(data_dir=data_dir)) as db:
        applied = db.migrate()
    typer.echo(f"applied: {', '.join(applied)}" if applied else "up to date")


@tenants_app.command("create")
def tenants_create(
    name: Annotated[str, typer.Option(help="Its name.")],
    plan: Annotated[PlanName, typer.Option(help="Its plan.")],
    platform_admin: Annotated[bool, typer.Option("--platform-admin", help="Its owner runs the platform.")] = False,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make a tenant with an owner and a first API key, which is shown this once."""

    async def run(services: Services) -> None:
        made = await services.tenants.create(name, plan, platform_admin=platform_admin)
        out = {"tenantId": made.tenant.id, "userId": made.owner.id, "apiKey": made.key.secret}
        _print(out, json_)

    _with_services(data_dir, run)


@tenants_app.command("set-plan")
def tenants_set_plan(tenant_id: str, plan: PlanName, data_dir: DataDir = None) -> None:
    """Change a tenant's plan, from its next request on."""

    async def run(services: Services) -> None:
        await services.tenants.set_plan(TenantId(tenant_id), plan)

    _with_services(data_dir, run)
    typer.echo(f"{tenant_id} is on {plan} now")


Tenant = Annotated[str, typer.Option("--tenant", help="Id of the tenant.")]


@keys_app.command("create")
def keys_create(
    tenant: Tenant,
    name: Annotated[str, typer.Option(help="What the key is for.")] = "Command line",
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make an API key for the tenant's owner; it is shown this once."""

    async def run(services: Services) -> None:
        caller = await services.tenants.owner_of(TenantId(tenant))
        made = await services.keys.create(caller, name)
        _print({"id": made.key.id, "name": made.key.name, "key": made.secret}, json_)

    _with_services(data_dir, run)


@keys_app.command("list")
def keys_list(tenant: Tenant, json_: AsJson = False, data_dir: DataDir = None) -> None:
    """Show a tenant's keys, without their secrets."""

    async def run(services: Services) -> None:
        keys = await services.keys.list(await services.tenants.owner_of(TenantId(tenant)))
        rows = [
            {
                "id": key.id,
                "name": key.name,
                "ends": f"…{key.hint}",
                "createdAt": key.created_at.isoformat(),
                "lastUsedAt": key.last_used_at.isoformat() if key.last_used_at else None,
                "revoked": key.revoked_at is not None,
            }
            for key in keys
        ]
        if json_:
            typer.echo(json.dumps(rows))
            return
        # An id that is cut cannot be revoked.
        shown = Table(Column("id", no_wrap=True, min_width=36), "name", "ends", "created", "last used", "revoked")
        for row in rows:
            shown.add_row(*(str(value if value is not None else "") for value in row.values()))
        Console().print(shown)

    _with_services(data_dir, run)


@keys_app.command("revoke")
def keys_revoke(key_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Stop a key, everywhere within a second."""

    async def run(services: Services) -> None:
        await services.keys.revoke(await services.tenants.owner_of(TenantId(tenant)), ApiKeyId(key_id))

    _with_services(data_dir, run)
    typer.echo("revoked")


@kb_app.command("import")
def kb_import(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders: Markdown, HTML, PDF, DOCX, text, JSONL.")],
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
        with _progress() as progress:
            task = progress.add_task("reading", total=None)
            sources = _sources(services.reader, paths, unread)
            report = await services.import_sources(
                scope, sources, on_progress=lambda r: progress.update(task, description=_counts(r))
            )
            progress.update(task, description=f"{_counts(report)}; indexing")
            await services.apply_index_changes.drain("kb-import")
        counts = {
            "added": report.added,
            "updated": report.updated,
            "unchanged": report.unchanged,
            "passages": report.passages,
            "unreadable": len(unread),
        }
        _print(counts, json_)

    _with_services(data_dir, run)
    if unread:
        for line in unread:
            console.print(f"[yellow]not read:[/] {line}", highlight=False, markup=True, soft_wrap=True)
        raise typer.Exit(1)


@kb_app.command("stats")
def kb_stats(
    niche: Annotated[str, typer.Option(help="Key of the niche; with a tenant, also of an agent.")],
    tenant: Annotated[str | None, typer.Option(help="What this tenant sees; else what all tenants share.")] = None,
    json_: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show what a niche's knowledge base holds."""

    async def run(services: Services) -> None:
        if tenant is None:
            scope = await _scope(services, niche, None, None)
            key, figures = niche, await services.overview.of_platform(scope.niche_key, services.niches.countries)
        else:
            owner = await services.tenants.owner_of(TenantId(tenant))
            found = await services.overview.statistics(owner, niche)
            key, figures = found.subject.key, found.figures
        rows = statistics_rows(key, figures)
        if json_:
            typer.echo(json.dumps(rows))
            return
        shown = Table("what", Column("how many", justify="right"), title=f"Knowledge base {key}")
        for name, value in rows.items():
            shown.add_row(name, f"{value:,}" if isinstance(value, int) else str(value))
        Console().print(shown)

    _with_services(data_dir, run)


@kb_app.command("reindex")
def kb_reindex(data_dir: DataDir = None) -> None:
    """Build the search index anew from the database, with the present embedding model."""

    async def run(services: Services) -> None:
        with _progress() as progress:
            task = progress.add_task("indexing", total=None)
            done = await services.rebuild_index(
                on_progress=lambda n: progress.update(task, description=f"{n} documents")
            )
        typer.echo(f"indexed {done} documents")

    _with_services(data_dir, run)


@app.command()
def write(
    topic: Annotated[str, typer.Argument(help="What the article is about.")],
    kb: Annotated[list[Path], typer.Option("--kb", help="File or folder of sources; may be given several times.")],
    language: Annotated[Language, typer.Option(help="Language of the article.")] = Language.EN,
    length: Annotated[ArticleLength, typer.Option(help="Its length.")] = ArticleLength.STANDARD,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; else standard output.")] = None,
    allow_low_coverage: Annotated[
        bool, typer.Option("--allow-low-coverage", help="Write even where the sources carry the topic badly.")
    ] = False,
) -> None:
    """Write one grounded article from a folder of sources. Needs no account, no server and no database."""
    _fail_clearly(lambda: _write(topic, kb, language, length, output, allow_low_coverage))


def _write(
    topic: str, kb: list[Path], language: Language, length: ArticleLength, output: Path | None, allow_low: bool
) -> None:
    from contentgen_http.bootstrap import in_memory
    from contentgen_http.writing import write_article

    if output is not None and not output.resolve().parent.is_dir():
        raise InvalidInput.of("output", f"there is no folder {output.resolve().parent}")
    unread: list[str] = []

    async def run() -> None:
        async with in_memory(load()) as services:
            with _progress() as progress:
                task = progress.add_task("reading sources", total=None)
                article = await write_article(
                    services,
                    topic,
                    _sources(services.reader, kb, unread),
                    language=language,
                    length=length,
                    allow_low_coverage=allow_low,
                    on_import=lambda r: progress.update(task, description=_counts(r)),
                    on_progress=lambda n: progress.update(task, description="writing", total=100, completed=n),
                )
            if output is None:
                sys.stdout.write(markdown_document(article))
            else:
                await asyncio.to_thread(output.write_text, markdown_document(article), encoding="utf-8")
            totals = article.grounding.totals if article.grounding else None
            console.print(
                f"[bold]{article.title}[/]: {article.word_count} words, {len(article.sources)} passages cited"
                + (f", {totals.citation_recall:.0%} of sentences supported" if totals else "")
                + (f"; written to {output}" if output else ""),
                highlight=False,
            )

    try:
        asyncio.run(run())
    except CoverageTooLow as error:
        raise NotCovered(error.coverage) from error
    finally:
        for line in unread:
            console.print(f"[yellow]not read:[/] {line}", highlight=False, soft_wrap=True)


class NotCovered(ContentgenError):
    """What `write` says of a topic that its sources do not carry."""

    def __init__(self, coverage: Coverage) -> None:
        missing = ", ".join(coverage.evidence.missing_terms)
        super().__init__(
            f"The sources cover this topic too little (level {coverage.level}, score {coverage.score:.0f} of 100)."
            + (f" Not found in them: {missing}." if missing else "")
            + " Add sources, choose another topic, or write all the same with --allow-low-coverage."
        )


@app.command()
def settings() -> None:
    """List every setting: environment variable, default, meaning."""
    shown = Table("variable", "default", "meaning")
    for row in table():
        shown.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 160).print(shown)


def main() -> None:
    """The program `contentgen`."""
    _fail_clearly(app)


def _fail_clearly(run: Callable[[], None]) -> None:
    """Errors that a person can act on are one line, not a traceback."""
    try:
        run()
    except ContentgenError as error:
        console.print("[red]contentgen:[/] ", end="")
        console.print(error.detail, markup=False, highlight=False, soft_wrap=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _with_services(data_dir: Path | None, run: Callable[[Services], Awaitable[T]]) -> T:
    """Run against the data directory or database of the settings, beside a running server or without one."""
    from contentgen_http.bootstrap import database, open_services

    chosen: Settings = load(data_dir=data_dir)

    async def inside(conninfo: str) -> T:
        async with open_services(chosen, conninfo) as services:
            await services.catalogue()
            return await run(services)

    with database(chosen) as db:
        db.migrate()
        return asyncio.run(inside(db.conninfo))


async def _scope(services: Services, niche: str, country: str | None, tenant: str | None) -> KbScope:
    """Raises NotFound for a niche or tenant that does not exist, InvalidInput for an unknown country."""
    if country is not None and country not in services.niches.countries:
        raise InvalidInput.of("country", f"{country!r} is not an ISO 3166-1 alpha-2 code such as FR")
    if tenant is not None:
        found = await services.niches.get(await services.tenants.owner_of(TenantId(tenant)), niche)
        return KbScope(found.niche_key, TenantId(tenant), country)
    async with services.unit_of_work() as tx:
        if await tx.niches.find_preconfigured(niche) is None:
            raise NotFound("preconfigured niche", niche)
    return KbScope(niche, None, country)


def statistics_rows(key: str, figures: KbFigures) -> dict[str, object]:
    """What `kb stats` shows, by name."""
    return {
        "nicheKey": key,
        "passages": figures.passages,
        "documents": figures.documents,
        **{f"from {origin.value}": figures.by_origin.get(origin.value, 0) for origin in Origin},
        **{f"in {language.value}": count for language, count in sorted(figures.by_language.items())},
        "average age in days": round(figures.average_age_days, 1),
        "newest": figures.newest.isoformat() if figures.newest else "",
    }


def _sources(reader: DocumentReader, paths: list[Path], unread: list[str]) -> Iterator[SourceText]:
    """The sources below some paths; files that cannot be read are noted and passed over, a path without any is not."""
    for path in paths:
        for file in reader.discover(path):
            try:
                yield from reader.read(file)
            except UnreadableFile as error:
                unread.append(error.detail)


def _counts(report: ImportReport) -> str:
    return (
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, {report.passages} new passages"
    )


def _progress() -> Progress:
    return Progress(
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console
    )


def _print(values: Mapping[str, object], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(values))
    else:
        for name, value in values.items():
            typer.echo(f"{name}: {value}")
