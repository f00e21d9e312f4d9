"""Synced sources, and what is known of their items."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.ids import SyncedSourceId, TenantId
from contentgen_core.model.synced_source import ItemCounts, ItemState, SyncedItem, SyncedSource


class SyncedSources(Protocol):
    """A tenant sees its own sources only."""

    async def add(self, source: SyncedSource) -> None:
        """Raises NotFound for an unknown tenant."""
        ...

    async def get(self, tenant_id: TenantId, source_id: SyncedSourceId) -> SyncedSource:
        """Raises NotFound."""
        ...

    async def of_tenant(self, tenant_id: TenantId, limit: int) -> list[SyncedSource]:
        """In the order of their creation."""
        ...

    async def save(self, source: SyncedSource) -> SyncedSource:
        """Store a changed source that was read at `source.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def delete(self, tenant_id: TenantId, source_id: SyncedSourceId) -> None:
        """With its items. Raises NotFound."""
        ...

    async def due(self, now: datetime, limit: int) -> list[SyncedSource]:
        """Sources of any tenant whose next sync is due, and that are not paused, the longest due first.
        None of suspended tenants."""
        ...

    async def after(self, source_id: SyncedSourceId | None, limit: int) -> list[SyncedSource]:
        """Sources of all tenants by id, from the one after `source_id` (None: from the first), for encrypting their
        secrets under a new key."""
        ...

    async def items(self, source_id: SyncedSourceId, keys: Sequence[str]) -> dict[str, SyncedItem]:
        """The known items of these keys."""
        ...

    async def save_items(self, items: Sequence[SyncedItem]) -> None:
        """Add or replace, by source and key. Raises NotFound for an unknown source."""
        ...

    async def unseen(self, source_id: SyncedSourceId, since: datetime, limit: int) -> list[SyncedItem]:
        """Items that no sync has listed since, and that are not missing yet, by key."""
        ...

    async def duplicates(
        self, source_id: SyncedSourceId, content_hashes: Sequence[str], since: datetime
    ) -> dict[str, SyncedItem]:
        """Items listed since then that were skipped because their text is there already, by its hash; of several the
        first by key."""
        ...

    async def expired(self, source_id: SyncedSourceId, missing_until: datetime, limit: int) -> list[SyncedItem]:
        """Items that are missing from then or earlier, by key."""
        ...

    async def drop_items(self, source_id: SyncedSourceId, keys: Sequence[str]) -> None: ...

    async def counts(self, source_id: SyncedSourceId, since: datetime) -> ItemCounts:
        """`since`: what was added, changed, read or seen then or later counts as such."""
        ...

    async def page_items(
        self, source_id: SyncedSourceId, state: ItemState | None, after: str | None, limit: int
    ) -> list[SyncedItem]:
        """Items in this state, in the order of their keys, from the one after `after` on."""
        ...
