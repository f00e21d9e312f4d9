"""What a view of the knowledge base holds, counted: figures, entities, and which of these meet.

The figures follow documents in the transaction that adds or removes them (`Knowledge.add`, `Knowledge.remove`). Nothing
of another tenant is ever part of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.entity import Cooccurrences, Curation, EntityPage, KbFigures
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbView


class Overview(Protocol):
    """`view.document_ids` is not supported here: a view of named documents is small enough to look at."""

    async def figures(self, view: KbView, now: datetime) -> KbFigures: ...

    async def strongest(self, view: KbView, limit: int) -> EntityPage:
        """The entities in most passages, then of most mentions, then by key; each with its name and type as most
        mentions write it."""
        ...

    async def cooccurrences(self, view: KbView, groups: Sequence[Collection[str]]) -> Cooccurrences:
        """Count groups of entities, named by their keys, each group as one; 200 at most. Unknown keys are fine."""
        ...

    async def curation(self, tenant_id: TenantId, subject: str) -> Curation | None: ...

    async def request_curation(self, tenant_id: TenantId, subject: str, now: datetime, not_since: datetime) -> bool:
        """Note that a curation is asked for now. False, and nothing noted, when one was asked for after `not_since`:
        of callers at the same time one gets True."""
        ...

    async def save_curation(self, curation: Curation) -> None:
        """Keep a curation, in place of a former one; `requested_at` stays as noted where it is noted."""
        ...
