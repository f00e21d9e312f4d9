"""The contract of `Reranker`. Inherit `RerankerContract` in a test module and give it the fixture `reranker`."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentgen_core.ports.reranking import MAX_RERANKED, Reranker
from contentgen_core.testing.embedder import ODD_TEXTS

QUERY: Final = "heat pump efficiency"
PASSAGES: Final = (
    "Bread rises in a warm place.",
    "The efficiency of a heat pump falls with the outdoor temperature.",
    "A heat pump moves heat from outside into the house.",
    "Les pompes à chaleur",
    "熱ポンプ",
)


def same(some: list[float], others: list[float]) -> bool:
    """Equal up to the rounding of a batch's order of additions."""
    return len(some) == len(others) and all(abs(a - b) < 1e-4 for a, b in zip(some, others, strict=True))


class RerankerContract:
    def test_it_says_who_judges(self, reranker: Reranker) -> None:
        assert reranker.model

    async def test_every_passage_has_a_score_between_0_and_1(self, reranker: Reranker) -> None:
        scores = await reranker.relevance(QUERY, PASSAGES)
        assert len(scores) == len(PASSAGES)
        assert all(0.0 <= score <= 1.0 for score in scores)

    async def test_a_passage_on_the_query_scores_above_one_on_something_else(self, reranker: Reranker) -> None:
        elsewhere, answer, *_ = await reranker.relevance(QUERY, PASSAGES)
        assert answer > elsewhere

    async def test_scores_come_in_the_order_of_the_passages(self, reranker: Reranker) -> None:
        scores = await reranker.relevance(QUERY, PASSAGES)
        assert len(set(scores)) > 1
        assert same(await reranker.relevance(QUERY, PASSAGES[::-1]), scores[::-1])

    async def test_no_passage_gives_no_score(self, reranker: Reranker) -> None:
        assert await reranker.relevance(QUERY, []) == []

    async def test_as_many_as_allowed_are_judged_and_one_more_is_refused(self, reranker: Reranker) -> None:
        many = [f"passage {n} about {'heat ' * (n % 3)}" for n in range(MAX_RERANKED)]
        scores = await reranker.relevance(QUERY, many)
        assert len(scores) == MAX_RERANKED
        warm = min(score for n, score in enumerate(scores) if n % 3)
        assert warm > max(scores[::3])
        with pytest.raises(ValueError, match=str(MAX_RERANKED)):
            await reranker.relevance(QUERY, [*many, "one more"])

    async def test_concurrent_calls_do_not_mix(self, reranker: Reranker) -> None:
        queries = [QUERY, "warm bread", "house outside", "outdoor temperature"]
        alone = [await reranker.relevance(query, PASSAGES) for query in queries]
        together = await asyncio.gather(*(reranker.relevance(query, PASSAGES) for query in queries))
        assert all(same(a, b) for a, b in zip(alone, together, strict=True))

    async def test_odd_texts_are_no_error(self, reranker: Reranker) -> None:
        for query in ODD_TEXTS:
            assert len(await reranker.relevance(query, ODD_TEXTS)) == len(ODD_TEXTS)

    @settings(
        max_examples=30,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(query=st.text(max_size=100), passages=st.lists(st.text(max_size=200), max_size=5))
    async def test_any_text_has_a_score_between_0_and_1(
        self, reranker: Reranker, query: str, passages: list[str]
    ) -> None:
        scores = await reranker.relevance(query, passages)
        assert len(scores) == len(passages)
        assert all(0.0 <= score <= 1.0 for score in scores)
