"""Counts of a view of the knowledge base: documents, passages, entities and their co-occurrences.

They are updated in the transaction that adds or removes documents (`Knowledge.add`, `Knowledge.remove`), and never
include documents of another tenant."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.entity import Cooccurrences, Curation, EntityPage, KbStatistics
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbView


class Overview(Protocol):
    """`view.document_ids` is not supported."""

    async def figures(self, view: KbView, now: datetime) -> KbStatistics:
        """The counts of the view. `now`: to compute the mean age."""

    async def strongest(self, view: KbView, limit: int) -> EntityPage:
        """The entities with most passages, then most mentions, then by key; each with its most frequent name and
        type."""
        ...

    async def cooccurrences(self, view: KbView, groups: Sequence[Collection[str]]) -> Cooccurrences:
        """Count how often groups of entities, given by their keys, occur together; at most 200 groups. Unknown keys are
        ignored."""
        ...

    async def curation(self, tenant_id: TenantId, subject: str) -> Curation | None:
        """The stored curation of a niche or agent (`subject`), or None."""

    async def request_curation(self, tenant_id: TenantId, subject: str, now: datetime, not_since: datetime) -> bool:
        """Record that a curation is requested now. False, and nothing recorded, when one was requested after
        `not_since`: of concurrent callers one gets True."""
        ...

    async def save_curation(self, curation: Curation) -> None:
        """Store a curation, replacing a former one; a recorded `requested_at` stays."""
        ...
