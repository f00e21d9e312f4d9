"""Publications of tenants."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.ids import ArticleId, IntegrationId, PublicationId, TenantId
from contentgen_core.model.publication import Publication, PublicationStatus


@frozen
class PublishedAddress:
    """The address of a post, and its article with its title."""

    article_id: ArticleId
    title: str
    address: str


@frozen
class PublicationQuery:
    """Publications of a tenant, the newest first. `before`: only those made before this one, the last of a page.
    `niche_key`: of articles in this niche."""

    tenant_id: TenantId
    status: PublicationStatus | None = None
    integration_id: IntegrationId | None = None
    niche_key: str | None = None
    before: PublicationId | None = None
    limit: int = 20


@frozen
class ListedPublication:
    """`title`: of the article, else the one that was asked for; "" without either. `niche_key`: of the article."""

    publication: Publication
    title: str
    niche_key: str | None


@frozen
class PublicationCounts:
    """`pending`: of all, those that are under way or wait for their time."""

    all: int
    pending: int


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

    async def get_many(self, tenant_id: TenantId, ids: Sequence[PublicationId]) -> list[Publication]:
        """In the order of the ids, in one query. Raises NotFound for the first that there is not."""
        ...

    async def find(
        self, tenant_id: TenantId, article_id: ArticleId, integration_id: IntegrationId
    ) -> Publication | None:
        """The publication of an article at an integration, or None."""

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[Publication]:
        """In the order of their creation."""
        ...

    async def of_articles(
        self, tenant_id: TenantId, article_ids: Sequence[ArticleId]
    ) -> dict[ArticleId, list[Publication]]:
        """Of those articles that have any, in the order of their creation; in one query."""
        ...

    async def page(self, query: PublicationQuery) -> list[ListedPublication]:
        """As many as `query.limit` at most, with their titles in one query."""
        ...

    async def count(self, tenant_id: TenantId, integration_id: IntegrationId) -> PublicationCounts:
        """How many there are at an integration."""
        ...

    async def addresses(self, tenant_id: TenantId, limit: int) -> list[PublishedAddress]:
        """Where the tenant's articles are published, the newest publications first."""
        ...

    async def save(self, publication: Publication) -> Publication:
        """Store a changed publication that was read at `publication.revision`; returns it with the next revision.
        Raises ConcurrentChange, NotFound."""
        ...

    async def claim_checks(self, now: datetime, until: datetime, limit: int) -> list[Publication]:
        """Publications whose `check_at` has come, the longest due first, whatever their tenant. Others do not get them
        until `until`, unless they are saved with another time. Their revision stays."""
        ...

    async def make_due(self, tenant_id: TenantId, now: datetime) -> int:
        """Have all publications of a tenant that have a post checked now; returns how many. Their revision stays."""
        ...
