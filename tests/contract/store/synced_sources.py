"""Synced sources, each seen by its tenant alone, and their items."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import DocumentId, SyncedSourceId
from contentgen_core.model.synced_source import (
    ItemCounts,
    ItemState,
    SkipReason,
    SourceKind,
    SyncedItem,
    SyncedSource,
    SyncOutcome,
    SyncReport,
)
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given_tenant, given_tenants

HOUR = timedelta(hours=1)


async def _source(unit_of_work: UnitOfWork, **changes: Any) -> SyncedSource:
    if "tenant_id" not in changes:
        changes["tenant_id"] = (await given_tenant(unit_of_work)).id
    defaults: dict[str, Any] = {
        "id": SyncedSourceId(builders.new_id()),
        "niche_key": builders.NICHE_KEY,
        "kind": SourceKind.FOLDER,
        "name": "Handbook",
        "place": "/srv/handbook",
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    source = SyncedSource(**defaults | changes)
    async with unit_of_work() as tx:
        await tx[SyncedSources].add(source)
    return source


class SyncedSourcesContract:
    async def test_a_source_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        report = SyncReport(
            MOMENT,
            MOMENT + HOUR,
            SyncOutcome.DOUBTFUL,
            listed=9,
            skipped={SkipReason.TOO_LARGE: 2},
            examples=(("a.pdf", SkipReason.TOO_LARGE),),
            error="Only 2 of 9 are there.",
        )
        source = await _source(unit_of_work, grace_days=0, next_sync_at=MOMENT, last=report)
        changed = evolve(source, paused=True, name="Old handbook")
        async with unit_of_work() as tx:
            assert await tx[SyncedSources].get(source.tenant_id, source.id) == source
            saved = await tx[SyncedSources].save(changed)
        async with unit_of_work() as tx:
            assert await tx[SyncedSources].get(source.tenant_id, source.id) == saved == evolve(changed, revision=2)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[SyncedSources].save(changed)

    @alien_ids
    async def test_a_tenant_sees_its_own_sources_alone(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        late = await _source(unit_of_work, tenant_id=tenant.id, created_at=MOMENT + HOUR)
        early = await _source(unit_of_work, tenant_id=tenant.id)
        async with unit_of_work() as tx:
            assert await tx[SyncedSources].of_tenant(tenant.id, 10) == [early, late]
            assert await tx[SyncedSources].of_tenant(tenant.id, 1) == [early]
            assert await tx[SyncedSources].of_tenant(other.id, 10) == []
            for owner, id in ((other.id, early.id), (tenant.id, SyncedSourceId(alien))):
                with pytest.raises(NotFound):
                    await tx[SyncedSources].get(owner, id)
                with pytest.raises(NotFound):
                    await tx[SyncedSources].delete(owner, id)

    async def test_all_are_listed_by_their_ids_for_new_keys(self, unit_of_work: UnitOfWork) -> None:
        made = [await _source(unit_of_work, sealed="abc", secret_fields=("token",)) for _ in range(3)]
        ids = sorted(source.id for source in made)
        async with unit_of_work() as tx:
            every = {source.id: source for source in await tx[SyncedSources].after(None, 1_000)}
            assert [every[source.id] for source in made] == made
            following = await tx[SyncedSources].after(ids[0], 1_000)
            assert [source.id for source in following if source.id in ids] == ids[1:]
            assert [source.id for source in await tx[SyncedSources].after(ids[0], 1)] == [following[0].id]

    async def test_due_are_those_whose_time_has_come_and_that_are_not_paused(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        second = await _source(unit_of_work, tenant_id=tenant.id, next_sync_at=MOMENT)
        first = await _source(unit_of_work, tenant_id=tenant.id, next_sync_at=MOMENT - HOUR)
        await _source(unit_of_work, tenant_id=tenant.id, next_sync_at=MOMENT + HOUR)
        await _source(unit_of_work, tenant_id=tenant.id, next_sync_at=MOMENT, paused=True)
        await _source(unit_of_work, tenant_id=tenant.id)
        async with unit_of_work() as tx:
            assert await tx[SyncedSources].due(MOMENT, 10) == [first, second]
            assert await tx[SyncedSources].due(MOMENT, 1) == [first]


class SyncedItemsContract:
    async def test_items_are_added_replaced_and_dropped_by_key(self, unit_of_work: UnitOfWork) -> None:
        source, other = await _source(unit_of_work), await _source(unit_of_work)
        full = SyncedItem(
            source.id, "a.md", MOMENT, "12-34", "A", DocumentId("d1"), "hash", MOMENT, MOMENT, MOMENT, SkipReason.EMPTY
        )
        full = evolve(full, version='["a", "b"]', read_at=MOMENT + HOUR)
        bare = SyncedItem(source.id, "b.md", MOMENT)
        same = SyncedItem(other.id, "a.md", MOMENT)
        async with unit_of_work() as tx:
            await tx[SyncedSources].save_items([full, bare, same])
            await tx[SyncedSources].save_items([])
        async with unit_of_work() as tx:
            found = await tx[SyncedSources].items(source.id, ["b.md", "a.md", "c.md", "\x00"])
            assert found == {"a.md": full, "b.md": bare}
            changed = evolve(bare, title="B", seen_at=MOMENT + HOUR)
            await tx[SyncedSources].save_items([changed])
            await tx[SyncedSources].drop_items(source.id, ["a.md", "c.md"])
        async with unit_of_work() as tx:
            assert await tx[SyncedSources].page_items(source.id, None, None, 10) == [changed]
            assert await tx[SyncedSources].page_items(other.id, None, None, 10) == [same]
            await tx[SyncedSources].delete(source.tenant_id, source.id)
            assert await tx[SyncedSources].items(source.id, ["b.md"]) == {}
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[SyncedSources].save_items([bare])

    async def test_duplicates_are_found_by_their_text(self, unit_of_work: UnitOfWork) -> None:
        source, other = await _source(unit_of_work), await _source(unit_of_work)
        first = SyncedItem(source.id, "a", MOMENT, content_hash="1", skipped=SkipReason.DUPLICATE)
        items = [first, evolve(first, key="b"), evolve(first, key="c", content_hash="2")]
        items += [evolve(first, key="d", content_hash="3", skipped=None), evolve(first, source_id=other.id)]
        items.append(evolve(first, key="e", content_hash="4", seen_at=MOMENT - HOUR))
        async with unit_of_work() as tx:
            await tx[SyncedSources].save_items(items)
            assert await tx[SyncedSources].duplicates(source.id, ["1", "2", "3", "4"], MOMENT) == {
                "1": first,
                "2": items[2],
            }
            assert await tx[SyncedSources].duplicates(source.id, [], MOMENT) == {}

    async def test_items_are_found_by_what_became_of_them(self, unit_of_work: UnitOfWork) -> None:
        source = await _source(unit_of_work)
        later = MOMENT + HOUR
        stored = SyncedItem(source.id, "stored", later, document_id=DocumentId("1"), added_at=MOMENT, changed_at=later)
        new = SyncedItem(source.id, "new", later, document_id=DocumentId("2"), added_at=later, changed_at=later)
        unseen = SyncedItem(source.id, "unseen", MOMENT, document_id=DocumentId("3"), added_at=MOMENT)
        skipped = SyncedItem(source.id, "skipped", later, skipped=SkipReason.EMPTY)
        outdated = evolve(stored, key="outdated", changed_at=MOMENT, skipped=SkipReason.TOO_LARGE)
        missing = SyncedItem(source.id, "missing", MOMENT, document_id=DocumentId("4"), missing_since=MOMENT)
        lost = SyncedItem(source.id, "lost", MOMENT, skipped=SkipReason.EMPTY)
        recent = evolve(missing, key="recent", missing_since=later, read_at=later)
        async with unit_of_work() as tx:
            await tx[SyncedSources].save_items([stored, new, unseen, skipped, outdated, missing, recent, lost])
        async with unit_of_work() as tx:
            sources = tx[SyncedSources]
            assert await sources.unseen(source.id, later, 10) == [lost, unseen]
            assert await sources.expired(source.id, MOMENT, 10) == [missing]
            assert await sources.expired(source.id, later, 1) == [missing]
            assert await sources.page_items(source.id, ItemState.MISSING, None, 10) == [missing, recent]
            assert await sources.page_items(source.id, ItemState.SKIPPED, None, 10) == [lost, outdated, skipped]
            assert await sources.page_items(source.id, ItemState.STORED, None, 10) == [new, stored, unseen]
            assert await sources.page_items(source.id, ItemState.STORED, "new", 1) == [stored]
            counts = await sources.counts(source.id, later)
            reasons = {SkipReason.EMPTY: 1, SkipReason.TOO_LARGE: 1}
            assert counts == ItemCounts(held=4, missing=2, skipped=reasons, added=1, changed=1, read=1, known=8)
            assert await sources.counts(SyncedSourceId("none"), later) == ItemCounts(0, 0, {}, 0, 0, 0, 0)
