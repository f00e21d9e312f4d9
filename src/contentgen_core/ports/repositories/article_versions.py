"""Versions of articles' texts."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.article_version import ArticleVersion, VersionText
from contentgen_core.model.ids import ArticleId, TenantId


class ArticleVersions(Protocol):
    """A tenant sees its own versions only. Those of an article go with it."""

    async def add(self, version: ArticleVersion, text: VersionText) -> None:
        """Raises ConcurrentChange where the article has one of this number; NotFound for an unknown article."""
        ...

    async def save(self, version: ArticleVersion) -> None:
        """Store a changed version, whose text stays. Raises NotFound."""
        ...

    async def newest(self, tenant_id: TenantId, article_id: ArticleId) -> ArticleVersion | None: ...

    async def of_text(self, tenant_id: TenantId, article_id: ArticleId, text_hash: str) -> ArticleVersion | None:
        """The newest version with this text."""
        ...

    async def get(self, tenant_id: TenantId, article_id: ArticleId, number: int) -> tuple[ArticleVersion, VersionText]:
        """Raises NotFound."""
        ...

    async def page(
        self, tenant_id: TenantId, article_id: ArticleId, before: int | None, limit: int
    ) -> list[ArticleVersion]:
        """Newest first. `before`: only those with a lower number."""
        ...

    async def prune(self, tenant_id: TenantId, article_id: ArticleId, keep: int) -> None:
        """Drop all but the newest `keep`, and those that were published."""
        ...
