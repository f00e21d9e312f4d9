"""`contentgen links …`"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from contentgen_core.model.ids import ArticleId, ArticleLinkId, TenantId
from contentgen_http.commands.console import DataDir, Tenant, group, with_services

if TYPE_CHECKING:
    from contentgen_core.use_cases.article_links.decide import ShownLink
    from contentgen_http.services import Services

links_app = group()


@links_app.command("propose")
def links_propose(article_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Find words of an article that other articles are on; replaces what was proposed before and not decided."""

    async def run(services: Services) -> list[ShownLink]:
        caller, id = await services.people.tenants.owner_of(TenantId(tenant)), ArticleId(article_id)
        return await services.writing.links.shown(caller, id, await services.writing.propose_links(caller, id))

    _echo(with_services(data_dir, run))


@links_app.command("list")
def links_list(article_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """List the links of an article, with the words that they stand on."""

    async def run(services: Services) -> list[ShownLink]:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        return await services.writing.links.of_article(caller, ArticleId(article_id))

    _echo(with_services(data_dir, run))


@links_app.command("accept")
def links_accept(link_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Let a link stand wherever its article is shown, exported or published from now on."""

    async def run(services: Services) -> ShownLink:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        return await services.writing.links.accept(caller, ArticleLinkId(link_id))

    _echo([with_services(data_dir, run)])


@links_app.command("reject")
def links_reject(link_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Let a link stand nowhere; it is not proposed again."""

    async def run(services: Services) -> ShownLink:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        return await services.writing.links.reject(caller, ArticleLinkId(link_id))

    _echo([with_services(data_dir, run)])


def _echo(links: list[ShownLink]) -> None:
    for shown in links:
        state = shown.link.state.value + (", dormant" if shown.dormant else "")
        typer.echo(f"{shown.link.id}  {state}  “{shown.link.anchor}” to {shown.target.id}  {shown.target.title}")
        typer.echo(f"  in: {shown.link.sentence}")
