"""Let a cross-encoder, where there is one, read again what words and vectors have found."""

from __future__ import annotations

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.policies.retrieval.reranking import reranked
from contentgen_core.ports.reranking import MAX_RERANKED, Reranker

# So many passages are read again for each one that is wanted: what words place somewhat too low can still come in.
READ_PER_WANTED = 2


def to_read(reranker: Reranker | None, limit: int) -> int:
    """How many passages a ranking has to give so that `reread` can choose `limit` of them."""
    return limit if reranker is None else max(limit, min(READ_PER_WANTED * limit, MAX_RERANKED))


async def reread(
    reranker: Reranker | None, query: str, found: tuple[RankedPassage, ...], limit: int
) -> tuple[RankedPassage, ...]:
    """At most `limit` of `found`, in the order that words and the cross-encoder agree on; in the given one where there
    is no cross-encoder, or where it fails, which it has told its operator. Call it outside any transaction."""
    limit = max(limit, 0)
    if reranker is None or len(found) < 2:
        return found[:limit]
    try:
        scores = await reranker.relevance(query, [_shown(ranked.passage) for ranked in found[:MAX_RERANKED]])
    except (ProviderFailed, NotConfigured):
        return found[:limit]
    return reranked(found, scores)[:limit]


def _shown(passage: Passage) -> str:
    """What is embedded is also what is read."""
    return "\n".join(filter(None, (passage.document.title, passage.heading, passage.text)))
