"""The knowledge base: documents and views."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

NICHE: Final = builders.NICHE_KEY
PLATFORM: Final = KbScope(NICHE)

Stored = tuple[KbDocument, list[Passage]]


def document(scope: KbScope = PLATFORM, passages: int = 1, **changes: object) -> Stored:
    stored = builders.kb_document(scope=scope, **changes)
    return stored, [builders.passage(stored, f"Passage {n} on heat", chunk_index=n) for n in range(passages)]


async def remove(unit_of_work: UnitOfWork, *documents: Stored) -> None:
    async with unit_of_work() as tx:
        await tx[Knowledge].remove([d.id for d, _ in documents])


async def seen(unit_of_work: UnitOfWork, view: KbView, *documents: Stored) -> set[SourceRef]:
    """Those of all passages of these documents that the view shows."""
    refs = [passage.ref for _, passages in documents for passage in passages]
    async with unit_of_work() as tx:
        found = await tx[Knowledge].passages(view, refs)
    assert all(ref == passage.ref for ref, passage in found.items())
    return set(found)


def refs(*documents: Stored) -> set[SourceRef]:
    return {passage.ref for _, passages in documents for passage in passages}


class DocumentsContract:
    async def test_passages_are_read_as_they_were_added(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        full = builders.full_document(scope=KbScope(NICHE, tenant.id, "FR"))
        passages = [
            builders.passage(full, "Une pompe à chaleur", heading="Pompes", head_terms=("pomp",)),
            builders.passage(full, "Elle déplace\nla chaleur.", chunk_index=1, terms=("déplac", "chaleur", "chaleur")),
            builders.passage(full, "…", chunk_index=2, terms=()),
        ]
        await given(unit_of_work, (full, passages))
        view = KbView(NICHE, tenant.id, frozenset({"FR"}))
        async with unit_of_work() as tx:
            found = await tx[Knowledge].passages(view, [passage.ref for passage in passages])
            assert found == {passage.ref: passage for passage in passages}
            of_document = await tx[Knowledge].passages_of([full.id])
        assert sorted(of_document, key=lambda passage: passage.chunk_index) == passages

    async def test_a_source_key_is_taken_once_in_its_scope(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for scope in (PLATFORM, KbScope(NICHE, tenant.id), KbScope(NICHE, None, "GB"), KbScope(NICHE, tenant.id, "GB")):
            await given(unit_of_work, document(scope, source_key="a"))
            refused = document(scope, source_key="a")
            with pytest.raises(AlreadyExists):
                await given(unit_of_work, refused)
            async with unit_of_work() as tx:
                assert await tx[Knowledge].passages_of([refused[0].id]) == []

    async def test_a_source_key_given_twice_in_one_call_is_refused(self, unit_of_work: UnitOfWork) -> None:
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[Knowledge].add([document(source_key="a"), document(source_key="a")])

    async def test_a_source_key_added_twice_at_once_is_added_once(self, unit_of_work: UnitOfWork) -> None:
        documents = [document(source_key="a") for _ in range(5)]
        outcomes = await asyncio.gather(*(given(unit_of_work, d) for d in documents), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes if outcome is not None] == [AlreadyExists] * 4
        async with unit_of_work() as tx:
            assert len(await tx[Knowledge].all_documents(None, 10)) == 1

    async def test_imports_at_the_same_time_into_one_scope_all_arrive(self, unit_of_work: UnitOfWork) -> None:
        documents = [document(passages=2) for _ in range(8)]
        await asyncio.gather(*(given(unit_of_work, d) for d in documents))
        async with unit_of_work() as tx:
            statistics = await tx[Knowledge].statistics(KbView(NICHE), {Language.EN: ["heat"]})
        assert statistics[Language.EN].passages == statistics[Language.EN].passages_with["heat"] == 16

    async def test_a_removed_documents_key_can_be_used_again(self, unit_of_work: UnitOfWork) -> None:
        former, present = document(source_key="a"), document(source_key="a")
        await given(unit_of_work, former)
        await remove(unit_of_work, former)
        await given(unit_of_work, present)
        assert await seen(unit_of_work, KbView(NICHE), former, present) == refs(present)

    async def test_a_document_can_be_replaced_in_one_transaction(self, unit_of_work: UnitOfWork) -> None:
        former, present = document(source_key="a"), document(source_key="a")
        await given(unit_of_work, former)
        async with unit_of_work() as tx:
            await tx[Knowledge].remove([former[0].id])
            await tx[Knowledge].add([present])
        async with unit_of_work() as tx:
            assert await tx[Knowledge].known(PLATFORM, ["a"]) == {"a": present[0]}

    async def test_removing_is_idempotent_and_takes_the_named_documents_only(self, unit_of_work: UnitOfWork) -> None:
        gone, kept = document(passages=3), document()
        await given(unit_of_work, gone, kept)
        for _ in range(2):
            await remove(unit_of_work, gone)
        assert await seen(unit_of_work, KbView(NICHE), gone, kept) == refs(kept)
        async with unit_of_work() as tx:
            assert await tx[Knowledge].passages_of([gone[0].id, kept[0].id]) == kept[1]

    @alien_ids
    async def test_an_alien_document_id_names_nothing(self, unit_of_work: UnitOfWork, alien: str) -> None:
        kept = document()
        await given(unit_of_work, kept)
        id = DocumentId(alien)
        async with unit_of_work() as tx:
            await tx[Knowledge].remove([id])
            assert await tx[Knowledge].passages_of([id]) == []
            assert await tx[Knowledge].passages(KbView(NICHE), [SourceRef(alien, 0)]) == {}
            assert await tx[Knowledge].titles([id]) == {}
            await tx[Knowledge].retitle(evolve(kept[0], id=id), [])
            await tx[Knowledge].replace([(evolve(kept[0], id=id, revised_at=MOMENT), [])])
            assert await tx[Knowledge].versions([id]) == {}
            assert await tx[Knowledge].unused_chunk_indexes([id]) == {}
            assert await tx[Knowledge].sample(KbView(NICHE, document_ids=frozenset({id})), 5) == []
            await tx[Knowledge].complete_changes("w1", [id])
            assert await tx[Knowledge].pending_changes() == 1

    async def test_known_documents_are_those_of_exactly_this_scope(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        scopes = [
            *(
                KbScope(NICHE, owner, country)
                for owner in (None, tenant.id, other.id)
                for country in (None, "GB", "FR")
            ),
            KbScope("boats"),
        ]
        stored = {scope: document(scope, source_key="a", content_hash=builders.sha256("a")) for scope in scopes}
        await given(unit_of_work, *list(stored.values())[1:])
        first, *rest = scopes
        async with unit_of_work() as tx:
            assert await tx[Knowledge].known(first, ["a"]) == {}
            assert await tx[Knowledge].known_content(first, [builders.sha256("a")]) == set()
            for scope in rest:
                assert await tx[Knowledge].known(scope, ["a", "b", "a"]) == {"a": stored[scope][0]}
                hashes = [builders.sha256("a"), builders.sha256("b")]
                assert await tx[Knowledge].known_content(scope, hashes) == {builders.sha256("a")}
            assert await tx[Knowledge].known(rest[0], []) == {}
            assert await tx[Knowledge].known_content(rest[0], []) == set()

    async def test_removed_documents_are_no_longer_known(self, unit_of_work: UnitOfWork) -> None:
        content = builders.sha256("same text")
        first, second = (document(source_key=key, content_hash=content) for key in ("a", "b"))
        await given(unit_of_work, first, second)
        await remove(unit_of_work, first)
        async with unit_of_work() as tx:
            assert await tx[Knowledge].known(PLATFORM, ["a", "b"]) == {"b": second[0]}
            assert await tx[Knowledge].known_content(PLATFORM, [content]) == {content}
        await remove(unit_of_work, second)
        async with unit_of_work() as tx:
            assert await tx[Knowledge].known_content(PLATFORM, [content]) == set()

    async def test_live_documents_are_listed_by_id_in_steps(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        documents = [document(KbScope(NICHE, owner)) for owner in (None, tenant.id, None, tenant.id, None)]
        await given(unit_of_work, *documents[::-1])
        await remove(unit_of_work, documents[1])
        ids = [documents[n][0].id for n in (0, 2, 3, 4)]
        async with unit_of_work() as tx:
            assert await tx[Knowledge].all_documents(None, 2) == ids[:2]
            assert await tx[Knowledge].all_documents(ids[1], 2) == ids[2:]
            assert await tx[Knowledge].all_documents(ids[3], 2) == []
            assert await tx[Knowledge].all_documents(documents[1][0].id, 9) == ids[1:]


class ViewsContract:
    async def test_a_view_shows_own_and_platform_documents_of_its_niche_and_countries(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        documents = [
            document(KbScope(niche, owner, country))
            for niche in (NICHE, "boats")
            for owner in (None, tenant.id, other.id)
            for country in (None, "GB", "FR")
        ]
        await given(unit_of_work, *documents)
        for owner in (None, tenant.id, other.id):
            for countries in ((), ("GB",), ("GB", "FR"), ("DE",)):
                view = KbView(NICHE, owner, frozenset(countries))
                visible = [d for d in documents if view.sees(d[0].scope)]
                assert await seen(unit_of_work, view, *documents) == refs(*visible)
                async with unit_of_work() as tx:
                    sample = await tx[Knowledge].sample(view, 100)
                assert {passage.ref for passage in sample} == refs(*visible)

    async def test_a_view_of_named_documents_shows_no_others(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        mine, second, theirs = (document(KbScope(NICHE, t.id)) for t in (tenant, tenant, other))
        await given(unit_of_work, mine, second, theirs)
        named = KbView(NICHE, tenant.id, document_ids=frozenset({mine[0].id, theirs[0].id}))
        assert await seen(unit_of_work, named, mine, second, theirs) == refs(mine)
        nothing = KbView(NICHE, tenant.id, document_ids=frozenset())
        assert await seen(unit_of_work, nothing, mine, second, theirs) == set()

    async def test_only_the_passages_asked_for_are_given(self, unit_of_work: UnitOfWork) -> None:
        stored, passages = document(passages=4)
        await given(unit_of_work, (stored, passages))
        asked = [SourceRef(stored.id, n) for n in (3, 1, 1, 4, 999_999_999)]
        async with unit_of_work() as tx:
            found = await tx[Knowledge].passages(KbView(NICHE), asked)
            assert await tx[Knowledge].passages(KbView(NICHE), []) == {}
        assert found == {ref: passages[ref.chunk_index] for ref in asked[:2]}

    async def test_a_sample_is_the_beginnings_of_the_newest_documents(self, unit_of_work: UnitOfWork) -> None:
        documents = [document(passages=3, created_at=MOMENT + timedelta(hours=n)) for n in range(3)]
        empty = document(passages=0, created_at=MOMENT + timedelta(days=1))
        newer = [documents[1], empty, documents[2], documents[0]]
        await given(unit_of_work, *newer)
        beginnings = [passages[0] for _, passages in documents[::-1]]
        async with unit_of_work() as tx:
            assert await tx[Knowledge].sample(KbView(NICHE), 2) == beginnings[:2]
            assert await tx[Knowledge].sample(KbView(NICHE), 10) == beginnings
        await remove(unit_of_work, documents[2])
        async with unit_of_work() as tx:
            assert await tx[Knowledge].sample(KbView(NICHE), 10) == beginnings[1:]

    async def test_documents_come_in_pages_from_the_newest(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        hours = (0, 1, 1, 2)
        mine = [document(KbScope(NICHE, tenant.id), created_at=MOMENT + timedelta(hours=n)) for n in hours]
        shared = document(KbScope(NICHE), created_at=MOMENT + timedelta(hours=1))
        hidden = [document(KbScope(NICHE, other.id)), document(KbScope(NICHE, tenant.id, "FR"))]
        empty = document(KbScope(NICHE, tenant.id), passages=0)
        removed = document(KbScope(NICHE, tenant.id))
        await given(unit_of_work, *mine, shared, *hidden, empty, removed)
        await remove(unit_of_work, removed)
        expected = sorted((d for d, _ in (*mine, shared)), key=lambda d: (d.created_at, d.id), reverse=True)
        view, found = KbView(NICHE, tenant.id), list[KbDocument]()
        async with unit_of_work() as tx:
            while page := await tx[Knowledge].documents(view, found[-1] if found else None, 2):
                assert len(page) <= 2
                found += page
            named = evolve(view, document_ids=frozenset({expected[1].id}))
            assert await tx[Knowledge].documents(named, None, 10) == expected[1:2]
        assert found == expected

    async def test_a_documents_first_passage_is_that_of_the_lowest_index(self, unit_of_work: UnitOfWork) -> None:
        stored, passages = document(passages=3)
        await given(unit_of_work, (stored, [passages[2], passages[1]]))
        async with unit_of_work() as tx:
            assert await tx[Knowledge].sample(KbView(NICHE), 1) == [passages[1]]

    async def test_languages_are_those_of_visible_passages(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        english, french, german = (
            document(scope, language=language)
            for scope, language in (
                (PLATFORM, Language.EN),
                (KbScope(NICHE, tenant.id, "FR"), Language.FR),
                (KbScope(NICHE, other.id), Language.DE),
            )
        )
        await given(unit_of_work, english, french, german, document(passages=0, language=Language.IT))

        async def languages(tenant_id: TenantId | None, *countries: str) -> set[Language]:
            async with unit_of_work() as tx:
                return set(await tx[Knowledge].languages(KbView(NICHE, tenant_id, frozenset(countries))))

        assert await languages(None) == {Language.EN}
        assert await languages(tenant.id) == {Language.EN}
        assert await languages(tenant.id, "FR") == {Language.EN, Language.FR}
        assert await languages(other.id, "FR") == {Language.EN, Language.DE}
        async with unit_of_work() as tx:
            chosen = KbView(NICHE, tenant.id, frozenset({"FR"}), frozenset({french[0].id}))
            assert await tx[Knowledge].languages(chosen) == {Language.FR}
        await remove(unit_of_work, french)
        assert await languages(tenant.id, "FR") == {Language.EN}
