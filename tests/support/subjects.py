"""An embedder whose vectors are subjects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final, Literal

from attrs import define, field

from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.knowledge_base import Vector

OTHERS: Final = 64  # numbers of the vectors of texts that name no subject


@define
class Subjects:
    """An embedder that knows subjects. `subjects`: the words that name each. A text has the vector of the first that it
    names, or one of its own, near none. `near`: how near each is to the first. `texts`: that it embedded.
    """

    subjects: Mapping[str, Sequence[str]]
    fails: bool = False
    embedding_weight: float = 1.0
    near: Mapping[str, float] = field(factory=dict)
    texts: list[str] = field(factory=list)
    model: str = "subjects"

    @property
    def dimension(self) -> int:
        return len(self.subjects) + OTHERS

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        self.texts += texts
        if self.fails:
            raise ProviderFailed("subjects", "is away", retryable=True)
        return [self._vector(text.casefold()) for text in texts]

    def _vector(self, text: str) -> Vector:
        for place, (subject, words) in enumerate(self.subjects.items()):
            if any(word in text for word in words):
                share = self.near.get(subject, 0.0)
                vector = [0.0] * self.dimension
                vector[place] = (1 - share**2) ** 0.5
                vector[0] = 1.0 if place == 0 else share
                return vector
        digest = sha256(text.encode()).digest()
        signs = [1.0 if digest[place // 8] >> place % 8 & 1 else -1.0 for place in range(OTHERS)]
        return [0.0] * len(self.subjects) + [sign / OTHERS**0.5 for sign in signs]
