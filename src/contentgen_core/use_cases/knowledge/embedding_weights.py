"""The weight of the cosine in each language, by a test of whether the embedder models the language."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Final

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.policies.text.nearness import SPELLING_WEIGHT, NearnessScale, cosine, models_meaning
from contentgen_core.ports.knowledge_base import Embedder, Vector

UNKNOWN_SHARE: Final = 0.25
"""The share of pairs that an English model finds at most in another language."""
KNOWN_SHARE: Final = 0.5
"""The share of pairs from which on a model knows a language. Eight pairs tell whether it does, not how well: one that
was trained on a hundred languages pairs .56 of them in Czech and .81 in French, where all of its weight ranks best."""

SCALE_LANGUAGE: Final = Language.EN
"""The language whose pairs measure the scale: all models know it, and one scale serves all languages of a model."""
MIN_SCALE: Final = 0.02
"""The least by which paraphrases are nearer than other sentences, for a scale."""


class EmbeddingWeights:
    """Tests an embedder once per language, when it is first needed, by pairing sentences with their paraphrases. An
    English model pairs all of them in English and almost none in French, where its cosine must not outweigh words.

    The weight rises from UNKNOWN_SHARE to the embedder's own at KNOWN_SHARE; it is never below SPELLING_WEIGHT, and an
    embedder that claims no more is not tested. Results are kept in memory for as long as this object lives."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[Language, float] = {}
        self._scales: dict[Language, NearnessScale] = {}

    async def __call__(self, languages: Collection[Language]) -> Mapping[Language, float]:
        """The weight, in 0..1, in each language: the embedder's own, as far as it knows the language.

        Raises ProviderFailed, NotConfigured, as embedding does; the next call then tests again."""
        most = self._embedder.embedding_weight
        if not models_meaning(most):
            return dict.fromkeys(languages, most)
        for language in [language for language in languages if language not in self._known]:
            pairs = PARAPHRASES[language]
            ones = await self._embedder.embed([one for one, _ in pairs], "query")
            others = await self._embedder.embed([other for _, other in pairs], "passage")
            known = (paired_share(ones, others) - UNKNOWN_SHARE) / (KNOWN_SHARE - UNKNOWN_SHARE)
            self._scales[language] = scale_of(ones, others)
            self._known[language] = max(SPELLING_WEIGHT, most * min(1.0, known))
        return {language: self._known[language] for language in languages}

    async def scale(self) -> NearnessScale | None:
        """The scale of the embedder's cosines; None where they do not tell paraphrases from other sentences.

        Raises ProviderFailed, NotConfigured."""
        weights = await self([SCALE_LANGUAGE])
        if not models_meaning(weights[SCALE_LANGUAGE]):
            return None
        scale = self._scales[SCALE_LANGUAGE]
        return scale if scale.paraphrased - scale.unrelated >= MIN_SCALE else None


def scale_of(ones: Sequence[Vector], others: Sequence[Vector]) -> NearnessScale:
    """Return the scale from at least two vectors of unit length and those of their paraphrases, at the same index of
    the other list."""
    table = _cosines(ones, others)
    apart = [cosine for place, row in enumerate(table) for at, cosine in enumerate(row) if at != place]
    return NearnessScale(fmean(apart), fmean(row[place] for place, row in enumerate(table)))


def _cosines(ones: Sequence[Vector], others: Sequence[Vector]) -> list[list[float]]:
    return [[cosine(one, other) for other in others] for one in ones]


def paired_share(ones: Sequence[Vector], others: Sequence[Vector]) -> float:
    """The share, in 0..1, of vectors that are nearer to their partner, at the same index of the other list, than to all
    others there, counted in both directions. All vectors are of unit length; ties do not count."""
    nearness = _cosines(ones, others)
    found = 0
    for table in (nearness, list(zip(*nearness, strict=True))):
        for place, row in enumerate(table):
            found += all(row[place] > near for at, near in enumerate(row) if at != place)
    return found / (2 * len(ones)) if ones else 0.0
