"""The documents of a knowledge base as people look through them, and the articles that rest on them."""

from __future__ import annotations

from typing import Final, Protocol

from attrs import frozen

from contentgen_core.model.ids import ArticleId, DocumentId, TenantId
from contentgen_core.model.knowledge import KbDocument, KbView, Origin
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import ArticleTitle

MOST_COUNTED: Final = 10_000
"""Documents that are counted; whatever is beyond them is found by a narrower question."""


@frozen
class CatalogueQuery:
    """A query for live documents with passages. `views`: seen in any of these, none of which names documents. `search`:
    every word of it begins a word of the title; one without a word matches all. `page`: from 1, and not beyond
    MOST_COUNTED documents."""

    tenant_id: TenantId
    views: tuple[KbView, ...]
    page: int = 1
    limit: int = 20
    search: str | None = None
    origin: Origin | None = None
    language: Language | None = None


@frozen
class ListedDocument:
    """`passages`: how many it has; `articles`: how many of the tenant's cite it."""

    document: KbDocument
    passages: int
    articles: int


@frozen
class CataloguePage:
    """`total`: over all pages, MOST_COUNTED at most."""

    documents: tuple[ListedDocument, ...]
    total: int


class DocumentCatalogue(Protocol):
    async def page(self, query: CatalogueQuery) -> CataloguePage:
        """The newest first, those of one time by their ids from the last."""
        ...

    async def articles_on(
        self, tenant_id: TenantId, document: DocumentId, before: ArticleId | None, limit: int
    ) -> list[ArticleTitle]:
        """The tenant's articles with this document among their sources, by their ids from the last, from the one before
        `before`."""
        ...
