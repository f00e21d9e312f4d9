"""Publications."""

from __future__ import annotations

from attrs import evolve

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import ArticleId, IntegrationId, PublicationId, TenantId
from contentgen_core.model.publication import Publication


class PostgresPublications:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, publication: Publication) -> None:
        await self._session.change(
            "INSERT INTO publications (id, tenant_id, article_id, integration_id, created_at, record, revision)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s)",
            (
                publication.id,
                publication.tenant_id,
                publication.article_id,
                publication.integration_id,
                publication.created_at,
                dumps(publication, Publication),
                publication.revision,
            ),
        )

    async def get(self, tenant_id: TenantId, publication_id: PublicationId) -> Publication:
        rows = await self._session.read(
            "SELECT record::text, revision FROM publications WHERE id = %s AND tenant_id = %s",
            (findable(publication_id), findable(tenant_id)),
        )
        if not rows:
            raise NotFound("publication", publication_id)
        return _publication(rows[0])

    async def find(
        self, tenant_id: TenantId, article_id: ArticleId, integration_id: IntegrationId
    ) -> Publication | None:
        rows = await self._session.read(
            "SELECT record::text, revision FROM publications"
            " WHERE tenant_id = %s AND article_id = %s AND integration_id = %s",
            (findable(tenant_id), findable(article_id), findable(integration_id)),
        )
        return _publication(rows[0]) if rows else None

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[Publication]:
        rows = await self._session.read(
            "SELECT record::text, revision FROM publications WHERE tenant_id = %s AND article_id = %s"
            " ORDER BY created_at, id",
            (findable(tenant_id), findable(article_id)),
        )
        return [_publication(row) for row in rows]

    async def save(self, publication: Publication) -> Publication:
        changed = await self._session.change(
            "UPDATE publications SET record = %s, revision = revision + 1"
            " WHERE id = %s AND tenant_id = %s AND revision = %s",
            (
                dumps(publication, Publication),
                findable(publication.id),
                findable(publication.tenant_id),
                publication.revision,
            ),
        )
        if not changed:
            await self.get(publication.tenant_id, publication.id)
            raise ConcurrentChange("The publication was changed meanwhile. Read it again.")
        return evolve(publication, revision=publication.revision + 1)


def _publication(row: Row) -> Publication:
    record, revision = row
    publication: Publication = loads(record, Publication)
    return evolve(publication, revision=revision)
