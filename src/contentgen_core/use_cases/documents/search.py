"""POST /documents/search and GET /kb/search: hybrid search over what the tenant may read. It says why each passage was
found, which of its sentences is nearest, and where the words of the query are."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from attrs import frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import KbView, RankedPassage
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import Span, TextAnalysis
from contentgen_core.policies.retrieval.found_by import FoundBy, found_by, shares_of_meaning
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.context import all_views, context_of_agent_or_niche
from contentgen_core.use_cases.documents.nearest_sentences import NearestSentences
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.knowledge.retrieved import Retrieved
from contentgen_core.use_cases.use_case import use_case

MAX_QUERY: Final = 500
MAX_RESULTS: Final = 50
MAX_HIGHLIGHTS: Final = 50


@frozen
class Found:
    """A result. `sentence`: the one of the passage's text that is nearest to the query, None where none is near;
    `highlights`: spans (start, end) in the passage's text of words of the query, in order. `meaning`: how near the
    passage is to the query among all that were looked at, as `policies.retrieval.found_by.shares_of_meaning`."""

    ranked: RankedPassage
    found_by: FoundBy
    sentence: Span | None
    highlights: tuple[tuple[int, int], ...]
    meaning: float | None = None


@use_case
class SearchKnowledge:
    unit_of_work: UnitOfWork
    retrieve: Retrieve
    nearest_sentences: NearestSentences
    analysis: TextAnalysis

    async def __call__(
        self, caller: Caller, query: str, limit: int, agent_key: str | None = None, niche_key: str | None = None
    ) -> tuple[Found, ...]:
        """The best passages, best first: of the tenant's private documents and of its activated niches, or of the
        knowledge base of the agent or niche (by its key or id) alone.

        Raises InvalidInput, StaleIndex, Unavailable, and NotFound for the agent and the niche."""
        text = " ".join(query.split())
        if not text or len(text) > MAX_QUERY:
            raise InvalidInput.of("query", f"1 to {MAX_QUERY} characters")
        view, *also = await self._views(caller, agent_key, niche_key)
        retrieved = await self.retrieve.to_show(view, text, limit, also)
        sentences = await self.nearest_sentences(retrieved)
        return await asyncio.to_thread(self._to_found, retrieved, sentences)

    async def _views(self, caller: Caller, agent_key: str | None, niche_key: str | None) -> list[KbView]:
        async with self.unit_of_work() as tx:
            if agent_key is not None or niche_key is not None:
                return [(await context_of_agent_or_niche(tx, caller.tenant_id, agent_key, niche_key)).view]
            return await all_views(tx, caller.tenant_id)

    def _to_found(self, retrieved: Retrieved, sentences: Mapping[SourceRef, Span]) -> tuple[Found, ...]:
        reasons = found_by(retrieved.candidates, retrieved.embedding_weight)
        shares = shares_of_meaning(retrieved.candidates, retrieved.embedding_weight)
        known = zip(retrieved.candidates, reasons, shares, strict=True)
        by_ref = {candidate.passage.ref: (reason, share) for candidate, reason, share in known}
        found = []
        for ranked in retrieved.ranked:
            reason, share = by_ref[ranked.ref]
            found.append(Found(ranked, reason, sentences.get(ranked.ref), self._spans(ranked, retrieved), share))
        return tuple(found)

    def _spans(self, ranked: RankedPassage, retrieved: Retrieved) -> tuple[tuple[int, int], ...]:
        language = ranked.passage.document.language
        asked = frozenset(retrieved.query.terms.get(language, ()))
        tokens = self.analysis.tokens(ranked.passage.text, language)
        spans = [(token.start, token.end) for token in tokens if token.term in asked]
        return tuple(spans[:MAX_HIGHLIGHTS])
