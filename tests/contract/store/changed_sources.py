"""Articles whose sources changed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.conflict import ConflictState, Decision, SideName
from contentgen_core.model.grounding import Grounding, GroundingLevel, GroundingTotals
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.knowledge import KbDocument
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.conflicts import Conflicts
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.conflicts import given_conflict, given_search
from tests.contract.store.given import given, given_tenant, given_tenants


class ChangedSourcesContract:
    async def test_articles_whose_sources_changed_after_they_were_created_are_found(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        revised, removed, kept = (builders.kb_document() for _ in range(3))
        await given(unit_of_work, *((d, [builders.passage(d)]) for d in (revised, removed, kept)))
        written = [
            _citing(tenant.id, n, *of) for n, of in enumerate(((kept, revised), (kept,), (removed,), (revised,)))
        ]
        newer = _citing(tenant.id, 9, revised)
        await given(unit_of_work, *written, newer, _citing(other.id, 0, revised), builders.article(tenant_id=tenant.id))
        async with unit_of_work() as tx:
            change = evolve(revised, revised_at=MOMENT + timedelta(hours=8))
            await tx[Knowledge].replace([(change, [builders.passage(change)])])
            await tx[Knowledge].remove([removed.id])
        expected = [written[n].id for n in (3, 2, 0)]
        async with unit_of_work() as tx:
            found = await tx[Articles].with_changed_sources(tenant.id, None, 10)
            assert ([a.id for a in found.articles], found.before) == (expected, None)
            ids = [article.id for article in (*written, newer)]
            assert await tx[Articles].sources_changed(tenant.id, [*ids, ArticleId("no\x00")]) == set(expected)
            assert await tx[Articles].sources_changed(tenant.id, ids[1:2]) == set()
            assert await tx[Articles].sources_changed(other.id, ids) == set()
            assert [(a.title, a.status, a.created_at) for a in found.articles[:1]] == [
                (written[3].title, written[3].status, written[3].created_at)
            ]
            first = await tx[Articles].with_changed_sources(tenant.id, None, 2)
            assert ([a.id for a in first.articles], first.before) == (expected[:2], expected[1])
            rest = await tx[Articles].with_changed_sources(tenant.id, first.before, 2)
            assert ([a.id for a in rest.articles], rest.before) == (expected[2:], None)
            with pytest.raises(NotFound):
                await tx[Articles].with_changed_sources(other.id, expected[0], 2)
            of_niche = await tx[Articles].with_changed_sources(tenant.id, None, 10, niche_key=written[0].niche_key)
            assert [a.id for a in of_niche.articles] == expected
            of_another = await tx[Articles].with_changed_sources(tenant.id, None, 10, niche_key="another\x00")
            assert (of_another.articles, of_another.before) == ((), None)

    async def test_articles_that_cite_a_passage_are_found_with_its_words(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        cited, quoted = (builders.kb_document() for _ in range(2))
        await given(unit_of_work, *((d, [builders.passage(d)]) for d in (cited, quoted)))
        early, late, none = (_citing(tenant.id, n, *of) for n, of in enumerate(((cited,), (quoted, cited), (quoted,))))
        late = evolve(late, sources=tuple(evolve(s, quotes=("It says so.",)) for s in late.sources))
        await given(unit_of_work, early, late, none, _citing(other.id, 0, cited))
        ref, key = SourceRef(cited.id, early.sources[0].chunk_index), early.niche_key
        async with unit_of_work() as tx:
            found = await tx[Articles].citing(tenant.id, key, [ref, SourceRef(cited.id, 99)])
            assert [(f.article.id, f.source, f.quotes) for f in found] == [
                (late.id, ref, ("It says so.",)),
                (early.id, ref, ()),
            ]
            assert [f.article.id for f in await tx[Articles].citing(tenant.id, key, [ref], 2)] == [late.id]
            assert await tx[Articles].citing(tenant.id, "another\x00", [ref]) == []
            assert await tx[Articles].citing(tenant.id, key, []) == []

    async def test_what_was_marked_as_fresh_is_found_after_the_next_change(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        document = builders.kb_document()
        article = _citing(tenant.id, 0, document)
        await given(unit_of_work, (document, [builders.passage(document)]), article)

        async def found() -> bool:
            async with unit_of_work() as tx:
                return bool((await tx[Articles].with_changed_sources(tenant.id, None, 10)).articles)

        async def revised(hours: int) -> None:
            async with unit_of_work() as tx:
                change = evolve(document, revised_at=MOMENT + timedelta(hours=hours))
                await tx[Knowledge].replace([(change, [builders.passage(change)])])

        async def marked(tenant_id: TenantId, hours: int) -> None:
            async with unit_of_work() as tx:
                await tx[Articles].mark_fresh(tenant_id, article.id, MOMENT + timedelta(hours=hours))

        await revised(2)
        await marked(other.id, 3)
        assert await found()
        await marked(tenant.id, 3)
        assert not await found()
        await revised(4)
        assert await found()
        await marked(tenant.id, 5)
        async with unit_of_work() as tx:
            saved = await tx[Articles].save(evolve(article, title="Another title"))
        assert not await found()
        async with unit_of_work() as tx:
            await tx[Articles].save(evolve(saved, content="Another text."))
        assert await found()

    async def test_articles_that_rest_on_the_weaker_side_of_a_conflict_are_found(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        search = await given_search(unit_of_work, tenant.id)
        document = builders.kb_document()
        article = evolve(_citing(tenant.id, 9, document), niche_key=search.niche_key)
        elsewhere = _citing(tenant.id, 8, document)
        alien = evolve(_citing(other.id, 9, document), niche_key=search.niche_key)
        await given(unit_of_work, (document, [builders.passage(document)]), article, elsewhere, alien)

        async def found(tenant_id: TenantId = tenant.id) -> list[ArticleId]:
            async with unit_of_work() as tx:
                return [a.id for a in (await tx[Articles].with_changed_sources(tenant_id, None, 10)).articles]

        async def marked(hours: int) -> None:
            async with unit_of_work() as tx:
                await tx[Articles].mark_fresh(tenant.id, article.id, MOMENT + timedelta(hours=hours))

        assert await found() == []
        conflict = given_conflict(search, "a", document.id)
        async with unit_of_work() as tx:
            await tx[Conflicts].add([conflict])
        assert (await found(), await found(other.id)) == ([article.id], [])
        await marked(1)
        assert await found() == []
        decided = evolve(conflict, state=ConflictState.DECIDED, decision=Decision.PREFER, preferred=SideName.OTHER)
        async with unit_of_work() as tx:
            decided = await tx[Conflicts].save(evolve(decided, decided_at=MOMENT + timedelta(hours=2)))
        assert await found() == [article.id]
        async with unit_of_work() as tx:
            await tx[Conflicts].save(evolve(decided, preferred=SideName.ONE, decided_at=MOMENT + timedelta(hours=3)))
        assert await found() == []

    async def test_few_are_examined_at_once(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        gone = builders.kb_document()
        written = [_citing(tenant.id, n, *((gone,) if n == 0 else ())) for n in range(4)]
        await given(unit_of_work, *written)
        async with unit_of_work() as tx:
            first = await tx[Articles].with_changed_sources(tenant.id, None, 5, examined=2)
            assert (first.articles, first.before) == ((), written[2].id)
            rest = await tx[Articles].with_changed_sources(tenant.id, first.before, 5, examined=2)
            assert ([a.id for a in rest.articles], rest.before) == ([written[0].id], None)


def _citing(tenant_id: TenantId, hours: int, *documents: KbDocument) -> Article:
    sources = tuple(ArticleSource(n, d.title, d.id, 0) for n, d in enumerate(documents, start=1))
    totals = GroundingTotals(0, 1, 1, 1, 1, 1, 0)
    return builders.article(
        tenant_id=tenant_id,
        created_at=MOMENT + timedelta(hours=hours),
        sources=sources,
        grounding=Grounding(GroundingLevel.FULL, totals),
    )
