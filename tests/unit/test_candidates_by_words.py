"""Of the many passages of a large view that an index finds about equally good, those that are best are looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.model.knowledge import IndexHit, KbView, Passage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.bm25 import REACH, Bm25, within_reach
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.testing import builders, strategies
from contentgen_core.use_cases.knowledge.candidate_search import BEST, DEEP, CandidateSearch

SCORES = st.lists(st.floats(0.0, 30.0), max_size=80).map(lambda scores: sorted(scores, reverse=True))
LIMIT = 30
TERMS = ("heat", "pump")
STATISTICS = TermStatistics(passages=1_000, mean_length=9.0, passages_with=dict.fromkeys(TERMS, 200))


@given(SCORES, st.integers(1, 30), st.integers(1, 60))
def test_reached_is_what_proximity_could_lift_among_the_best(scores: list[float], best: int, least: int) -> None:
    reached = within_reach(scores, best, least)
    assert min(least, len(scores)) <= reached <= len(scores)
    if len(scores) <= best:
        return
    needed = scores[best - 1] - REACH * scores[0]
    assert all(score < needed for score in scores[reached:])
    assert all(score >= needed for score in scores[least:reached])


@given(strategies.passages(), strategies.term_statistics(), st.lists(st.sampled_from(strategies.WORDS), unique=True))
def test_the_exact_score_is_the_same_alone(passage: Passage, statistics: TermStatistics, terms: list[str]) -> None:
    scorer = Bm25(terms, statistics, {})
    assert [scorer.score(passage)] == [match.exact for match in scorer.matches([passage])]


@given(
    st.lists(strategies.passages(), max_size=6),
    strategies.term_statistics(),
    st.lists(st.sampled_from(strategies.WORDS), unique=True),
)
def test_a_passage_matches_as_well_beside_others(
    passages: list[Passage], statistics: TermStatistics, terms: list[str]
) -> None:
    scorer = Bm25(terms, statistics, {})
    assert scorer.matches(passages) == [match for passage in passages for match in scorer.matches([passage])]


@frozen
class Falling:
    """An index that finds these, each a little less good than the one before."""

    passages: Sequence[Passage]
    step: float

    async def search(
        self, view: KbView, terms: Mapping[Language, Sequence[str]], vector: Vector | None, limit: int
    ) -> list[IndexHit]:
        found = [IndexHit(p.ref, 20.0 - self.step * n, None) for n, p in enumerate(self.passages)][:limit]
        return found[::-1]  # in no order that is promised


async def _found(step: float, best_at: int) -> tuple[CandidateSearch, Passage]:
    """A search of passages of which the one at this place has the words beside each other."""
    document = builders.kb_document()
    texts = ["heat a b c d e f g h pump"] * (DEEP * LIMIT)
    texts[best_at] = "heat pump a b c d e f g h"
    passages = [builders.passage(document, text, chunk_index=n) for n, text in enumerate(texts)]
    unit_of_work = MemoryUnitOfWork()
    async with unit_of_work() as tx:
        await tx[Knowledge].add([(document, passages)])
    index = Falling(passages, step)
    view = KbView(builders.NICHE_KEY)
    search = CandidateSearch(unit_of_work, index, view, LIMIT, asyncio.Semaphore(1))  # type: ignore[arg-type]
    await search.by_words({Language.EN: TERMS})
    return search, passages[best_at]


@pytest.mark.parametrize("best_at", [0, LIMIT, DEEP * LIMIT - 1])
async def test_passages_that_are_about_equally_good_are_scored_again(best_at: int) -> None:
    search, best = await _found(0.001, best_at)
    assert search.has_more
    search.keep_best({Language.EN: Bm25(TERMS, STATISTICS, {})})
    found = search.candidates()
    assert len(found) == LIMIT
    assert found[0].passage == best


async def test_no_more_are_read_where_scores_fall() -> None:
    search, best = await _found(20.0 * REACH / (LIMIT - BEST), LIMIT)
    assert not search.has_more
    assert len(search.candidates()) == LIMIT
    assert best not in [candidate.passage for candidate in search.candidates()]


async def test_a_passage_in_a_language_that_was_not_asked_for_comes_last() -> None:
    search, _ = await _found(0.001, 0)
    search.keep_best({})
    assert len(search.candidates()) == LIMIT
