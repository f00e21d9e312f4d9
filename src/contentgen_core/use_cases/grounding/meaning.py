"""Compute the nearness in meaning of drafted sentences to the texts they cite, by the embedder of the knowledge
base."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean
from typing import Final, Literal

from attrs import field

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.nearness import Compared, Nearness, is_compared
from contentgen_core.policies.grounding.verifier import Receipts, Verifier
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.policies.text.nearness import cosine, models_meaning
from contentgen_core.ports.knowledge_base import Embedder, Vector
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.use_case import use_case

DIGITS: Final = 3
"""Of the cosine of unrelated sentences."""


@use_case
class Meaning:
    """`weights`: whether the embedder models a language. What unrelated sentences and words of a language have as their
    cosine is measured once, and kept for as long as this object lives."""

    embedder: Embedder
    weights: EmbeddingWeights
    _unrelated: dict[tuple[Language, Language], float] = field(factory=dict, init=False)
    _unrelated_words: dict[Language, float] = field(factory=dict, init=False)

    async def nearness(self, verifier: Verifier, receipts: Receipts, language: Language) -> Nearness | None:
        """Return the nearness for the sentences that it helps to judge, in two calls, one more where single words are
        compared, and one for each other language of a passage; None where there are none, or where the embedder does
        not model the language. Raises ProviderFailed, NotConfigured. `verifier`: the one that made the receipts."""
        compared = [sentence for sentence, found in receipts.items() if is_compared(sentence, found)]
        if not compared or not await self.models(language):
            return None
        known = [other for other in verifier.languages(compared) if await self.models(other)]
        asked = await asyncio.to_thread(verifier.compared, compared, language, known)
        own = asked.pop(language, Compared((), ()))
        return Nearness(
            claims=await self._vectors("query", own.claims),
            evidence=await self._vectors("passage", own.evidence),
            unrelated=await self.unrelated(language, language),
            foreign={other: await self._foreign(language, other, texts) for other, texts in asked.items()},
            words=await self._words(verifier.everyday_words(language), own.words, language) if own.words else None,
        )

    async def _foreign(self, language: Language, other: Language, texts: Compared) -> Nearness:
        # Both as questions: a translation is the same text, and not an answer to it.
        vectors = await self._vectors("query", list(dict.fromkeys((*texts.claims, *texts.evidence))))
        return Nearness(vectors, vectors, await self.unrelated(language, other))

    async def _words(self, everyday: Sequence[str], compared: Sequence[str], language: Language) -> Nearness:
        """Return the nearness of single words. `everyday`: words of different things."""
        if language not in self._unrelated_words:
            apart = combinations((await self._vectors("query", everyday)).values(), 2)
            self._unrelated_words[language] = round(fmean(cosine(one, other) for one, other in apart), DIGITS)
        vectors = await self._vectors("query", compared)
        return Nearness(vectors, vectors, self._unrelated_words[language])

    async def of_sentences(self, sentences: Sequence[str], language: Language) -> dict[str, Vector]:
        """Return the vectors of sentences of an article, by their text; none where the embedder fails or does not model
        the language."""
        try:
            return await self._vectors("query", sentences) if sentences and await self.models(language) else {}
        except ProviderFailed:
            return {}

    async def models(self, language: Language) -> bool:
        """Whether the embedder's cosines mean meaning in this language. Raises ProviderFailed, NotConfigured."""
        most = self.embedder.embedding_weight
        return models_meaning(most) and (await self.weights([language]))[language] >= most

    async def unrelated(self, language: Language, other: Language) -> float:
        """Return the mean cosine of everyday sentences about different things, one in each language. Raises
        ProviderFailed, NotConfigured."""
        if (language, other) not in self._unrelated:
            kind: Literal["passage", "query"] = "passage" if language is other else "query"
            ones = await self.embedder.embed([one for one, _ in PARAPHRASES[language]], "query")
            others = await self.embedder.embed([paraphrase for _, paraphrase in PARAPHRASES[other]], kind)
            apart = [cosine(one, two) for i, one in enumerate(ones) for j, two in enumerate(others) if i != j]
            self._unrelated[language, other] = round(fmean(apart), DIGITS)
        return self._unrelated[language, other]

    async def _vectors(self, kind: Literal["passage", "query"], texts: Sequence[str]) -> dict[str, Vector]:
        return dict(zip(texts, await self.embedder.embed(texts, kind), strict=True)) if texts else {}
