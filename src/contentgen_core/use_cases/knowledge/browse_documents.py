"""The documents that a caller sees, page by page, and the articles that rest on one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_core.errors import InvalidInput
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.knowledge import PRIVATE, KbView, Origin
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import ArticleTitle
from contentgen_core.ports.repositories.document_catalogue import (
    MOST_COUNTED,
    CataloguePage,
    CatalogueQuery,
    DocumentCatalogue,
)
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.context import all_views, context_of_niche
from contentgen_core.use_cases.use_case import use_case

MAX_DOCUMENTS: Final = 100
"""Of one page."""
MAX_SEARCH: Final = 200
MAX_ARTICLES: Final = 50


@use_case
class BrowseDocuments:
    unit_of_work: UnitOfWork

    async def page(
        self,
        caller: Caller,
        *,
        niche: str | None = None,
        search: str | None = None,
        origin: Origin | None = None,
        language: Language | None = None,
        page: int = 1,
        limit: int = 20,
    ) -> CataloguePage:
        """Documents whose text is searchable, newest first. `niche`: the key or id of one, PRIVATE for private
        documents, None for these and all activated niches. Raises InvalidInput, and NotFound unless the niche is
        activated."""
        if not (1 <= limit <= MAX_DOCUMENTS and page >= 1 and (page - 1) * limit < MOST_COUNTED):
            raise InvalidInput.of("page", f"pages reach to {MOST_COUNTED} documents, {MAX_DOCUMENTS} on each at most")
        if search is not None and len(search) > MAX_SEARCH:
            raise InvalidInput.of("search", f"at most {MAX_SEARCH} characters")
        async with self.unit_of_work() as tx:
            if niche is None:
                views = tuple(await all_views(tx, caller.tenant_id))
            elif niche == PRIVATE:
                views = (KbView(PRIVATE, caller.tenant_id),)
            else:
                views = ((await context_of_niche(tx, caller.tenant_id, niche)).view,)
            query = CatalogueQuery(caller.tenant_id, views, page, limit, search, origin, language)
            return await tx[DocumentCatalogue].page(query)

    async def articles_on(
        self, caller: Caller, document_id: DocumentId, before: ArticleId | None = None, limit: int = MAX_ARTICLES
    ) -> Sequence[ArticleTitle]:
        """The newest articles with this document among their sources, older than `before`, MAX_ARTICLES at most."""
        async with self.unit_of_work() as tx:
            limit = min(limit, MAX_ARTICLES)
            return await tx[DocumentCatalogue].articles_on(caller.tenant_id, document_id, before, limit)
