"""POST /documents/search: hybrid search over everything the tenant may read, with the spans of matching words."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.knowledge import PRIVATE, KbView, RankedPassage
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.knowledge.retrieve import Retrieve, Retrieved

MAX_QUERY: Final = 500
MAX_RESULTS: Final = 50
MAX_HIGHLIGHTS: Final = 50


@frozen
class Found:
    """A result. `highlights`: spans (start, end) in the passage's text of words of the query, in order."""

    ranked: RankedPassage
    highlights: tuple[tuple[int, int], ...]


@frozen
class SearchKnowledge:
    unit_of_work: UnitOfWork
    retrieve: Retrieve
    analysis: TextAnalysis

    async def __call__(self, caller: Caller, query: str, limit: int) -> tuple[Found, ...]:
        """The best passages of the tenant's private documents and of its activated niches, best first.

        Raises InvalidInput, ProviderFailed (embeddings), StaleIndex."""
        text = " ".join(query.split())
        if not text or len(text) > MAX_QUERY:
            raise InvalidInput.of("query", f"1 to {MAX_QUERY} characters")
        async with self.unit_of_work() as tx:
            niches = [niche for niche in await tx.niches.list(caller.tenant_id) if niche.activation is not None]
        activated = [
            KbView(niche.niche_key, caller.tenant_id, frozenset(niche.activation.countries))
            for niche in niches
            if niche.activation is not None
        ]
        retrieved = await self.retrieve(KbView(PRIVATE, caller.tenant_id), text, limit, also=activated)
        return await asyncio.to_thread(self._highlighted, retrieved)

    def _highlighted(self, retrieved: Retrieved) -> tuple[Found, ...]:
        return tuple(Found(ranked, self._spans(ranked, retrieved)) for ranked in retrieved.ranked)

    def _spans(self, ranked: RankedPassage, retrieved: Retrieved) -> tuple[tuple[int, int], ...]:
        language = ranked.passage.document.language
        asked = frozenset(retrieved.query.terms.get(language, ()))
        tokens = self.analysis.tokens(ranked.passage.text, language)
        spans = [(token.span.start, token.span.end) for token in tokens if token.term in asked]
        return tuple(spans[:MAX_HIGHLIGHTS])
