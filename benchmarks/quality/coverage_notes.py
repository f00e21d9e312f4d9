"""Knowledge bases of two notes each, passages of one title: that title is put to them, and titles of others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from benchmarks.quality.coverage_cases import SEED, Case, Left, Shelf, composed, evidence_of, imported
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength
from contentgen_core.ports.knowledge_base import Embedder

NOTES: Final = 2
OTHERS: Final = 8
"""Titles of others that are put to each knowledge base."""


async def cases_of_notes(shelf: Shelf, embedder: Embedder) -> list[Case]:
    """Return the cases of notes, without simple scores. `documents`: those of the topic that the knowledge base
    holds.
    """
    chance = random.Random(f"{SEED} {shelf.name} notes")
    sources = {source.source_key: source for source in shelf.documents}
    titles = [topic for topic in shelf.topics if len(topic.relevant) >= NOTES]
    made = []
    async with composed(embedder) as services:
        retrieve = services.writing.check_coverage.retrieve
        for place, owner in enumerate(titles):
            notes = chance.sample(sorted(owner.relevant), NOTES)
            await imported(services, f"notes-{place}", [sources[key] for key in notes])
            others = chance.sample([topic for topic in titles if topic is not owner], OTHERS)
            for topic in [owner, *others]:
                found = await retrieve(KbView(f"notes-{place}"), topic.text, LENGTHS[ArticleLength.SHORT].passages)
                left, documents = (Left.ALL, NOTES) if topic is owner else (Left.ELSEWHERE, 0)
                made.append(Case(shelf, topic, left, documents, shelf.language, evidence_of(found), {}))
    return made


async def all_notes(shelves: Sequence[Shelf], embedder: Embedder) -> list[Case]:
    return [case for shelf in shelves if shelf.has_articles for case in await cases_of_notes(shelf, embedder)]
