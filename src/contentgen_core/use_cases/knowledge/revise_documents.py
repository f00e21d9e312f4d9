"""A document whose text changed stays the same document, and its passages that stay do too."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import evolve

from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.policies.text.passage_identity import keep_identity
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import Transaction

Revision = tuple[KbDocument, KbDocument, Sequence[Passage]]
"""A document as it is stored, as it is now, and its passages, whose indexes are their places."""


async def revise(tx: Transaction, revisions: Sequence[Revision], now: datetime) -> None:
    """Store documents of one scope as they are now, under the ids that they have. What their passages said is kept."""
    if not revisions:
        return
    ids = [stored.id for stored, _, _ in revisions]
    unused = await tx[Knowledge].unused_chunk_indexes(ids)
    before = await tx[Knowledge].passages_of(ids)
    await tx[Knowledge].replace(await asyncio.to_thread(_identified, revisions, before, unused, now))


def _identified(
    revisions: Sequence[Revision], before: Sequence[Passage], unused: Mapping[DocumentId, int], now: datetime
) -> list[tuple[KbDocument, Sequence[Passage]]]:
    former: dict[DocumentId, list[Passage]] = {}
    for passage in before:
        former.setdefault(passage.document.id, []).append(passage)
    found: list[tuple[KbDocument, Sequence[Passage]]] = []
    for stored, present, passages in revisions:
        # Versions follow one another, whatever the clock says.
        revised_at = max(now, stored.revised_at or stored.created_at)
        document = evolve(present, id=stored.id, created_at=stored.created_at, revised_at=revised_at)
        own = [evolve(passage, document=document) for passage in passages]
        found.append((document, keep_identity(former.get(stored.id, ()), own, unused.get(stored.id, 0))))
    return found
