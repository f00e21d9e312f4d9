"""Links between articles."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_adapters.memory.common_tables import ARTICLE_LINKS, ARTICLES, TENANTS
from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.article_link import ArticleLink, LinkState, LinkTarget, TargetedLink
from contentgen_core.model.ids import ArticleId, ArticleLinkId, TenantId
from contentgen_core.ports.repositories.article_links import ArticleLinks


@repository(ArticleLinks)
class MemoryArticleLinks:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[ARTICLE_LINKS], "link")

    async def add(self, link: ArticleLink) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], link.tenant_id, "tenant")
        existing(self._session[ARTICLES], link.article_id, "article")
        existing(self._session[ARTICLES], link.target_id, "article")
        own = self._of(link.tenant_id, link.article_id)
        if any(other.target_id == link.target_id for other in own):
            raise AlreadyExists("The article has a link to this one already.")
        self._session[ARTICLE_LINKS].put(link.id, link)

    async def get(self, tenant_id: TenantId, link_id: ArticleLinkId) -> ArticleLink:
        return await self._records.get(tenant_id, link_id)

    async def save(self, link: ArticleLink) -> ArticleLink:
        return await self._records.save(link)

    async def of_article(
        self, tenant_id: TenantId, article_id: ArticleId, state: LinkState | None = None
    ) -> list[TargetedLink]:
        own = sorted(self._of(tenant_id, article_id), key=lambda link: link.id)
        return [TargetedLink(link, self._target(link)) for link in own if state in (None, link.state)]

    async def drop(self, tenant_id: TenantId, link_ids: Sequence[ArticleLinkId]) -> None:
        await self._session.writing()
        for link in self._records.of(tenant_id):
            if link.id in link_ids:
                self._session[ARTICLE_LINKS].drop(link.id)

    def _of(self, tenant_id: TenantId, article_id: ArticleId) -> list[ArticleLink]:
        return [link for link in self._records.of(tenant_id) if link.article_id == article_id]

    def _target(self, link: ArticleLink) -> LinkTarget:
        target = existing(self._session[ARTICLES], link.target_id, "article")
        return LinkTarget(
            target.id,
            target.title,
            target.brief.topic,
            target.status,
            target.slug,
            target.is_public,
            target.public_category,
        )
