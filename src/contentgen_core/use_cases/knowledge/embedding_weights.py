"""The weight of the cosine in each language, by a test of whether the embedder models the language."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.ports.knowledge_base import Embedder, Vector

SPELLING_WEIGHT: Final = 0.25
"""The weight of a cosine that reflects spelling only: names and related words are near each other in any language."""


class EmbeddingWeights:
    """Tests an embedder once per language, when it is first needed, by pairing sentences with their paraphrases. An
    English model pairs all of them in English and almost none in French, where its cosine must not outweigh words.

    The weight is a share of pairs, so that no threshold has to be chosen; it is never below SPELLING_WEIGHT, and an
    embedder that claims no more is not tested. Results are kept in memory for as long as this object lives."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[Language, float] = {}

    async def __call__(self, languages: Collection[Language]) -> Mapping[Language, float]:
        """The weight, in 0..1, in each language: the embedder's own weight times the share of pairs it finds.

        Raises ProviderFailed, NotConfigured, as embedding does; the next call then tests again."""
        most = self._embedder.embedding_weight
        if most <= SPELLING_WEIGHT:
            return dict.fromkeys(languages, most)
        for language in [language for language in languages if language not in self._known]:
            pairs = PARAPHRASES[language]
            ones = await self._embedder.embed([one for one, _ in pairs], "query")
            others = await self._embedder.embed([other for _, other in pairs], "passage")
            self._known[language] = max(SPELLING_WEIGHT, most * paired_share(ones, others))
        return {language: self._known[language] for language in languages}


def paired_share(ones: Sequence[Vector], others: Sequence[Vector]) -> float:
    """The share, in 0..1, of vectors that are nearer to their partner, at the same index of the other list, than to all
    others there, counted in both directions. All vectors are of unit length; ties do not count."""
    nearness = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in others] for one in ones]
    found = 0
    for table in (nearness, list(zip(*nearness, strict=True))):
        for place, row in enumerate(table):
            found += all(row[place] > near for at, near in enumerate(row) if at != place)
    return found / (2 * len(ones)) if ones else 0.0
