"""The search index of the knowledge base and the embeddings in it. The truth is in the unit of work: an index only
names passages, and a reader loads them from the truth, which drops whatever is dead or not visible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from attrs import frozen

from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import IndexHit, KbView, Passage
from contentgen_core.model.vocabulary import Language

Vector = Sequence[float]


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    @property
    def model(self) -> str:
        """Names the vector space: two models never share a name."""
        ...

    @property
    def dimension(self) -> int: ...

    @property
    def embedding_weight(self) -> float:
        """How far a fusion may rely on nearness in this space, 0..1, in a language that the embedder knows: a trained
        model 1, hashed n-grams, which know none, little."""
        ...

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        """One vector a text, in order. Raises ProviderFailed, NotConfigured."""
        ...


@frozen
class IndexedPassage:
    passage: Passage
    vector: Vector


class PassageIndex(Protocol):
    """Hybrid candidates. Cannot cross tenants: the view is part of every search."""

    async def upsert(self, passages: Sequence[IndexedPassage]) -> None:
        """Add or replace by ref. Idempotent. Raises StaleIndex when the index was built with another model."""
        ...

    async def remove(self, documents: Sequence[DocumentId]) -> None:
        """Forget all passages of these documents. Idempotent; unknown ids are fine."""
        ...

    async def search(
        self, view: KbView, terms: Mapping[Language, Sequence[str]], vector: Vector | None, limit: int
    ) -> list[IndexHit]:
        """At most `limit` of the lexically best and `limit` of the nearest passages that the view sees, joined by ref;
        the lexical side is a union over languages. No terms and no vector: nothing. Raises StaleIndex."""
        ...

    async def clear(self) -> None:
        """Drop everything and start with the present embedding model (a rebuild follows)."""
        ...

    async def is_empty(self) -> bool:
        """Whether it holds no passage at all. Raises StaleIndex, Unavailable."""
        ...

    async def optimize(self) -> None:
        """Fold recent writes into the indices. Never disturbs readers or writers; called from one place."""
        ...

    async def check(self) -> None:
        """Raises StaleIndex or Unavailable when a search could not be answered."""
        ...
