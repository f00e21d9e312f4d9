"""How near in meaning drafted sentences are to what they cite, by the embedder of the knowledge base."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from statistics import fmean
from typing import Final, Literal

from attrs import field, frozen

from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.nearness import Nearness, cosine, is_compared
from contentgen_core.policies.grounding.verifier import Receipts, Verifier
from contentgen_core.policies.retrieval.nearness import SPELLING_WEIGHT
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.ports.knowledge_base import Embedder, Vector
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights

DIGITS: Final = 3
"""Of the cosine of unrelated sentences."""


@frozen
class Meaning:
    """`weights`: whether the embedder models a language. What unrelated sentences of a language have as their cosine is
    measured once, and kept for as long as this object lives."""

    embedder: Embedder
    weights: EmbeddingWeights
    _unrelated: dict[Language, float] = field(factory=dict, init=False)

    async def nearness(self, verifier: Verifier, receipts: Receipts, language: Language) -> Nearness | None:
        """For the sentences that it says more about, all in two calls; None where there are none, or where the embedder
        does not model the language. Raises ProviderFailed, NotConfigured.

        `verifier`: the one that made the receipts.
        """
        compared = [sentence for sentence, found in receipts.items() if is_compared(sentence, found)]
        if not compared or not await self.models(language):
            return None
        evidence = await asyncio.to_thread(_evidence, verifier, compared, language)
        return Nearness(
            claims=await self._vectors("query", list(dict.fromkeys(sentence.text for sentence in compared))),
            evidence=await self._vectors("passage", evidence),
            unrelated=await self.unrelated(language),
        )

    async def models(self, language: Language) -> bool:
        """Whether the embedder's cosines mean meaning in this language. Raises ProviderFailed, NotConfigured."""
        most = self.embedder.embedding_weight
        return most > SPELLING_WEIGHT and (await self.weights([language]))[language] >= most

    async def unrelated(self, language: Language) -> float:
        """The mean cosine of everyday sentences about different things. Raises ProviderFailed, NotConfigured."""
        if language not in self._unrelated:
            pairs = PARAPHRASES[language]
            ones = await self.embedder.embed([one for one, _ in pairs], "query")
            others = await self.embedder.embed([other for _, other in pairs], "passage")
            apart = [cosine(one, other) for i, one in enumerate(ones) for j, other in enumerate(others) if i != j]
            self._unrelated[language] = round(fmean(apart), DIGITS)
        return self._unrelated[language]

    async def _vectors(self, kind: Literal["passage", "query"], texts: Sequence[str]) -> dict[str, Vector]:
        return dict(zip(texts, await self.embedder.embed(texts, kind), strict=True))


def _evidence(verifier: Verifier, sentences: Sequence[DraftSentence], language: Language) -> list[str]:
    return list(dict.fromkeys(text for sentence in sentences for text in verifier.evidence(sentence, language)))
