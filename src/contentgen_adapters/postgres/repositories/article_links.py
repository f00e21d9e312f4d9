"""Links between articles."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RecordTable
from contentgen_adapters.postgres.repositories.knowledge_rows import findables
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.article import ArticleStatus, PublicCategory
from contentgen_core.model.article_link import ArticleLink, LinkState, LinkTarget, TargetedLink
from contentgen_core.model.ids import ArticleId, ArticleLinkId, TenantId
from contentgen_core.ports.repositories.article_links import ArticleLinks


@repository(ArticleLinks)
class PostgresArticleLinks:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "article_links", ArticleLink, "link")

    async def add(self, link: ArticleLink) -> None:
        columns = {"article_id": link.article_id, "target_id": link.target_id, "state": link.state.value}
        await self._records.add(link, columns)

    async def get(self, tenant_id: TenantId, link_id: ArticleLinkId) -> ArticleLink:
        return await self._records.get(tenant_id, link_id)

    async def save(self, link: ArticleLink) -> ArticleLink:
        return await self._records.save(link, {"state": link.state.value})

    async def of_article(
        self, tenant_id: TenantId, article_id: ArticleId, state: LinkState | None = None
    ) -> list[TargetedLink]:
        rows = await self._session.read(
            "SELECT l.record::text, l.revision, a.id, a.title, a.topic, a.status, a.slug, a.is_public,"
            " a.public_category FROM article_links l JOIN articles a ON a.id = l.target_id"
            " WHERE l.article_id = %(article)s AND l.tenant_id = %(tenant)s"
            " AND (%(state)s::text IS NULL OR l.state = %(state)s) ORDER BY l.id",
            {"article": findable(article_id), "tenant": findable(tenant_id), "state": state and state.value},
        )
        return [TargetedLink(self._records.read(row), _target(row[2:])) for row in rows]

    async def drop(self, tenant_id: TenantId, link_ids: Sequence[ArticleLinkId]) -> None:
        await self._session.change(
            "DELETE FROM article_links WHERE tenant_id = %s AND id = ANY(%s)",
            (findable(tenant_id), findables(link_ids)),
        )


def _target(row: Row) -> LinkTarget:
    id, title, topic, status, slug, public, category = row
    shown_as = None if category is None else PublicCategory(category)
    return LinkTarget(id, title, topic, ArticleStatus(status), slug, public, shown_as)
