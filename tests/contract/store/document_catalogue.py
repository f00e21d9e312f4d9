"""The documents of a knowledge base as people look through them, and the articles that rest on them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Origin, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.document_catalogue import CatalogueQuery, DocumentCatalogue
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

NICHE = builders.NICHE_KEY


def _document(scope: KbScope, passages: int = 1, **changes: Any) -> tuple[KbDocument, list[Passage]]:
    document = builders.kb_document(scope=scope, **changes)
    return document, [builders.passage(document, "On heat", chunk_index=n) for n in range(passages)]


def _article(tenant_id: TenantId, *documents: DocumentId, **changes: Any) -> Article:
    sources = tuple(ArticleSource(n, "A source", document, n) for n, document in enumerate(documents, 1))
    return builders.article(tenant_id=tenant_id, sources=sources, **changes)


class DocumentCatalogueContract:
    async def test_the_documents_of_several_views_come_in_pages_from_the_newest(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        scopes = [KbScope(NICHE, tenant.id), KbScope(NICHE), KbScope(NICHE, None, "GB"), KbScope("boats", tenant.id)]
        seen = [_document(scope, n + 1, created_at=MOMENT + timedelta(hours=n % 2)) for n, scope in enumerate(scopes)]
        gone = _document(scopes[0])
        hidden = [
            _document(KbScope(NICHE, other.id)),
            _document(KbScope(NICHE, tenant.id, "FR")),
            _document(KbScope("boats", None, "GB")),
            _document(scopes[0], 0),
        ]
        await given(unit_of_work, *seen, *hidden, gone)
        views = (KbView(NICHE, tenant.id, frozenset({"GB"})), KbView("boats", tenant.id))
        newest = sorted(seen, key=lambda one: (one[0].created_at, one[0].id), reverse=True)
        async with unit_of_work() as tx:
            await tx[Knowledge].remove([gone[0].id])
            pages = [await tx[DocumentCatalogue].page(CatalogueQuery(tenant.id, views, n, 3)) for n in (1, 2, 3)]
            one_view = await tx[DocumentCatalogue].page(CatalogueQuery(tenant.id, views[1:]))
            none = await tx[DocumentCatalogue].page(CatalogueQuery(tenant.id, ()))
        assert [page.total for page in pages] == [4, 4, 4]
        found = [(listed.document, listed.passages) for page in pages for listed in page.documents]
        assert found == [(document, len(passages)) for document, passages in newest]
        assert [len(page.documents) for page in pages] == [3, 1, 0]
        assert [listed.document for listed in one_view.documents] == [seen[3][0]]
        assert none.total == 0

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ({"search": "heat pump"}, {0, 1}),
            ({"search": "PUMP hea"}, {0, 1}),
            ({"search": "strasse"}, {2}),
            ({"search": "Élé"}, {3}),
            ({"search": "ump"}, set()),
            ({"search": "'; !!"}, {0, 1, 2, 3}),
            ({"origin": Origin.WEB}, {1, 3}),
            ({"language": Language.FR}, {2, 3}),
            ({"language": Language.FR, "origin": Origin.WEB, "search": "élévation"}, {3}),
            ({"language": Language.DE}, set()),
        ],
    )
    async def test_words_of_the_title_origin_and_language_narrow_them(
        self, unit_of_work: UnitOfWork, asked: dict[str, Any], found: set[int]
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        kinds: list[dict[str, Any]] = [
            {"title": "Heat-pumps: a guide"},
            {"title": "PUMPS that heat", "origin": Origin.WEB},
            {"title": "Die Straße", "language": Language.FR},
            {"title": "L'élévation", "language": Language.FR, "origin": Origin.WEB},
        ]
        documents = [_document(KbScope(NICHE, tenant.id), **kind) for kind in kinds]
        await given(unit_of_work, *documents)
        query = CatalogueQuery(tenant.id, (KbView(NICHE, tenant.id),), **asked)
        async with unit_of_work() as tx:
            page = await tx[DocumentCatalogue].page(query)
        assert {listed.document.id for listed in page.documents} == {documents[n][0].id for n in found}
        assert page.total == len(found)

    async def test_a_document_knows_the_tenants_articles_that_rest_on_it(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        used, unused = _document(KbScope(NICHE)), _document(KbScope(NICHE))
        id = used[0].id
        twice, rewritten, deleted = (_article(tenant.id, id, id), _article(tenant.id, id), _article(tenant.id, id))
        later = _article(tenant.id)
        await given(unit_of_work, used, unused, twice, rewritten, deleted, later, _article(other.id, id))
        async with unit_of_work() as tx:
            await tx[Articles].save(evolve(rewritten, sources=()))
            await tx[Articles].save(evolve(later, sources=twice.sources))
            await tx[Articles].delete(tenant.id, deleted.id)
        async with unit_of_work() as tx:
            catalogue = tx[DocumentCatalogue]
            page = await catalogue.page(CatalogueQuery(tenant.id, (KbView(NICHE, tenant.id),)))
            assert {listed.document.id: listed.articles for listed in page.documents} == {id: 2, unused[0].id: 0}
            found = await catalogue.articles_on(tenant.id, id, None, 9)
            expected = sorted((twice.id, later.id), reverse=True)
            assert [article.id for article in found] == expected
            assert [article.id for article in await catalogue.articles_on(tenant.id, id, expected[0], 9)] == expected[
                1:
            ]
            assert len(await catalogue.articles_on(tenant.id, id, None, 1)) == 1
            assert await catalogue.articles_on(tenant.id, unused[0].id, None, 9) == []

    @alien_ids
    async def test_an_alien_id_names_no_document(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[DocumentCatalogue].articles_on(tenant.id, DocumentId(alien), None, 9) == []
            views = (KbView(alien, tenant.id), KbView(NICHE, TenantId(alien)))
            assert (await tx[DocumentCatalogue].page(CatalogueQuery(TenantId(alien), views))).total == 0
