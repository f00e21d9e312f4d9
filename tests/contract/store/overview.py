"""Counts of a view: equal, after any history, to counting every live passage of the view."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import combinations
from typing import Final

from attrs import evolve, frozen
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from contentgen_core.model.entity import (
    Cooccurrences,
    CuratedEntity,
    Curation,
    EntityMention,
    EntityType,
    GroupCounts,
    KbStatistics,
)
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Origin, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.entity_graph import MAX_NAMING
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given_tenant, given_tenants
from tests.contract.store.given import given as stored

NICHE: Final = builders.NICHE_KEY
KEYS: Final = ("heat pump", "ofgem", "ключ", "熱", 'it\'s "quoted", {braced}')
GROUPS: Final = (("heat pump",), ("ofgem", "ключ"), ("熱",), ("nobody names this",), (KEYS[4],))


@frozen
class Piece:
    """A document of the history: its tenant (0: the platform), country, origin, and the entities of its passages.
    `revised`: those of its passages once its text has changed; None: it never did. `removed`: whether it is removed
    again."""

    owner: int
    country: str | None
    origin: Origin
    passages: tuple[tuple[EntityMention, ...], ...]
    removed: bool
    revised: tuple[tuple[EntityMention, ...], ...] | None = None


def _mentions(counts: dict[str, int], capitals: bool) -> tuple[EntityMention, ...]:
    kind = EntityType.ORGANISATION if capitals else EntityType.CONCEPT
    return tuple(EntityMention(key, key.upper() if capitals else key, kind, n) for key, n in counts.items())


def _document_passages(passages: Sequence[dict[str, int]], capitals: bool) -> tuple[tuple[EntityMention, ...], ...]:
    return tuple(_mentions(counts, capitals) for counts in passages)


_counts = st.dictionaries(st.sampled_from(KEYS), st.integers(1, 3), max_size=4)
_pieces = st.builds(
    Piece,
    owner=st.integers(0, 2),
    country=st.sampled_from((None, "GB", "FR")),
    origin=st.sampled_from(Origin),
    passages=st.builds(_document_passages, st.lists(_counts, max_size=3), st.booleans()),
    revised=st.none() | st.builds(_document_passages, st.lists(_counts, max_size=3), st.booleans()),
    removed=st.booleans(),
)


class OverviewContract:
    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(pieces=st.lists(_pieces, max_size=8))
    @example(pieces=[])
    @example(pieces=[Piece(1, None, Origin.WEB, (_mentions({"ofgem": 2, "ключ": 1}, True),), removed=True)])
    @example(pieces=[Piece(0, "GB", Origin.AI, (_mentions({"ofgem": 2, "ключ": 1}, True),) * 2, removed=False)] * 2)
    async def test_what_is_counted_equals_a_naive_count_after_any_changes(
        self, unit_of_work: UnitOfWork, pieces: list[Piece]
    ) -> None:
        niche_key = f"niche-{builders.new_id()}"  # the fixture lives through all examples: each has its own niche
        owners = (None, *(tenant.id for tenant in await given_tenants(unit_of_work)))
        documents = [_document(piece, niche_key, owners) for piece in pieces]
        async with unit_of_work() as tx:
            await tx[Knowledge].add(documents)
        documents = [_revised(piece, document) for piece, document in zip(pieces, documents, strict=True)]
        async with unit_of_work() as tx:
            await tx[Knowledge].replace([(d, passages) for d, passages in documents if d.revised_at is not None])
        removed = {document.id for piece, (document, _) in zip(pieces, documents, strict=True) if piece.removed}
        async with unit_of_work() as tx:
            await tx[Knowledge].remove(sorted(removed))
        live = [(document, passages) for document, passages in documents if document.id not in removed]
        async with unit_of_work() as tx:
            for view in _views(niche_key, owners):
                seen = [(document, passages) for document, passages in live if view.sees(document.scope)]
                passages = [passage for _, of_document in seen for passage in of_document]
                assert await tx[Overview].cooccurrences(view, GROUPS) == naive_links(passages)
                page = await tx[Overview].strongest(view, 10)
                assert {e.keys[0]: (e.mentions, e.passages, e.documents) for e in page.entities} == naive(passages)
                order = [(-e.passages, -e.mentions, e.keys[0]) for e in page.entities]
                assert order == sorted(order)
                assert page.total == len(page.entities)
                assert (await tx[Overview].strongest(view, 1)).entities == page.entities[:1]
                assert comparable(await tx[Overview].figures(view, MOMENT)) == naive_figures(seen)

    async def test_the_age_is_that_of_the_source_where_it_says_one(self, unit_of_work: UnitOfWork) -> None:
        now, day = MOMENT, timedelta(days=1)
        given_dates = (
            {"created_at": now - 4 * day},
            {"created_at": now, "fetched_at": now - 8 * day},
            {"created_at": now, "fetched_at": now - 8 * day, "published": (now - 12 * day).date()},
            {"created_at": now, "published": date(2999, 1, 1)},  # no age below 0
        )
        for dates in given_dates:
            document = builders.kb_document(**dates)
            await stored(unit_of_work, (document, [builders.passage(document)]))
        async with unit_of_work() as tx:
            figures = await tx[Overview].figures(KbView(NICHE), now)
        midnight = (now - now.replace(hour=0, minute=0, second=0, microsecond=0)) / day
        assert abs(figures.average_age_days - (4 + 8 + 12 + midnight) / 4) < 1e-6

    async def test_an_empty_view_has_no_age_and_no_newest(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            figures = await tx[Overview].figures(KbView("nothing"), MOMENT)
            assert figures == KbStatistics(0, 0, {}, {}, 0.0, None, figures.state)
            assert (await tx[Overview].strongest(KbView("nothing"), 5)).entities == ()
            assert await tx[Overview].cooccurrences(KbView("nothing"), []) == Cooccurrences((), {}, 0)

    async def test_the_state_changes_with_the_documents_and_with_nothing_else(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        view = KbView(NICHE, tenant.id)

        async def state() -> str:
            async with unit_of_work() as tx:
                return (await tx[Overview].figures(view, MOMENT)).state

        mine, theirs = (builders.kb_document(scope=KbScope(NICHE, t.id)) for t in (tenant, other))
        before = await state()
        await stored(unit_of_work, (theirs, [builders.passage(theirs)]))
        assert await state() == before
        await stored(unit_of_work, (mine, [builders.passage(mine)]))
        assert await state() != before

    async def test_most_mentions_name_an_entity_and_a_type_of_a_rule_goes_first(self, unit_of_work: UnitOfWork) -> None:
        ways = (
            EntityMention("ofgem", "OFGEM", EntityType.CONCEPT, 1),
            EntityMention("ofgem", "Ofgem", EntityType.CONCEPT, 5),
            EntityMention("ofgem", "ofgem", EntityType.ORGANISATION, 1),
        )
        for way in ways:
            document = builders.kb_document()
            await stored(unit_of_work, (document, [builders.passage(document, entities=(way,))]))
        async with unit_of_work() as tx:
            (found,) = (await tx[Overview].strongest(KbView(NICHE), 5)).entities
        assert (found.name, found.type, found.mentions, found.documents) == ("Ofgem", EntityType.ORGANISATION, 7, 3)

    async def test_a_curation_is_asked_for_once_in_a_while(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        hour = timedelta(hours=1)

        async def ask(at: timedelta) -> bool:
            async with unit_of_work() as tx:
                return await tx[Overview].request_curation(tenant.id, NICHE, MOMENT + at, MOMENT + at - hour)

        assert [await ask(hour * 0), await ask(hour / 2), await ask(hour), await ask(hour)] == [
            True,
            False,
            True,
            False,
        ]

    async def test_of_callers_at_the_same_time_one_asks_for_a_curation(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)

        async def ask() -> bool:
            async with unit_of_work() as tx:
                return await tx[Overview].request_curation(tenant.id, NICHE, MOMENT, MOMENT - timedelta(hours=1))

        assert sorted(await asyncio.gather(*(ask() for _ in range(4)))) == [False, False, False, True]

    async def test_a_curation_is_read_as_it_was_saved_by_its_tenant_alone(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[Overview].curation(tenant.id, NICHE) is None
            await tx[Overview].request_curation(tenant.id, NICHE, MOMENT, MOMENT)
        kept = (
            CuratedEntity(("ofgem", "the regulator"), EntityType.ORGANISATION),
            CuratedEntity(("熱",), EntityType.LAW),
        )
        saved = Curation(tenant.id, NICHE, MOMENT + timedelta(hours=2), "state", kept, ("dropped", "too"))
        async with unit_of_work() as tx:
            asked = await tx[Overview].curation(tenant.id, NICHE)
            assert asked == Curation(tenant.id, NICHE, MOMENT)
            await tx[Overview].save_curation(saved)
        async with unit_of_work() as tx:
            found = await tx[Overview].curation(tenant.id, NICHE)
            assert found == Curation(tenant.id, NICHE, MOMENT, "state", kept, ("dropped", "too"))
            assert await tx[Overview].curation(other.id, NICHE) is None
            await tx[Overview].request_curation(tenant.id, NICHE, MOMENT + timedelta(days=1), MOMENT)
        async with unit_of_work() as tx:
            again = await tx[Overview].curation(tenant.id, NICHE)
        assert again is not None
        assert (again.kept, again.requested_at) == (kept, MOMENT + timedelta(days=1))

    @alien_ids
    async def test_unknown_names_find_nothing(self, unit_of_work: UnitOfWork, alien: str) -> None:
        async with unit_of_work() as tx:
            assert await tx[Overview].curation(TenantId(alien), alien) is None
            found = await tx[Overview].cooccurrences(KbView(alien, TenantId(alien)), [(alien,)])
            assert found == Cooccurrences((GroupCounts(0, 0, 0),), {}, 0, ((),))
            assert (await tx[Overview].strongest(KbView(alien, TenantId(alien)), 3)).total == 0


def naive(passages: Iterable[Passage]) -> dict[str, tuple[int, int, int]]:
    """Mentions, passages and documents by key."""
    listed = list(passages)
    found = {}
    for key in {entity.key for passage in listed for entity in passage.entities}:
        holding = [p for p in listed if any(entity.key == key for entity in p.entities)]
        mentions = sum(entity.count for p in holding for entity in p.entities if entity.key == key)
        found[key] = (mentions, len(holding), len({p.document.id for p in holding}))
    return found


def naive_links(passages: Iterable[Passage]) -> Cooccurrences:
    listed = list(passages)
    held = [[p for p in listed if any(entity.key in group for entity in p.entities)] for group in GROUPS]
    mentions = [sum(e.count for p in listed for e in p.entities if e.key in group) for group in GROUPS]
    pairs = {}
    for i, j in combinations(range(len(GROUPS)), 2):
        if both := len({p.ref for p in held[i]} & {p.ref for p in held[j]}):
            pairs[i, j] = both
    figures = tuple(
        GroupCounts(n, len(of_group), len({p.document.id for p in of_group}))
        for n, of_group in zip(mentions, held, strict=True)
    )
    naming = (
        sorted({p.ref for p in of_group}, key=lambda ref: (ref.document_id, ref.chunk_index)) for of_group in held
    )
    return Cooccurrences(figures, pairs, len(listed), tuple(tuple(refs[:MAX_NAMING]) for refs in naming))


def naive_figures(seen: Sequence[tuple[KbDocument, list[Passage]]]) -> dict[str, object]:
    passages = [passage for _, of_document in seen for passage in of_document]
    origins = {d.origin.value: 0 for d, _ in seen}
    for passage in passages:
        origins[passage.document.origin.value] += 1
    return {
        "documents": len(seen),
        "passages": len(passages),
        "by_origin": origins,
        "by_language": {Language.EN: len(passages)} if seen else {},
        "newest": max((d.created_at for d, _ in seen), default=None),
    }


def comparable(figures: KbStatistics) -> dict[str, object]:
    return {name: getattr(figures, name) for name in ("documents", "passages", "by_origin", "by_language", "newest")}


def _document(piece: Piece, niche_key: str, owners: tuple[TenantId | None, ...]) -> tuple[KbDocument, list[Passage]]:
    scope = KbScope(niche_key, owners[piece.owner], piece.country)
    document = builders.kb_document(scope=scope, language=Language.EN, origin=piece.origin)
    return document, _passages(document, piece.passages)


def _revised(piece: Piece, stored: tuple[KbDocument, list[Passage]]) -> tuple[KbDocument, list[Passage]]:
    if piece.revised is None:
        return stored
    document = evolve(stored[0], revised_at=MOMENT)
    return document, _passages(document, piece.revised)


def _passages(document: KbDocument, named: Sequence[tuple[EntityMention, ...]]) -> list[Passage]:
    return [builders.passage(document, chunk_index=n, entities=entities) for n, entities in enumerate(named)]


def _views(niche_key: str, owners: tuple[TenantId | None, ...]) -> list[KbView]:
    countries = (frozenset[str](), frozenset({"GB"}), frozenset({"GB", "FR"}))
    return [KbView(niche_key, owner, of) for owner in owners for of in countries]
