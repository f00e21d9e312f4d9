"""Conflicts of a knowledge base and the searches that find them, each seen by its tenant alone."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.conflict import (
    Conflict,
    ConflictKind,
    ConflictReport,
    ConflictSearch,
    ConflictState,
    Decision,
    ExaminedDocument,
    Side,
    SideName,
    Witness,
)
from contentgen_core.model.ids import ConflictId, ConflictSearchId, DocumentId, JobId, NicheId, TenantId, UserId
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin
from contentgen_core.model.text import Span
from contentgen_core.ports.repositories.conflicts import Conflicts, ConflictSearches
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

HOUR = timedelta(hours=1)


async def given_search(unit_of_work: UnitOfWork, tenant_id: TenantId, key: str = "boats") -> ConflictSearch:
    niche = builders.niche(tenant_id=tenant_id, niche_key=key)
    await given(unit_of_work, niche)
    id = ConflictSearchId(builders.new_id())
    search = ConflictSearch(id, tenant_id, niche.id, key, MOMENT)
    async with unit_of_work() as tx:
        await tx[ConflictSearches].add(search)
    return search


def _side(document: str, **changes: Any) -> Side:
    defaults: dict[str, Any] = {
        "source": SourceRef(DocumentId(document), 3),
        "span": Span(10, 40),
        "sentence": "The grant pays 4,000 pounds.",
        "value": Span(15, 27),
        "title": "Grants",
        "url": None,
        "published": date(2026, 3, 1),
        "known_at": MOMENT,
        "origin": Origin.WEB,
        "site": "example.org",
        "content_hash": "c",
    }
    return Side(**defaults | changes)


def given_conflict(search: ConflictSearch, key: str, weaker: DocumentId, **changes: Any) -> Conflict:
    """An open conflict whose older side is in this document."""
    newer = _side("newer", published=date(2026, 4, 1))
    return _conflict(search, key, **{"one": _side(weaker), "other": newer} | changes)


def _conflict(
    search: ConflictSearch, key: str, one: str | Side = "one", other: str | Side = "other", **changes: Any
) -> Conflict:
    defaults: dict[str, Any] = {
        "id": ConflictId(builders.new_id()),
        "tenant_id": search.tenant_id,
        "search_id": search.id,
        "niche_key": search.niche_key,
        "key": key,
        "kind": ConflictKind.FIGURE,
        "one": _side(one, witnesses=(Witness(DocumentId("w"), "example.com", "d"),)) if isinstance(one, str) else one,
        "other": _side(other, url="https://example.com/a", published=None) if isinstance(other, str) else other,
        "found_at": MOMENT,
    }
    return Conflict(**defaults | changes)


async def _document(unit_of_work: UnitOfWork, scope: KbScope) -> KbDocument:
    document = builders.kb_document(scope=scope)
    async with unit_of_work() as tx:
        await tx[Knowledge].add([(document, [builders.passage(document)])])
    return document


class ConflictSearchesContract:
    async def test_a_search_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        search = await given_search(unit_of_work, tenant.id)
        changed = evolve(search, job_id=JobId("j"), last=ConflictReport(MOMENT, MOMENT + HOUR, 1, 2, 3, 4, 5, 6, "No."))
        async with unit_of_work() as tx:
            assert await tx[ConflictSearches].get(tenant.id, search.id) == search
            assert await tx[ConflictSearches].of_niche(tenant.id, "boats") == search
            assert await tx[ConflictSearches].of_niche(other.id, "boats") is None
            saved = await tx[ConflictSearches].save(changed)
            assert saved == evolve(changed, revision=2)
        for owner, id in ((other.id, search.id), (tenant.id, ConflictSearchId("nope"))):
            async with unit_of_work() as tx:
                with pytest.raises(NotFound):
                    await tx[ConflictSearches].get(owner, id)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[ConflictSearches].save(changed)

    async def test_a_niche_has_one_search_and_takes_it_along(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        search = await given_search(unit_of_work, tenant.id)
        conflict = _conflict(search, "a")
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[ConflictSearches].add(evolve(search, id=ConflictSearchId(builders.new_id())))
        new = ConflictSearchId(builders.new_id())
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ConflictSearches].add(evolve(search, id=new, niche_id=NicheId("nope"), niche_key="other"))
        async with unit_of_work() as tx:
            assert await tx[Conflicts].add([conflict]) == 1
            await tx[ConflictSearches].save_examined([ExaminedDocument(search.id, DocumentId("d"), "f", {0: "a"})])
            await tx[Niches].delete(await tx[Niches].get(tenant.id, "boats"))
        async with unit_of_work() as tx:
            for found in (
                tx[ConflictSearches].get(tenant.id, search.id),
                tx[Conflicts].get(tenant.id, conflict.id),
            ):
                with pytest.raises(NotFound):
                    await found
            assert await tx[ConflictSearches].examined(search.id, [DocumentId("d")]) == {}

    async def test_documents_that_change_make_the_searches_due_that_see_them(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        mine = await given_search(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            await tx[ConflictSearches].add(evolve(mine, id=ConflictSearchId("x"), tenant_id=other.id))
        cars = await given_search(unit_of_work, tenant.id, "cars")
        own = await _document(unit_of_work, KbScope("boats", tenant.id))
        shared = await _document(unit_of_work, KbScope("cars"))
        async with unit_of_work() as tx:
            searches = tx[ConflictSearches]
            await searches.documents_changed([own.id, DocumentId("nope")], MOMENT)
            assert await searches.due(MOMENT, 10) == [mine]
            assert await searches.due(MOMENT - HOUR, 10) == []
            await searches.documents_changed([own.id, shared.id], MOMENT + HOUR)
            assert await searches.due(MOMENT, 10) == [mine]
            assert await searches.due(MOMENT + HOUR, 10) == [mine, cars]
            assert await searches.due(MOMENT + HOUR, 1) == [mine]
            busy = await searches.save(evolve(mine, job_id=JobId("j")))
            assert await searches.due(MOMENT + HOUR, 10) == [cars]
            idle = await searches.save(evolve(busy, job_id=None))
            await searches.set_changed(cars.id, None)
            assert await searches.due(MOMENT + HOUR, 10) == [idle]
            await searches.set_changed(cars.id, MOMENT - HOUR)
            assert await searches.due(MOMENT + HOUR, 10) == [cars, idle]

    async def test_what_a_search_has_seen_makes_it_due_when_it_is_gone(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        search = await given_search(unit_of_work, tenant.id)
        kept, removed = [await _document(unit_of_work, KbScope("boats", tenant.id)) for _ in range(2)]
        seen = [ExaminedDocument(search.id, d.id, "f", {0: "a", 7: "b"}) for d in (kept, removed)]
        async with unit_of_work() as tx:
            await tx[ConflictSearches].save_examined(seen)
            found = await tx[ConflictSearches].examined(search.id, [kept.id, DocumentId("nope")])
            assert found == {kept.id: seen[0]}
            assert await tx[ConflictSearches].gone(search.id, 10) == []
            await tx[ConflictSearches].save_examined([evolve(seen[0], fingerprint="", passages={})])
            assert (await tx[ConflictSearches].examined(search.id, [kept.id]))[kept.id].fingerprint == ""
        async with unit_of_work() as tx:
            await tx[Knowledge].remove([removed.id])
            await tx[ConflictSearches].documents_changed([removed.id], MOMENT)
            assert await tx[ConflictSearches].due(MOMENT, 10) == [search]
            assert await tx[ConflictSearches].gone(search.id, 10) == [removed.id]
            await tx[ConflictSearches].forget(search.id, [removed.id, DocumentId("nope")])
            assert await tx[ConflictSearches].gone(search.id, 10) == []
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ConflictSearches].save_examined([evolve(seen[0], search_id=ConflictSearchId("nope"))])


class ConflictsContract:
    async def test_a_conflict_is_stored_once(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        search = await given_search(unit_of_work, tenant.id)
        conflict = _conflict(search, "a")
        again = evolve(conflict, id=ConflictId(builders.new_id()))
        async with unit_of_work() as tx:
            assert await tx[Conflicts].add([conflict, again]) == 1
            assert await tx[Conflicts].add([again]) == 0
            assert await tx[Conflicts].get(tenant.id, conflict.id) == conflict
        decided = evolve(
            conflict,
            state=ConflictState.DECIDED,
            decision=Decision.PREFER,
            preferred=SideName.OTHER,
            decided_by=UserId("u"),
            decided_at=MOMENT,
        )
        async with unit_of_work() as tx:
            saved = await tx[Conflicts].save(decided)
        async with unit_of_work() as tx:
            assert await tx[Conflicts].get(tenant.id, conflict.id) == saved == evolve(decided, revision=2)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[Conflicts].save(decided)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Conflicts].add([evolve(again, key="b", search_id=ConflictSearchId("nope"))])

    @alien_ids
    async def test_a_tenant_sees_its_own_conflicts_alone(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        search = await given_search(unit_of_work, tenant.id)
        early, late = _conflict(search, "a"), _conflict(search, "b", "late")
        done = _conflict(search, "c", state=ConflictState.OUTDATED)
        afloat = _conflict(await given_search(unit_of_work, tenant.id, "ships"), "a")
        theirs = _conflict(await given_search(unit_of_work, other.id), "a")
        async with unit_of_work() as tx:
            conflicts = tx[Conflicts]
            await conflicts.add([early, late, done])
            await conflicts.add([afloat, theirs])
            assert await conflicts.open(tenant.id, 10) == [afloat, late, early]
            assert await conflicts.open(tenant.id, 2) == [afloat, late]
            assert await conflicts.open(other.id, 10) == [theirs]
            assert await conflicts.open(TenantId(alien), 10) == []
            assert await conflicts.page(search.id, None, None, 10) == [done, late, early]
            assert await conflicts.page(search.id, ConflictState.OPEN, late.id, 10) == [early]
            assert await conflicts.page(search.id, ConflictState.OPEN, None, 1) == [late]
            assert await conflicts.page(ConflictSearchId(alien), None, None, 10) == []
            assert await conflicts.count(search.id) == {ConflictState.OPEN: 2, ConflictState.OUTDATED: 1}
            both = [DocumentId("one"), DocumentId("other")]
            assert await conflicts.of_documents(search.id, both, 10) == [early, late]
            assert await conflicts.of_documents(search.id, both, 1) == [early]
            assert await conflicts.of_documents(search.id, [DocumentId("late"), DocumentId(alien)], 10) == [late]
            without = await conflicts.save(evolve(early, one=evolve(early.one, witnesses=())))
            assert await conflicts.of_documents(search.id, [DocumentId("w")], 10) == [late]
            assert await conflicts.of_documents(search.id, both, 1) == [without]
            assert await conflicts.ended(search.id, ["a", "c", "nope"]) == {"c": done}
            assert await conflicts.ended(ConflictSearchId(alien), ["c"]) == {}
            for owner, id in ((other.id, early.id), (tenant.id, ConflictId(alien))):
                with pytest.raises(NotFound):
                    await conflicts.get(owner, id)

    async def test_what_lost_is_found_by_its_document(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        search = await given_search(unit_of_work, tenant.id)
        conflict = _conflict(search, "a")
        decided = evolve(conflict, state=ConflictState.DECIDED, decision=Decision.PREFER, preferred=SideName.ONE)
        async with unit_of_work() as tx:
            conflicts = tx[Conflicts]
            await conflicts.add([conflict])
            assert await conflicts.lost(tenant.id, "boats", [DocumentId("other")]) == []
            lost = await conflicts.save(decided)
            assert await conflicts.lost(tenant.id, "boats", [DocumentId("other")]) == [lost]
            assert await conflicts.lost(tenant.id, "boats", [DocumentId("one")]) == []
            assert await conflicts.lost(tenant.id, "cars", [DocumentId("other")]) == []
            assert await conflicts.lost(other.id, "boats", [DocumentId("other")]) == []
            await conflicts.save(evolve(lost, state=ConflictState.OUTDATED))
            assert await conflicts.lost(tenant.id, "boats", [DocumentId("other")]) == []

    async def test_what_casts_doubt_is_found_by_the_document_of_its_weaker_side(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        search = await given_search(unit_of_work, tenant.id)
        older = _conflict(search, "a", one=_side("old"), other=_side("new", published=date(2026, 4, 1)))
        same = _conflict(search, "b", one=_side("old"), other=_side("even"))
        documents = [DocumentId(id) for id in ("old", "new", "even", "nope\x00")]
        async with unit_of_work() as tx:
            conflicts = tx[Conflicts]
            await conflicts.add([older, same])
            assert await conflicts.casting_doubt(tenant.id, "boats", documents, 10) == [older]
            assert await conflicts.casting_doubt(tenant.id, "boats", documents[1:], 10) == []
            for of, niche in ((tenant.id, "cars"), (other.id, "boats")):
                assert await conflicts.casting_doubt(of, niche, documents, 10) == []
            preferred = evolve(same, state=ConflictState.DECIDED, decision=Decision.PREFER, preferred=SideName.ONE)
            decided = await conflicts.save(preferred)
            assert await conflicts.casting_doubt(tenant.id, "boats", documents, 10) == [decided, older]
            assert await conflicts.casting_doubt(tenant.id, "boats", documents, 1) == [decided]
            assert await conflicts.casting_doubt(tenant.id, "boats", [DocumentId("even")], 10) == [decided]
            both = evolve(decided, decision=Decision.BOTH, preferred=None)
            await conflicts.save(both)
            await conflicts.save(evolve(older, state=ConflictState.OUTDATED))
            assert await conflicts.casting_doubt(tenant.id, "boats", documents, 10) == []
