"""Versions of articles' texts."""

from __future__ import annotations

from contentgen_adapters.memory.common_tables import ARTICLE_VERSIONS, ARTICLES
from contentgen_adapters.memory.records import owned
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.article_version import ArticleVersion, VersionText
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.ports.repositories.article_versions import ArticleVersions


@repository(ArticleVersions)
class MemoryArticleVersions:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, version: ArticleVersion, text: VersionText) -> None:
        await self._session.writing()
        owned(self._session[ARTICLES], version.tenant_id, version.article_id, "article")
        key = (version.article_id, version.number)
        if self._session[ARTICLE_VERSIONS].get(key) is not None:
            raise ConcurrentChange.of("article")
        self._session[ARTICLE_VERSIONS].put(key, (version, text))

    async def save(self, version: ArticleVersion) -> None:
        await self._session.writing()
        _, text = await self.get(version.tenant_id, version.article_id, version.number)
        self._session[ARTICLE_VERSIONS].put((version.article_id, version.number), (version, text))

    async def newest(self, tenant_id: TenantId, article_id: ArticleId) -> ArticleVersion | None:
        return next(iter(self._of(tenant_id, article_id)), None)

    async def of_text(self, tenant_id: TenantId, article_id: ArticleId, text_hash: str) -> ArticleVersion | None:
        return next((one for one in self._of(tenant_id, article_id) if one.text_hash == text_hash), None)

    async def get(self, tenant_id: TenantId, article_id: ArticleId, number: int) -> tuple[ArticleVersion, VersionText]:
        found = self._session[ARTICLE_VERSIONS].get((article_id, number))
        if found is None or found[0].tenant_id != tenant_id:
            raise NotFound("version", str(number))
        return found

    async def page(
        self, tenant_id: TenantId, article_id: ArticleId, before: int | None, limit: int
    ) -> list[ArticleVersion]:
        return [one for one in self._of(tenant_id, article_id) if before is None or one.number < before][:limit]

    async def prune(self, tenant_id: TenantId, article_id: ArticleId, keep: int) -> None:
        await self._session.writing()
        for version in self._of(tenant_id, article_id)[keep:]:
            if version.published_at is None:
                self._session[ARTICLE_VERSIONS].drop((article_id, version.number))

    def _of(self, tenant_id: TenantId, article_id: ArticleId) -> list[ArticleVersion]:
        """Newest first."""
        own = [
            version
            for version, _ in self._session[ARTICLE_VERSIONS].rows()
            if (version.tenant_id, version.article_id) == (tenant_id, article_id)
        ]
        return sorted(own, key=lambda version: version.number, reverse=True)
