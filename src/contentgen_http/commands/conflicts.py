"""`contentgen kb conflicts …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from contentgen_core.model.conflict import ConflictState, Decision, SideName
from contentgen_core.model.ids import ConflictId, TenantId
from contentgen_http.commands.console import DataDir, Tenant, group, with_services

if TYPE_CHECKING:
    from contentgen_core.model.conflict import Side
    from contentgen_core.use_cases.conflicts.manage_conflicts import ShownConflict
    from contentgen_http.services import Services

LOOK_EVERY_SECONDS: Final = 0.2

conflicts_app = group("Sentences of a knowledge base that contradict each other.")
Niche = Annotated[str, typer.Option(help="Key of the niche.")]


@conflicts_app.command("find")
def conflicts_find(niche: Niche, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Compare what is new or changed with what is near it in meaning, and wait for the end."""
    import asyncio

    from contentgen_core.model.job import JobKind

    async def run(services: Services) -> None:
        from contentgen_http.jobs.runner import running_jobs

        caller = await services.people.tenants.owner_of(TenantId(tenant))
        conflicts = services.knowledge.conflicts
        search = await conflicts.run(caller, niche)
        async with running_jobs(services, JobKind.FIND_CONFLICTS):
            while search.job_id is not None:
                await asyncio.sleep(LOOK_EVERY_SECONDS)
                found = (await conflicts.page(caller, niche, None, None, 1)).search
                assert found is not None, "a search that was begun is there"
                search = found
        if (last := search.last) is not None:
            typer.echo(f"{last.passages} passages compared, {last.found} new conflicts, {last.outdated} outdated")
            if last.error:
                typer.echo(last.error, err=True)
                raise typer.Exit(1)

    with_services(data_dir, run)


@conflicts_app.command("list")
def conflicts_list(
    niche: Niche,
    tenant: Tenant,
    state: Annotated[ConflictState, typer.Option(help="Only those in this state.")] = ConflictState.OPEN,
    data_dir: DataDir = None,
) -> None:
    """List conflicts with both sentences, newest first."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        before: ConflictId | None = None
        while found := (await services.knowledge.conflicts.page(caller, niche, state, before, 50)).conflicts:
            for shown in found:
                _echo(shown)
            before = found[-1].conflict.id

    with_services(data_dir, run)


@conflicts_app.command("decide")
def conflicts_decide(
    conflict_id: str,
    decision: Decision,
    niche: Niche,
    tenant: Tenant,
    prefer: Annotated[SideName | None, typer.Option(help="With prefer: the side that holds.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Decide a conflict; articles that are written from now on follow it."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        decide = services.knowledge.conflicts.decide
        _echo(await decide(caller, niche, ConflictId(conflict_id), decision, prefer))

    with_services(data_dir, run)


def _echo(shown: ShownConflict) -> None:
    conflict = shown.conflict
    decided = f"  {conflict.decision.value}" if conflict.decision else ""
    typer.echo(f"{conflict.id}  {conflict.kind.value}  {conflict.state.value}{decided}")
    for name in SideName:
        side: Side = getattr(conflict, name.value)
        marks = [
            f"{side.dated}{', newer' if conflict.newer is name else ''}",
            f"{side.independent} independent",
            *(["preferred"] if conflict.preferred is name else []),
            *([f"{len(shown.citing[name])} articles"] if shown.citing[name] else []),
        ]
        typer.echo(f"  {name.value}: {side.sentence}")
        typer.echo(f"    {side.title} ({'; '.join(marks)})")
