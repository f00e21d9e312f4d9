"""What the evaluation of a niche rests on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from contentgen_adapters.memory.common_tables import ARTICLES, DOCUMENTS
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.area import Area
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.governance import ArticleFacts, DocumentFacts, PublishedFacts
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbView
from contentgen_core.ports.repositories.governance import GovernanceFacts


@repository(GovernanceFacts)
class MemoryGovernanceFacts:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def documents(self, view: KbView, limit: int) -> list[DocumentFacts]:
        seen = (document for document in self._session[DOCUMENTS].rows() if view.sees(document.scope))
        newest = sorted(seen, key=lambda d: (d.created_at, d.id), reverse=True)[:limit]
        return [DocumentFacts(d.origin, d.created_at, d.url, d.fetched_at, d.published) for d in newest]

    async def articles(self, tenant_id: TenantId, area: Area, limit: int) -> list[ArticleFacts]:
        found = (a for a in self._of(tenant_id, area) if a.status is not ArticleStatus.FAILED)
        newest = sorted(found, key=lambda a: (a.created_at, a.id), reverse=True)[:limit]
        return [ArticleFacts(a.title, a.brief.topic, a.brief.language) for a in newest]

    async def published(self, tenant_id: TenantId, area: Area, limit: int) -> list[PublishedFacts]:
        dated = sorted(self._published(tenant_id, area), key=lambda pair: (pair[0], pair[1].id), reverse=True)
        return [_published_facts(article) for _, article in dated[:limit]]

    async def published_between(self, tenant_id: TenantId, area: Area, since: datetime, until: datetime) -> int:
        return sum(since < at <= until for at, _ in self._published(tenant_id, area))

    def _of(self, tenant_id: TenantId, area: Area) -> Iterator[Article]:
        for article in self._session[ARTICLES].rows():
            if (article.tenant_id, article.niche_key) != (tenant_id, area.niche_key):
                continue
            if area.agent_key in (None, article.agent_key):
                yield article

    def _published(self, tenant_id: TenantId, area: Area) -> Iterator[tuple[datetime, Article]]:
        for article in self._of(tenant_id, area):
            if article.status is ArticleStatus.PUBLISHED and article.published_at is not None:
                yield article.published_at, article


def _published_facts(article: Article) -> PublishedFacts:
    if article.grounding is None:
        return PublishedFacts(len(article.sources))
    totals = article.grounding.totals
    return PublishedFacts(len(article.sources), totals.citation_recall, totals.citation_precision)
