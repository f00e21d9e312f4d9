"""The search index of the knowledge base, and embeddings. The database is authoritative: the index only names passages,
and the reader loads them from the database, which omits those that are deleted or not visible."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, Protocol

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import IndexHit, KbView, Passage, VectorSpace
from contentgen_core.model.vocabulary import Language

Vector = Sequence[float]


class Embedder(Protocol):
    """Embeds texts as vectors of unit length."""

    @property
    def model(self) -> str:
        """The name of the vector space: two models never share one."""
        ...

    @property
    def dimension(self) -> int:
        """The number of components of a vector."""

    @property
    def embedding_weight(self) -> float:
        """The share of the cosine in a fusion with words, in 0..1, in a language of the model: 1 for a trained model,
        little for hashed n-grams, which model no language."""
        ...

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        """Return a vector for each text, in order. Raises ProviderFailed, NotConfigured."""
        ...


def space_of(embedder: Embedder) -> VectorSpace:
    """Return the space of the embedder's vectors."""
    return VectorSpace(embedder.model, embedder.dimension)


@frozen
class FormerModel:
    """A model that may have been used before. Its vectors serve while those of the present one are made. `index`: the
    same passages, searched by the vectors of this model."""

    embedder: Embedder
    index: PassageIndex


@frozen
class IndexCounts:
    """`passages`: how many the index shows by their words. `vectors`: how many of the present model it has."""

    passages: int
    vectors: int


@frozen
class IndexedPassage:
    """A passage with its vector."""

    passage: Passage
    vector: Vector


class PassageIndex(Protocol):
    """Hybrid search: by words, and by the vectors of one embedding model, the present one. Those of other models may be
    in the store as well; they are not searched. Results cannot cross tenants: the view is part of every search."""

    async def upsert(self, passages: Sequence[Passage]) -> None:
        """Add or replace by ref: found by words from now on. Idempotent."""
        ...

    async def upsert_vectors(self, passages: Sequence[IndexedPassage]) -> None:
        """Add or replace the vectors of the present model by ref: found by nearness from now on. Idempotent. Raises
        ValueError for a vector of another dimension."""
        ...

    async def remove(self, documents: Sequence[DocumentId]) -> None:
        """Remove all passages of these documents, with their vectors of any model. Idempotent; unknown ids are
        ignored."""
        ...

    async def retain(self, document: DocumentId, chunk_indexes: Collection[int]) -> None:
        """Remove the passages of this document that have none of these indexes, with their vectors of any model."""
        ...

    async def search(
        self, view: KbView, terms: Mapping[Language, Sequence[str]], vector: Vector | None, limit: int
    ) -> list[IndexHit]:
        """Return at most `limit` passages of the view by words and `limit` by cosine, joined by ref; the words are a
        union over languages. Without terms and vector: none. Raises StaleIndex, and ValueError for a vector of another
        dimension."""
        ...

    async def nearest(self, view: KbView, vectors: Sequence[Vector], limit: int) -> list[list[IndexHit]]:
        """Return for each vector at most `limit` passages of the view by cosine, best first: for work over many
        passages, which may miss one that `search` would find, and takes a fraction of the time. At most 100 vectors.
        Raises StaleIndex, Unavailable, and ValueError for a vector of another dimension."""
        ...

    async def vectors(self, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
        """The vectors of the present model of these passages, at most 2,000; those without one are left out. The caller
        has made sure that they are visible. Raises StaleIndex, Unavailable."""
        ...

    async def clear(self) -> None:
        """Remove everything, the vectors of all models too (a rebuild follows)."""
        ...

    async def clear_vectors(self, model: str, dimension: int) -> None:
        """Remove the vectors of a model that is no longer used. Idempotent."""
        ...

    async def is_empty(self) -> bool:
        """Whether it has no passage. Raises StaleIndex, Unavailable."""
        ...

    async def has_vectors(self) -> bool:
        """Whether it has a vector of the present model. Raises Unavailable."""
        ...

    async def optimize(self) -> None:
        """Merge recent writes into the indices. Blocks neither readers nor writers; called from one process only."""
        ...

    async def check(self) -> None:
        """Check that a search could be answered. Raises StaleIndex or Unavailable."""
        ...

    async def verify(self) -> IndexCounts:
        """Check the index as a newly started process would, and count its content: reads the store, whatever this
        process has in memory. Raises StaleIndex or Unavailable."""
        ...
