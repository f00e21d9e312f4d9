"""Find the ideal result of a search: every passage of a view scored by the ranking's own BM25."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from heapq import nlargest
from typing import Final

import psycopg

from benchmarks.installation import Installation
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.bm25 import Bm25
from contentgen_core.policies.retrieval.ranking import topic_query
from contentgen_core.ports.repositories.knowledge import Knowledge

_DOCUMENTS_AT_ONCE: Final = 500

Scored = tuple[float, SourceRef]


async def lexical_top(here: Installation, asked: Sequence[tuple[KbView, str]], limit: int) -> list[set[SourceRef]]:
    """Return for each view and topic the best `limit` passages by their words."""
    retrieve = here.services.jobs.generate_article.retrieve
    scorers: list[tuple[KbView, frozenset[str], Bm25]] = []
    for view, topic in asked:
        query = topic_query(topic, [Language.EN], retrieve.analysis)
        async with retrieve.unit_of_work() as tx:
            [statistics] = (await tx[Knowledge].statistics(view, query.terms)).values()
        terms = query.terms[Language.EN]
        scorers.append((view, frozenset(terms), Bm25(terms, statistics, query.words)))
    best: list[list[Scored]] = [[] for _ in asked]
    async with await psycopg.AsyncConnection.connect(here.conninfo) as connection:
        ids = [id for (id,) in await (await connection.execute("SELECT id FROM kb_documents ORDER BY id")).fetchall()]
    for start in range(0, len(ids), _DOCUMENTS_AT_ONCE):
        async with retrieve.unit_of_work() as tx:
            passages = await tx[Knowledge].passages_of(ids[start : start + _DOCUMENTS_AT_ONCE])
        for at, (view, asked_for, scorer) in enumerate(scorers):
            scored = await asyncio.to_thread(_scored, view, asked_for, scorer, passages)
            best[at] = nlargest(limit, best[at] + scored, key=lambda each: each[0])
    return [{ref for _, ref in each} for each in best]


def _scored(view: KbView, terms: frozenset[str], scorer: Bm25, passages: Sequence[Passage]) -> list[Scored]:
    return [
        (scorer.score(passage), passage.ref)
        for passage in passages
        if view.sees(passage.document.scope)
        and not (terms.isdisjoint(passage.terms) and terms.isdisjoint(passage.head_terms))
    ]
