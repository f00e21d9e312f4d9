"""Score the same search by simple systems: one figure each, higher for topics that they take to be covered. They see
the same candidates as the product.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Final

from contentgen_core.model.knowledge import KbView
from contentgen_core.policies.retrieval.bm25 import idf
from contentgen_core.policies.retrieval.ranking import topic_query
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.knowledge.retrieve import CANDIDATES_PER_SIDE, Retrieve

FIXED_COSINE: Final = 0.35
"""Passages nearer than this are counted: 44 % of the covered titles of XQuAD have one, 1 % of the others."""
BEST: Final = 5
_K1_PLUS_ONE: Final = 2.2  # the index's BM25 with k1 = 1.2: a term adds at most idf · (k1 + 1)

NAMES: Final = (
    "best cosine",
    "mean of 5 cosines",
    f"passages over cosine {FIXED_COSINE}",
    "best BM25",
    "BM25 over bound",
)


async def simple_scores(retrieve: Retrieve, view: KbView, text: str) -> Mapping[str, float]:
    """Return the scores by the names above."""
    async with retrieve.unit_of_work() as tx:
        query = topic_query(text, await tx[Knowledge].languages(view), retrieve.analysis)
        statistics = await tx[Knowledge].statistics(view, query.terms)
    [vector] = await retrieve.embedder.embed([text], "query")
    hits = await retrieve.index.search(view, query.terms, vector, CANDIDATES_PER_SIDE)
    cosines = sorted((hit.cosine for hit in hits if hit.cosine is not None), reverse=True) or [0.0]
    best = max((hit.text_score for hit in hits), default=0.0)
    bound = max(
        (sum(idf(term, statistics[language]) for term in terms) for language, terms in query.terms.items()),
        default=0.0,
    )
    return {
        "best cosine": cosines[0],
        "mean of 5 cosines": fmean(cosines[:BEST]),
        f"passages over cosine {FIXED_COSINE}": float(sum(cosine > FIXED_COSINE for cosine in cosines)),
        "best BM25": best,
        "BM25 over bound": best / (_K1_PLUS_ONE * bound) if bound else 0.0,
    }
