"""`contentgen articles …`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import evolve

from contentgen_core.model.approval import PostDetails
from contentgen_core.model.article import PublicCategory
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_http.commands.console import DataDir, Tenant, group, with_services

if TYPE_CHECKING:
    from contentgen_core.model.article import Article
    from contentgen_core.model.similar_article import SimilarArticle
    from contentgen_http.services import Services

articles_app = group()


@articles_app.command("make-public")
def make_public(
    article_id: str,
    tenant: Tenant,
    category: Annotated[
        PublicCategory | None, typer.Option(help="Among which public articles it is; else as it was.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Show an article to everybody, without a key, within seconds; as a platform administrator of the tenant may."""
    article = _set_public(article_id, tenant, True, category, data_dir)
    typer.echo(f"public: {article.slug}")


@articles_app.command("make-private")
def make_private(article_id: str, tenant: Tenant, data_dir: DataDir = None) -> None:
    """Show an article to its tenant alone again."""
    _set_public(article_id, tenant, False, None, data_dir)
    typer.echo("private")


@articles_app.command("similar")
def similar(
    topic: str,
    tenant: Tenant,
    agent: Annotated[str | None, typer.Option(help="Key of the agent whose knowledge base is searched.")] = None,
    data_dir: DataDir = None,
) -> None:
    """List the articles that already answer a topic, the most alike first, with what to do about each."""

    async def run(services: Services) -> tuple[SimilarArticle, ...]:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        return await services.writing.similar(caller, topic, agent)

    for found in with_services(data_dir, run):
        typer.echo(f"{found.article.id}  {found.suggestion.value}  {found.article.title}")
        typer.echo(f"  {found.reason}")


@articles_app.command("submit")
def submit(
    article_id: str,
    tenant: Tenant,
    slug: Annotated[str | None, typer.Option(help="Its name in addresses; else the article's own.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag, for each one; else the article's keywords.")] = None,
    category: Annotated[list[str] | None, typer.Option(help="A category, for each one; else none.")] = None,
    canonical_url: Annotated[str | None, typer.Option(help="Where the text is at home; else nowhere else.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Ask those who may approve an article to review it, with what is to go out beside the text; without any of these
    options that stays as it was chosen before."""
    chosen = PostDetails(slug, tuple(tag) if tag else None, tuple(category) if category else None, canonical_url)

    async def run(services: Services) -> Article:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        details = None if chosen == PostDetails() else chosen
        return await services.writing.approval.submit(caller, ArticleId(article_id), details)

    _echo_approval(with_services(data_dir, run))


@articles_app.command("approve")
def approve(
    article_id: str,
    tenant: Tenant,
    text_hash: Annotated[
        str | None, typer.Option("--text", help="The text that you have read, as submit printed it; no other passes.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Approve an article's present text, in the name of the tenant's owner."""

    async def run(services: Services) -> Article:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        return await services.writing.approval.approve(caller, ArticleId(article_id), text_hash)

    _echo_approval(with_services(data_dir, run))


@articles_app.command("send-back")
def send_back(
    article_id: str,
    tenant: Tenant,
    reason: Annotated[str, typer.Option(help="What is to be changed.")],
    data_dir: DataDir = None,
) -> None:
    """Ask for changes of an article; an approval is taken back, posts that are out stay."""

    async def run(services: Services) -> Article:
        caller = await services.people.tenants.owner_of(TenantId(tenant))
        return await services.writing.approval.send_back(caller, ArticleId(article_id), reason)

    _echo_approval(with_services(data_dir, run))


def _echo_approval(article: Article) -> None:
    typer.echo(f"{article.approval_state.value}: {article.title}\ntext: {article.reader_hash}")


def _set_public(
    article_id: str, tenant: str, public: bool, category: PublicCategory | None, data_dir: Path | None
) -> Article:
    from contentgen_core.model.changes import UNSET
    from contentgen_core.use_cases.articles.edit import EditArticleCommand

    async def run(services: Services) -> Article:
        operator = evolve(await services.people.tenants.owner_of(TenantId(tenant)), platform_admin=True)
        change = EditArticleCommand(
            operator, ArticleId(article_id), is_public=public, public_category=UNSET if category is None else category
        )
        return await services.writing.edit(change)

    return with_services(data_dir, run)
