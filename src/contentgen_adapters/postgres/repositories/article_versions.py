"""Versions of articles' texts."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from typing import Any, Final

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.article_version import ArticleVersion, VersionText
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.ports.repositories.article_versions import ArticleVersions

_OF_ARTICLE: Final = "article_id = %(article_id)s AND tenant_id = %(tenant_id)s"
_MAX_NUMBER: Final = 2**31 - 1


@repository(ArticleVersions)
class PostgresArticleVersions:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, version: ArticleVersion, text: VersionText) -> None:
        values = {**_row(version), "text_hash": version.text_hash, "text": dumps(text, VersionText)}
        added = await self._session.change(
            "INSERT INTO article_versions (article_id, tenant_id, number, text_hash, published, record, text) VALUES"
            " (%(article_id)s, %(tenant_id)s, %(number)s, %(text_hash)s, %(published)s, %(record)s, %(text)s)"
            " ON CONFLICT (article_id, number) DO NOTHING",
            values,
        )
        if not added:
            raise ConcurrentChange.of("article")

    async def save(self, version: ArticleVersion) -> None:
        changed = await self._session.change(
            "UPDATE article_versions SET published = %(published)s, record = %(record)s"
            f" WHERE {_OF_ARTICLE} AND number = %(number)s",
            _row(version),
        )
        require(changed, "version", str(version.number))

    async def newest(self, tenant_id: TenantId, article_id: ArticleId) -> ArticleVersion | None:
        return next(iter(await self.page(tenant_id, article_id, None, 1)), None)

    async def of_text(self, tenant_id: TenantId, article_id: ArticleId, text_hash: str) -> ArticleVersion | None:
        rows = await self._session.read(
            f"SELECT record::text FROM article_versions WHERE {_OF_ARTICLE} AND text_hash = %(text_hash)s"
            " ORDER BY number DESC LIMIT 1",
            {**_key(tenant_id, article_id), "text_hash": findable(text_hash)},
        )
        return next((loads(record, ArticleVersion) for (record,) in rows), None)

    async def get(self, tenant_id: TenantId, article_id: ArticleId, number: int) -> tuple[ArticleVersion, VersionText]:
        if not 0 < number <= _MAX_NUMBER:
            raise NotFound("version", str(number))
        rows = await self._session.read(
            f"SELECT record::text, text::text FROM article_versions WHERE {_OF_ARTICLE} AND number = %(number)s",
            {**_key(tenant_id, article_id), "number": number},
        )
        [(record, text)] = require(rows, "version", str(number))
        return loads(record, ArticleVersion), loads(text, VersionText)

    async def page(
        self, tenant_id: TenantId, article_id: ArticleId, before: int | None, limit: int
    ) -> list[ArticleVersion]:
        rows = await self._session.read(
            f"SELECT record::text FROM article_versions WHERE {_OF_ARTICLE} AND number < %(before)s"
            " ORDER BY number DESC LIMIT %(limit)s",
            {
                **_key(tenant_id, article_id),
                "before": _MAX_NUMBER if before is None else min(max(before, 0), _MAX_NUMBER),
                "limit": limit,
            },
        )
        return [loads(record, ArticleVersion) for (record,) in rows]

    async def prune(self, tenant_id: TenantId, article_id: ArticleId, keep: int) -> None:
        await self._session.change(
            f"DELETE FROM article_versions WHERE {_OF_ARTICLE} AND NOT published AND number <="
            f" (SELECT number FROM article_versions WHERE {_OF_ARTICLE}"
            " ORDER BY number DESC OFFSET %(keep)s LIMIT 1)",
            {**_key(tenant_id, article_id), "keep": keep},
        )


def _key(tenant_id: TenantId, article_id: ArticleId) -> dict[str, Any]:
    return {"tenant_id": findable(tenant_id), "article_id": findable(article_id)}


def _row(version: ArticleVersion) -> dict[str, Any]:
    return {
        **_key(version.tenant_id, version.article_id),
        "number": version.number,
        "published": version.published_at is not None,
        "record": dumps(version, ArticleVersion),
    }
