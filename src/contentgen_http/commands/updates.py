"""`contentgen updates …`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from contentgen_core.model.article_update import UpdateState
from contentgen_core.model.freshness import Proposer, StaleSentence
from contentgen_core.model.ids import ArticleId, ArticleUpdateId, TenantId
from contentgen_http.commands.console import DataDir, Tenant, group, with_services

if TYPE_CHECKING:
    from contentgen_core.model.article_update import ArticleUpdate
    from contentgen_http.services import Services

_BY_MODEL: Final = "  (by the model)"

updates_app = group()


@updates_app.command("propose")
def updates_propose(article_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Compare an article with its sources as they are now, and keep what is proposed."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        update = await services.writing.propose_update(caller, ArticleId(article_id))
        if update is None:
            typer.echo("fresh: every sentence is still what its source says")
        else:
            _echo(update)

    with_services(data_dir, run)


@updates_app.command("list")
def updates_list(
    tenant: Tenant,
    state: Annotated[UpdateState, typer.Option(help="Only those in this state.")] = UpdateState.PROPOSED,
    data_dir: DataDir = None,
) -> None:
    """List updates with what they change, newest first."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        before: ArticleUpdateId | None = None
        while found := await services.writing.updates.page(caller, state, before, 50):
            for update in found:
                _echo(update)
            before = found[-1].id

    with_services(data_dir, run)


@updates_app.command("accept")
def updates_accept(
    update_id: str,
    tenant: Tenant,
    publish: Annotated[bool, typer.Option("--publish", help="Update the posts that are out, too.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Write all that an update proposes into its article."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        update = await services.writing.updates.accept(caller, ArticleUpdateId(update_id), publish=publish)
        typer.echo(f"{len(update.applied)} sentences changed, {len(update.updating)} posts being updated")
        following = await services.writing.updates.of_translations(caller, [update])
        for one in following.get(update.id, ()):
            typer.echo(f"{one.id}  {one.state.value}  its translation {one.article_id}")

    with_services(data_dir, run)


@updates_app.command("reject")
def updates_reject(update_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Leave the article as it is."""

    async def run(services: Services) -> None:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        await services.writing.updates.reject(caller, ArticleUpdateId(update_id))

    with_services(data_dir, run)
    typer.echo("rejected")


def _echo(update: ArticleUpdate) -> None:
    """An update as a diff, sentence by sentence."""
    typer.echo(f"{update.id}  {update.state.value}  {update.title}")
    if update.reason:
        typer.echo(f"  {update.reason}")
    for change in update.changes:
        typer.echo(f"  {change.position} {change.state.value}{_conflict(change)}")
        typer.echo(f"    - {change.text}")
        if change.proposal:
            typer.echo(f"    + {change.proposal}{_BY_MODEL if change.proposed_by is Proposer.MODEL else ''}")
        elif change.proposal is None:
            typer.echo(f"    ? {change.now or 'its source says nothing of it any more'}")


def _conflict(change: StaleSentence) -> str:
    found = change.contradiction
    if found is None:
        return ""
    return f" by {found.title} (conflict {found.conflict_id}, {'decided' if found.decided else 'not decided yet'})"
