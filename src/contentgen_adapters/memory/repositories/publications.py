"""Publications."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve

from contentgen_adapters.memory.common_tables import ARTICLES, PUBLICATIONS, TENANTS
from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import ArticleId, IntegrationId, PublicationId, TenantId
from contentgen_core.model.publication import Publication, PublicationStatus
from contentgen_core.ports.repositories.publications import (
    ListedPublication,
    PublicationCounts,
    PublicationQuery,
    Publications,
    PublishedAddress,
)


@repository(Publications)
class MemoryPublications:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[PUBLICATIONS], "publication")

    async def add(self, publication: Publication) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], publication.tenant_id, "tenant")
        if publication.article_id is not None:
            existing(self._session[ARTICLES], publication.article_id, "article")
            if await self.find(publication.tenant_id, publication.article_id, publication.integration_id) is not None:
                raise AlreadyExists("The article has a publication for this integration already.")
        self._session[PUBLICATIONS].put(publication.id, publication)

    async def get(self, tenant_id: TenantId, publication_id: PublicationId) -> Publication:
        return await self._records.get(tenant_id, publication_id)

    async def get_many(self, tenant_id: TenantId, ids: Sequence[PublicationId]) -> list[Publication]:
        return [await self._records.get(tenant_id, id) for id in ids]

    async def find(
        self, tenant_id: TenantId, article_id: ArticleId, integration_id: IntegrationId
    ) -> Publication | None:
        of_article = await self.of_article(tenant_id, article_id)
        return next((p for p in of_article if p.integration_id == integration_id), None)

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[Publication]:
        found = (p for p in self._records.of(tenant_id) if p.article_id == article_id)
        return sorted(found, key=lambda p: (p.created_at, p.id))

    async def of_articles(
        self, tenant_id: TenantId, article_ids: Sequence[ArticleId]
    ) -> dict[ArticleId, list[Publication]]:
        found = {id: await self.of_article(tenant_id, id) for id in dict.fromkeys(article_ids)}
        return {id: publications for id, publications in found.items() if publications}

    async def page(self, query: PublicationQuery) -> list[ListedPublication]:
        found = sorted(self._records.of(query.tenant_id), key=lambda p: p.id, reverse=True)
        listed = [
            self._listed(publication)
            for publication in found
            if query.status in (None, publication.status)
            and query.integration_id in (None, publication.integration_id)
            and (query.before is None or publication.id < query.before)
        ]
        return [one for one in listed if query.niche_key in (None, one.niche_key)][: query.limit]

    def _listed(self, publication: Publication) -> ListedPublication:
        article = self._session[ARTICLES].get(publication.article_id) if publication.article_id else None
        if article is None:
            return ListedPublication(publication, publication.request.title or "", None)
        return ListedPublication(publication, article.title, article.niche_key)

    async def count(self, tenant_id: TenantId, integration_id: IntegrationId) -> PublicationCounts:
        found = [p.status for p in self._records.of(tenant_id) if p.integration_id == integration_id]
        return PublicationCounts(len(found), found.count(PublicationStatus.PENDING))

    async def addresses(self, tenant_id: TenantId, limit: int) -> list[PublishedAddress]:
        found = sorted(self._records.of(tenant_id), key=lambda p: (p.created_at, p.id), reverse=True)
        published = [
            PublishedAddress(article.id, article.title, p.url)
            for p in found
            if p.url is not None
            and p.status is PublicationStatus.PUBLISHED
            and p.article_id is not None
            and (article := self._session[ARTICLES].get(p.article_id)) is not None
        ]
        return published[:limit]

    async def save(self, publication: Publication) -> Publication:
        return await self._records.save(publication)

    async def claim_checks(self, now: datetime, until: datetime, limit: int) -> list[Publication]:
        await self._session.writing()
        due = sorted((p.check_at, p.id, p) for p in self._session[PUBLICATIONS].rows() if _is_due(p, now))
        claimed = [publication for _, _, publication in due[:limit]]
        for publication in claimed:
            self._session[PUBLICATIONS].put(publication.id, evolve(publication, check_at=until))
        return claimed

    async def make_due(self, tenant_id: TenantId, now: datetime) -> int:
        await self._session.writing()
        with_a_post = [
            p for p in self._records.of(tenant_id) if p.remote_id and p.status is not PublicationStatus.PENDING
        ]
        for publication in with_a_post:
            self._session[PUBLICATIONS].put(publication.id, evolve(publication, check_at=now))
        return len(with_a_post)


def _is_due(publication: Publication, now: datetime) -> bool:
    return publication.check_at is not None and publication.check_at <= now
