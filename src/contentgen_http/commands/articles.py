"""`contentgen articles …`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import evolve

from contentgen_core.model.article import PublicCategory
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_http.commands.console import DataDir, Tenant, group, with_services

if TYPE_CHECKING:
    from contentgen_core.model.article import Article
    from contentgen_http.services import Services

articles_app = group("What everybody may read of a tenant's articles.")


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
