"""Comparing topics by meaning, where the embedder models it; else they are left as they are."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.policies.text.nearness import cosine, models_meaning
from contentgen_core.policies.topics.meaning import are_same, may_be_same
from contentgen_core.ports.knowledge_base import Embedder, Vector
from contentgen_core.use_cases.use_case import use_case

MAX_COMPARED: Final = 200
"""Topics that are compared at once: 4 ms for each that is new."""
_KEPT: Final = 2_000
"""Vectors kept in memory, 2 KB each: an agent compares the same topics each time."""


@use_case
class TopicMeaning:
    """Embeds the topics it compares: no transaction may be open meanwhile. Where embedding fails, none are alike."""

    embedder: Embedder
    _vectors: OrderedDict[str, Vector] = field(factory=OrderedDict, init=False)

    @property
    def known(self) -> bool:
        """Whether the embedder models meaning."""
        return models_meaning(self.embedder.embedding_weight)

    async def same(self, topic: str, others: Sequence[str]) -> str | None:
        """Return the first of the first MAX_COMPARED others that means the topic in other words or another language."""
        compared = [other for other in others[:MAX_COMPARED] if may_be_same(topic, other)]
        vectors = await self._vectors_of([topic, *compared]) if compared else {}
        return await asyncio.to_thread(_first_same, topic, compared, vectors) if vectors else None

    async def distinct(self, topics: Sequence[str]) -> tuple[str, ...]:
        """The topics without those that are an earlier one in other words. Those beyond MAX_COMPARED are kept."""
        vectors = await self._vectors_of(topics[:MAX_COMPARED])
        return await asyncio.to_thread(_distinct, topics, vectors) if vectors else tuple(topics)

    async def vectors_of(self, texts: Sequence[str]) -> Mapping[str, Vector]:
        """The vectors of a few texts, embedded as topics are; none where the embedder models no meaning, or fails."""
        return await self._vectors_of(texts)

    async def nearest_first(self, topic: str, others: Sequence[str]) -> tuple[str, ...]:
        """The others, the nearest to the topic first; in their order where the embedder does not tell."""
        vectors = await self._vectors_of([topic, *others[:MAX_COMPARED]])
        if not vectors:
            return tuple(others)
        near = {other: cosine(vectors[topic], vectors[other]) for other in others if other in vectors}
        return tuple(sorted(others, key=lambda other: -near.get(other, -1.0)))

    async def _vectors_of(self, topics: Sequence[str]) -> Mapping[str, Vector]:
        """Return the vectors of the topics; none where the embedder models no meaning, or fails."""
        if not self.known:
            return {}
        vectors = {topic: self._vectors[topic] for topic in topics if topic in self._vectors}
        lacking = [topic for topic in dict.fromkeys(topics) if topic not in vectors]
        if lacking:
            try:
                vectors |= zip(lacking, await self.embedder.embed(lacking, "query"), strict=True)
            except (ProviderFailed, NotConfigured):
                return {}
        for topic, vector in vectors.items():
            self._vectors[topic] = vector
            self._vectors.move_to_end(topic)
        while len(self._vectors) > _KEPT:
            self._vectors.popitem(last=False)
        return vectors


def _first_same(topic: str, others: Sequence[str], vectors: Mapping[str, Vector]) -> str | None:
    return next((other for other in others if are_same(vectors[topic], vectors[other])), None)


def _distinct(topics: Sequence[str], vectors: Mapping[str, Vector]) -> tuple[str, ...]:
    kept: list[str] = []
    for topic in topics:
        compared = [other for other in kept if other in vectors and may_be_same(topic, other)]
        if topic not in vectors or _first_same(topic, compared, vectors) is None:
            kept.append(topic)
    return tuple(kept)
