"""Publications."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repositories.knowledge_rows import findables
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.errors import NotFound
from contentgen_core.model.ids import ArticleId, IntegrationId, PublicationId, TenantId
from contentgen_core.model.publication import Publication
from contentgen_core.ports.repositories.publications import (
    ListedPublication,
    PublicationCounts,
    PublicationQuery,
    Publications,
    PublishedAddress,
)

_STATUS: Final = "(p.record->>'status')"


@repository(Publications)
class PostgresPublications:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "publications", Publication, "publication")

    async def add(self, publication: Publication) -> None:
        columns = {
            "article_id": publication.article_id,
            "integration_id": publication.integration_id,
            "created_at": publication.created_at,
            "check_at": publication.check_at,
            "published_at": publication.published_at,
            "due_at": publication.due_at,
        }
        await self._records.add(publication, columns)

    async def get(self, tenant_id: TenantId, publication_id: PublicationId) -> Publication:
        return await self._records.get(tenant_id, publication_id)

    async def get_many(self, tenant_id: TenantId, ids: Sequence[PublicationId]) -> list[Publication]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM publications WHERE tenant_id = %s AND id = ANY(%s)",
            (findable(tenant_id), [findable(id) for id in ids]),
        )
        found = {publication.id: publication for publication in map(self._records.read, rows)}
        if missing := next((id for id in ids if id not in found), None):
            raise NotFound("publication", missing)
        return [found[id] for id in ids]

    async def find(
        self, tenant_id: TenantId, article_id: ArticleId, integration_id: IntegrationId
    ) -> Publication | None:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM publications WHERE tenant_id = %s AND article_id = %s AND integration_id = %s",
            (findable(tenant_id), findable(article_id), findable(integration_id)),
        )
        return self._records.read(rows[0]) if rows else None

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[Publication]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM publications WHERE tenant_id = %s AND article_id = %s ORDER BY created_at, id",
            (findable(tenant_id), findable(article_id)),
        )
        return [self._records.read(row) for row in rows]

    async def of_articles(
        self, tenant_id: TenantId, article_ids: Sequence[ArticleId]
    ) -> dict[ArticleId, list[Publication]]:
        rows = await self._session.read(
            f"SELECT {RECORD}, article_id FROM publications WHERE tenant_id = %s AND article_id = ANY(%s)"
            " ORDER BY created_at, id",
            (findable(tenant_id), findables(article_ids)),
        )
        found: dict[ArticleId, list[Publication]] = {}
        for row in rows:
            found.setdefault(row[-1], []).append(self._records.read(row))
        return found

    async def page(self, query: PublicationQuery) -> list[ListedPublication]:
        wanted: dict[str, Any] = {"p.tenant_id": query.tenant_id, _STATUS: query.status}
        wanted |= {"p.integration_id": query.integration_id, "a.niche_key": query.niche_key}
        values = {column: findable(value) for column, value in wanted.items() if value is not None}
        conditions = [f"{column} = %s" for column in values]
        older = [] if query.before is None else [findable(query.before)]
        rows = await self._session.read(
            f"SELECT p.record::text, p.revision, coalesce(a.title, p.record->'request'->>'title', ''), a.niche_key"
            f" FROM publications p LEFT JOIN articles a ON a.id = p.article_id WHERE {' AND '.join(conditions)}"
            f"{' AND p.id < %s' if older else ''} ORDER BY p.id DESC LIMIT %s",
            (*values.values(), *older, query.limit),
        )
        return [ListedPublication(self._records.read(row), row[-2], row[-1]) for row in rows]

    async def count(self, tenant_id: TenantId, integration_id: IntegrationId) -> PublicationCounts:
        rows = await self._session.read(
            "SELECT (SELECT count(*) FROM publications p WHERE tenant_id = %(tenant)s AND integration_id = %(at)s),"
            f" (SELECT count(*) FROM publications p WHERE tenant_id = %(tenant)s AND integration_id = %(at)s"
            f" AND {_STATUS} = 'pending')",
            {"tenant": findable(tenant_id), "at": findable(integration_id)},
        )
        return PublicationCounts(*rows[0])

    async def addresses(self, tenant_id: TenantId, limit: int) -> list[PublishedAddress]:
        rows = await self._session.read(
            "SELECT p.article_id, a.title, p.record->>'url' FROM publications p JOIN articles a ON a.id = p.article_id"
            " WHERE p.tenant_id = %s AND p.record->>'url' IS NOT NULL AND p.record->>'status' = 'published'"
            " ORDER BY p.created_at DESC, p.id DESC LIMIT %s",
            (findable(tenant_id), limit),
        )
        return [PublishedAddress(*row) for row in rows]

    async def save(self, publication: Publication) -> Publication:
        columns = {
            "check_at": publication.check_at,
            "published_at": publication.published_at,
            "due_at": publication.due_at,
        }
        return await self._records.save(publication, columns)

    async def claim_checks(self, now: datetime, until: datetime, limit: int) -> list[Publication]:
        rows = await self._session.write(
            "UPDATE publications SET check_at = %s WHERE id IN (SELECT id FROM publications WHERE check_at <= %s"
            f" ORDER BY check_at, id LIMIT %s FOR UPDATE SKIP LOCKED) RETURNING {RECORD}",
            (until, now, limit),
        )
        return [self._records.read(row) for row in rows]

    async def make_due(self, tenant_id: TenantId, now: datetime) -> int:
        rows = await self._session.write(
            "UPDATE publications SET check_at = %s WHERE tenant_id = %s AND record->>'remote_id' IS NOT NULL"
            " AND record->>'status' <> 'pending' RETURNING id",
            (now, findable(tenant_id)),
        )
        return len(rows)
