"""Find words, as they stand, in the documents of a view."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from contentgen_core.model.knowledge import KbView, Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.freshness import still_said
from contentgen_core.ports.knowledge_base import PassageIndex
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.conflicts.follow import blank_sentences, losing_sentences
from contentgen_core.use_cases.knowledge.index_loss import require_whole
from contentgen_core.use_cases.use_case import use_case

MOST_CANDIDATES: Final = 30
"""Passages that the index names for each text: one that has all its words is among the best."""


@use_case
class FindWords:
    unit_of_work: UnitOfWork
    index: PassageIndex
    analysis: TextAnalysis

    async def __call__(
        self, views: Sequence[KbView], texts: Sequence[str], languages: Iterable[Language]
    ) -> Mapping[str, Passage]:
        """Return, by text, a live passage of one of the views that has it word for word; texts that none has are left
        out. What lost a conflict counts as not said. Never within a transaction: the index is searched. Raises
        StaleIndex, and Unavailable while the index is being rebuilt, since nobody knows then what is said."""
        async with self.unit_of_work() as tx:
            await require_whole(tx)
        found: dict[str, Passage] = {}
        for text in texts:
            terms = {language: await asyncio.to_thread(self.analysis.terms, text, language) for language in languages}
            for view in views:
                if passage := await self._in_view(view, text, terms):
                    found[text] = passage
                    break
        return found

    async def _in_view(self, view: KbView, text: str, terms: Mapping[Language, Sequence[str]]) -> Passage | None:
        hits = await self.index.search(view, terms, None, MOST_CANDIDATES)
        async with self.unit_of_work() as tx:
            passages = await tx[Knowledge].passages(view, [hit.ref for hit in hits])
        lost = await losing_sentences(self.unit_of_work, [view], passages.values())
        valid = (blank_sentences(p, lost.get(p.document.id, ()), self.analysis) for p in passages.values())
        passage = await asyncio.to_thread(still_said, text, [passage for passage in valid if passage is not None])
        return None if passage is None else passages[passage.ref]
