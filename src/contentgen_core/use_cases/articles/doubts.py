"""Conflicts in which an article rests on the weaker side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.article import Article
from contentgen_core.model.conflict import Conflict, ConflictState, Side
from contentgen_core.model.freshness import Contradiction
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbView, Passage
from contentgen_core.ports.repositories.conflicts import Conflicts
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import Transaction

MOST_DOUBTS: Final = 500
"""Conflicts of an article's documents that are looked at; decided ones come first."""


@frozen
class Doubt:
    """A conflict that casts doubt on a sentence of a document. `passage`: the one with the stronger side's sentence."""

    conflict: Conflict
    weaker: Side
    stronger: Side
    passage: Passage

    @property
    def contradiction(self) -> Contradiction:
        document = self.passage.document
        decided = self.conflict.state is ConflictState.DECIDED
        return Contradiction(self.conflict.id, decided, document.title, document.url, document.published)


async def doubts_of(
    tx: Transaction, article: Article, view: KbView, documents: Sequence[DocumentId]
) -> Mapping[DocumentId, Sequence[Doubt]]:
    """Return the doubts by the document of the weaker side: decided conflicts first, then the newest stronger sides. A
    stronger side that is outside the view, or lost a conflict itself, is no reason to change an article."""
    of, niche = article.tenant_id, article.niche_key
    pairs = [
        (conflict, conflict.weaker, conflict.stronger)
        for conflict in await tx[Conflicts].casting_doubt(of, niche, documents, MOST_DOUBTS)
    ]
    sides = [stronger for _, _, stronger in pairs if stronger is not None]
    if not sides:
        return {}
    passages = await tx[Knowledge].passages(view, list(dict.fromkeys(side.source for side in sides)))
    lost = await tx[Conflicts].lost(of, niche, list({DocumentId(side.source.document_id) for side in sides}))
    losing = {(c.losing.source.document_id, c.losing.sentence) for c in lost if c.losing is not None}
    found = [
        Doubt(conflict, weaker, stronger, passages[stronger.source])
        for conflict, weaker, stronger in pairs
        if weaker is not None
        and stronger is not None
        and stronger.source in passages
        and stronger.sentence in passages[stronger.source].text
        and (stronger.source.document_id, stronger.sentence) not in losing
    ]
    by_document: dict[DocumentId, list[Doubt]] = defaultdict(list)
    for doubt in sorted(found, key=_rank, reverse=True):
        by_document[DocumentId(doubt.weaker.source.document_id)].append(doubt)
    return by_document


def _rank(doubt: Doubt) -> tuple[bool, int, int, str]:
    side = doubt.stronger
    decided = doubt.conflict.state is ConflictState.DECIDED
    return decided, side.dated.toordinal(), side.independent, doubt.conflict.id
