"""The documents of a knowledge base as people look through them."""

from __future__ import annotations

from contentgen_adapters.memory.common_tables import ARTICLES, DOCUMENTS, PASSAGES
from contentgen_adapters.memory.records import page_of
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.words import hold_words, search_words
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId, DocumentId, TenantId
from contentgen_core.model.knowledge import KbDocument
from contentgen_core.ports.repositories.articles import ArticleTitle
from contentgen_core.ports.repositories.document_catalogue import (
    MOST_COUNTED,
    CataloguePage,
    CatalogueQuery,
    DocumentCatalogue,
    ListedDocument,
)


@repository(DocumentCatalogue)
class MemoryDocumentCatalogue:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def page(self, query: CatalogueQuery) -> CataloguePage:
        prefixes = search_words(query.search or "")

        def asked(document: KbDocument) -> bool:
            return (
                any(view.sees(document.scope) for view in query.views)
                and query.origin in (None, document.origin)
                and query.language in (None, document.language)
                and bool(self._session[PASSAGES].get(document.id))
                and hold_words([document.title], prefixes)
            )

        found = [document for document in self._session[DOCUMENTS].rows() if asked(document)]
        found.sort(key=lambda document: (document.created_at, document.id), reverse=True)
        shown = page_of(found[:MOST_COUNTED], query.page, query.limit)
        return CataloguePage(
            tuple(self._listed(query.tenant_id, document) for document in shown), min(len(found), MOST_COUNTED)
        )

    async def articles_on(
        self, tenant_id: TenantId, document: DocumentId, before: ArticleId | None, limit: int
    ) -> list[ArticleTitle]:
        citing = [a for a in self._citing(tenant_id, document) if before is None or a.id < before]
        citing.sort(key=lambda article: article.id, reverse=True)
        return [ArticleTitle(a.id, a.title, a.status, a.created_at) for a in citing[:limit]]

    def _listed(self, tenant_id: TenantId, document: KbDocument) -> ListedDocument:
        passages = self._session[PASSAGES].get(document.id) or ()
        return ListedDocument(document, len(passages), len(self._citing(tenant_id, document.id)))

    def _citing(self, tenant_id: TenantId, document: DocumentId) -> list[Article]:
        own = (article for article in self._session[ARTICLES].rows() if article.tenant_id == tenant_id)
        return [article for article in own if any(source.parent_id == document for source in article.sources)]
