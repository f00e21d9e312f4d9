"""Conflicts that were found before, judged by what stands there now and by the present rules."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from contentgen_core.model.conflict import Conflict, ConflictState, Side
from contentgen_core.model.ids import ConflictSearchId, DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.policies.conflicts.finding import Finder, key_of, side_of
from contentgen_core.ports.repositories.conflicts import Conflicts
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork


async def no_longer_found(
    unit_of_work: UnitOfWork,
    search_id: ConflictSearchId,
    documents: Sequence[DocumentId],
    limit: int,
    finder: Finder,
) -> frozenset[str]:
    """Return the keys of those open conflicts of these documents, at most `limit` of them looked at, whose sentences
    still stand there and are not found to contradict each other any more: the rules or the titles are others."""
    async with unit_of_work() as tx:
        known = await tx[Conflicts].of_documents(search_id, sorted(documents), limit)
        opened = [conflict for conflict in known if conflict.state is ConflictState.OPEN]
        touched = {DocumentId(side.source.document_id) for c in opened for side in (c.one, c.other)}
        passages = await tx[Knowledge].passages_of(sorted(touched)) if touched else []
    return await asyncio.to_thread(_not_found, opened, passages, finder)


def _not_found(conflicts: Iterable[Conflict], passages: Iterable[Passage], finder: Finder) -> frozenset[str]:
    by_document: dict[str, list[Passage]] = defaultdict(list)
    for passage in passages:
        by_document[passage.document.id].append(passage)
    return frozenset(conflict.key for conflict in conflicts if not _is_found(conflict, by_document, finder))


def _is_found(conflict: Conflict, passages: Mapping[str, Sequence[Passage]], finder: Finder) -> bool:
    """Return whether a conflict is found again; True as well where one of its sentences is not there."""
    ours, theirs = (_passages_with_sentence(side, passages) for side in (conflict.one, conflict.other))
    if not ours or not theirs:
        return True
    found = (each for passage in ours for each in finder.compare(passage, theirs).conflicts)
    sides = ((side_of(it.one, it.difference.one), side_of(it.other, it.difference.other)) for it in found)
    return any(key_of(one, other) == conflict.key for one, other in sides)


def _passages_with_sentence(side: Side, passages: Mapping[str, Sequence[Passage]]) -> list[Passage]:
    return [p for p in passages.get(side.source.document_id, ()) if side.sentence in p.text]
