"""How far nearness counts in each language: an embedder has to show that it knows the language."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.ports.knowledge_base import Embedder, Vector

SPELLING: Final = 0.25
"""What nearness is worth that comes of spelling alone: names and words of one family lie near in any language."""


class EmbeddingWeights:
    """Asks an embedder once for each language, when it is first needed, to pair sentences with their paraphrases. An
    English model finds all partners in English and next to none in French, where its cosine must not outvote words.

    A share of the pairs, so that no threshold has to be right; never below what spelling is worth, and no test for an
    embedder that claims no more. What was found is kept in memory for as long as this object lives."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[Language, float] = {}

    async def __call__(self, languages: Collection[Language]) -> Mapping[Language, float]:
        """What nearness weighs, 0..1, in each language: the embedder's own weight, times what it knows of the language.

        Raises ProviderFailed, NotConfigured, as embedding does; the next call then asks again.
        """
        most = self._embedder.embedding_weight
        if most <= SPELLING:
            return dict.fromkeys(languages, most)
        for language in [language for language in languages if language not in self._known]:
            pairs = PARAPHRASES[language]
            ones = await self._embedder.embed([one for one, _ in pairs], "query")
            others = await self._embedder.embed([other for _, other in pairs], "passage")
            self._known[language] = max(SPELLING, most * paired(ones, others))
        return {language: self._known[language] for language in languages}


def paired(ones: Sequence[Vector], others: Sequence[Vector]) -> float:
    """The share of vectors whose partner, in the same place of the other list, is nearer than all others there, looked
    at from both sides. Of unit length all; two that are equally near are no pair."""
    nearness = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in others] for one in ones]
    found = 0
    for table in (nearness, list(zip(*nearness, strict=True))):
        for place, row in enumerate(table):
            found += all(row[place] > near for at, near in enumerate(row) if at != place)
    return found / (2 * len(ones)) if ones else 0.0
