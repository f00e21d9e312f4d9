"""Publications of tenants."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import ArticleId, IntegrationId, PublicationId, TenantId
from contentgen_core.model.publication import Publication


class Publications(Protocol):
    """An article has at most one publication per integration. Publications outlive their integration, and are deleted
    with their article."""

    async def add(self, publication: Publication) -> None:
        """Raises AlreadyExists when the article has one for this integration, NotFound for an unknown tenant or
        article."""
        ...

    async def get(self, tenant_id: TenantId, publication_id: PublicationId) -> Publication:
        """Raises NotFound."""
        ...

    async def find(
        self, tenant_id: TenantId, article_id: ArticleId, integration_id: IntegrationId
    ) -> Publication | None:
        """The publication of an article at an integration, or None."""

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[Publication]:
        """In the order of their creation."""
        ...

    async def save(self, publication: Publication) -> Publication:
        """Store a changed publication that was read at `publication.revision`; returns it with the next revision.
        Raises ConcurrentChange, NotFound."""
        ...
