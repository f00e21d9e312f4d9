"""`contentgen sources …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import SourceKind
from contentgen_http.commands.console import DataDir, Tenant, group, warn, with_services

if TYPE_CHECKING:
    from contentgen_core.model.synced_source import SyncedSource
    from contentgen_core.model.tenant import Caller
    from contentgen_http.services import Services

sources_app = group()

LOOK_EVERY_SECONDS = 0.2
MAX_SECRET = 10_000
"""Characters; a longer one is refused as a setting is."""


@sources_app.command("add")
def sources_add(
    kind: Annotated[SourceKind, typer.Argument(help="What it is.")],
    places: Annotated[list[str], typer.Argument(help="Where it is: a path, addresses of pages, or as `kinds` says.")],
    niche: Annotated[str, typer.Option(help="Key of the niche.")],
    tenant: Tenant,
    name: Annotated[str | None, typer.Option(help="A name for it; else where it is.")] = None,
    every: Annotated[int, typer.Option(help="Hours between two syncs.")] = 24,
    grace: Annotated[int, typer.Option(help="Days for which an item stays that is no longer there.")] = 7,
    setting: Annotated[list[str] | None, typer.Option("--set", help="A setting of the kind: name=value.")] = None,
    secret: Annotated[
        list[str] | None, typer.Option(help="A secret setting: name=FILE that holds it; name=- reads standard input.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Follow a source, and wait for its first sync."""
    from contentgen_core.use_cases.synced_sources.manage_sources import NewSource

    settings = dict(_split_option(each, "--set") for each in setting or [])
    settings |= {name: _secret(file) for name, file in (_split_option(each, "--secret") for each in secret or [])}

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        command = NewSource(caller, niche, kind, name or places[0][:100], "\n".join(places), every, grace, settings)
        source = await services.knowledge.sources.create(command)
        typer.echo(source.id)
        _echo(await _wait_for_sync(services, caller, source))

    with_services(data_dir, run)


@sources_app.command("kinds")
def sources_kinds(data_dir: DataDir = None) -> None:
    """List the kinds of sources, and the settings of each."""

    async def run(services: Services) -> None:
        for info in services.knowledge.sources.kinds():
            typer.echo(f"{info.kind.value}  {info.place}")
            for field in info.fields:
                option = f"--secret {field.name}=FILE" if field.secret else f"--set {field.name}=…"
                need = "needed" if field.required else f"else {field.default}" if field.default else "optional"
                typer.echo(f"    {option}  {field.label} ({need}). {field.help}".rstrip())
            for note in info.unverified:
                typer.echo(f"    note: {note}")

    with_services(data_dir, run)


@sources_app.command("list")
def sources_list(tenant: Tenant, data_dir: DataDir = None) -> None:
    """List sources with what their last syncs found."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        for source in await services.knowledge.sources.list(caller):
            typer.echo(f"{source.id}  {source.kind.value}  {source.niche_key}  {source.name}")
            _echo(source)

    with_services(data_dir, run)


@sources_app.command("sync")
def sources_sync(source_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Sync a source now, and wait until it has ended."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        source = await services.knowledge.sources.sync(caller, SyncedSourceId(source_id))
        _echo(await _wait_for_sync(services, caller, source))

    with_services(data_dir, run)


@sources_app.command("accept")
def sources_accept(source_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Take over what a source says now, after a doubtful sync, and wait until that has ended."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        source = await services.knowledge.sources.accept(caller, SyncedSourceId(source_id))
        _echo(await _wait_for_sync(services, caller, source))

    with_services(data_dir, run)


@sources_app.command("remove")
def sources_remove(source_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Stop following a source, and remove the documents that came from it."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        await services.knowledge.sources.delete(caller, SyncedSourceId(source_id))

    with_services(data_dir, run)
    typer.echo("removed")


def _split_option(option: str, flag: str) -> tuple[str, str]:
    name, equals, value = option.partition("=")
    if not name or not equals:
        raise typer.BadParameter(f"{flag} takes name=value, not {name!r}")
    return name, value


def _secret(file: str) -> str:
    """The content of a file, or standard input: on a command line others could read it."""
    import sys
    from pathlib import Path

    if file == "-":
        return sys.stdin.read(MAX_SECRET).strip()
    try:
        return Path(file).read_text("utf-8")[:MAX_SECRET].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"--secret: {file} cannot be read") from error


async def _wait_for_sync(services: Services, caller: Caller, source: SyncedSource) -> SyncedSource:
    """Return the source after the sync that is under way."""
    import asyncio

    from contentgen_core.model.job import JobKind
    from contentgen_http.jobs.runner import running_jobs

    async with running_jobs(services, JobKind.SYNC_SOURCE):
        while source.job_id is not None:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
            source = await services.knowledge.sources.get(caller, source.id)
    return source


def _echo(source: SyncedSource) -> None:
    report = source.last
    if report is None:
        typer.echo("    not synced yet")
        return
    figures = ("listed", "added", "changed", "unchanged", "missing", "removed")
    counts = ", ".join(f"{getattr(report, name)} {name}" for name in figures)
    typer.echo(f"    {report.outcome.value}: {counts}, {sum(report.skipped.values())} skipped")
    for key, reason in report.examples:
        typer.echo(f"    skipped: {key} ({reason.value})")
    if report.error:
        warn("note:", report.error)
