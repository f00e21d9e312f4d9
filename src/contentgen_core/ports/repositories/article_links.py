"""Links between articles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.article_link import ArticleLink, LinkState, TargetedLink
from contentgen_core.model.ids import ArticleId, ArticleLinkId, TenantId


class ArticleLinks(Protocol):
    """A tenant sees its own links only. A link goes with its article and with its target."""

    async def add(self, link: ArticleLink) -> None:
        """Raises AlreadyExists where the article has a link to this target, NotFound for an unknown tenant, article or
        target."""
        ...

    async def get(self, tenant_id: TenantId, link_id: ArticleLinkId) -> ArticleLink:
        """Raises NotFound."""
        ...

    async def save(self, link: ArticleLink) -> ArticleLink:
        """Store a changed link that was read at `link.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def of_article(
        self, tenant_id: TenantId, article_id: ArticleId, state: LinkState | None = None
    ) -> list[TargetedLink]:
        """From this article, in the order of their ids. `state`: None for all."""
        ...

    async def drop(self, tenant_id: TenantId, link_ids: Sequence[ArticleLinkId]) -> None:
        """Those of them that exist."""
        ...
