"""Publications."""

from __future__ import annotations

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.ids import ArticleId, IntegrationId, PublicationId, TenantId
from contentgen_core.model.publication import Publication


class MemoryPublications:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, publication: Publication) -> None:
        await self._session.writing()
        if self._session.tenants.get(publication.tenant_id) is None:
            raise NotFound("tenant", publication.tenant_id)
        if publication.article_id is not None:
            if self._session.articles.get(publication.article_id) is None:
                raise NotFound("article", publication.article_id)
            if await self.find(publication.tenant_id, publication.article_id, publication.integration_id) is not None:
                raise AlreadyExists("The article has a publication for this integration already.")
        self._session.publications.put(publication.id, publication)

    async def get(self, tenant_id: TenantId, publication_id: PublicationId) -> Publication:
        found = self._session.publications.get(publication_id)
        if found is None or found.tenant_id != tenant_id:
            raise NotFound("publication", publication_id)
        return found

    async def find(
        self, tenant_id: TenantId, article_id: ArticleId, integration_id: IntegrationId
    ) -> Publication | None:
        of_article = await self.of_article(tenant_id, article_id)
        return next((p for p in of_article if p.integration_id == integration_id), None)

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[Publication]:
        found = (p for p in self._session.publications.rows() if (p.tenant_id, p.article_id) == (tenant_id, article_id))
        return sorted(found, key=lambda p: (p.created_at, p.id))

    async def save(self, publication: Publication) -> Publication:
        await self._session.writing()
        stored = await self.get(publication.tenant_id, publication.id)
        if stored.revision != publication.revision:
            raise ConcurrentChange("The publication was changed meanwhile. Read it again.")
        saved = evolve(publication, revision=publication.revision + 1)
        self._session.publications.put(saved.id, saved)
        return saved
