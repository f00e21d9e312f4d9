"""Reranking the passages of a search with a cross-encoder, where one is configured."""

from __future__ import annotations

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.policies.retrieval.reranking import apply_rerank_scores
from contentgen_core.ports.reranking import MAX_RERANKED, Reranker

# Passages to rerank per result, so that one which words rank somewhat too low can still be a result.
CANDIDATES_PER_RESULT = 2


def candidates_to_rank(reranker: Reranker | None, limit: int) -> int:
    """Return how many passages the first ranking has to give so that `rerank` can choose `limit` of them."""
    return limit if reranker is None else max(limit, min(CANDIDATES_PER_RESULT * limit, MAX_RERANKED))


async def rerank(
    reranker: Reranker | None, query: str, found: tuple[RankedPassage, ...], limit: int
) -> tuple[RankedPassage, ...]:
    """Return at most `limit` of `found`, ordered by words and cross-encoder together; in the given order where there is
    no cross-encoder or it fails (which the adapter has logged). Call it outside any transaction."""
    limit = max(limit, 0)
    if reranker is None or len(found) < 2:
        return found[:limit]
    try:
        scores = await reranker.relevance(query, [ranked.passage.with_titles() for ranked in found[:MAX_RERANKED]])
    except (ProviderFailed, NotConfigured):
        return found[:limit]
    return apply_rerank_scores(found, scores)[:limit]
