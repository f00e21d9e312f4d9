"""`PassageIndex` in memory: every visible passage is compared, so its answers are exact."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from math import log
from typing import Final

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import IndexHit, KbScope, KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import IndexCounts, IndexedPassage, Vector

MAX_TERMS: Final = 64
"""Of one language in one search."""

_HEAD_WEIGHT: Final = 2  # terms of title and heading count twice
_K1: Final = 1.2
_B: Final = 0.75
_FIRST_SLOTS: Final = 64

Term = tuple[Language, str]
Floats = NDArray[np.float32]


class MemoryIndex:
    """Lexical score: BM25 (Robertson & Zaragoza 2009, eq. 3.15, with k1 = 1.2 and b = 0.75), its statistics those of
    the passages the view sees. Nearness: the cosine, over all of them.

    Without a dimension it takes that of the first vector: an index that ends with its process meets one embedder only.
    """

    def __init__(self, embedder_model: str = "", dimension: int | None = None) -> None:
        self._model, self._dimension = embedder_model, dimension
        self._rows = _Rows()

    def reopened(self, embedder_model: str, dimension: int) -> MemoryIndex:
        """The same stored rows as another process sees them, which may be set up with another model."""
        other = MemoryIndex(embedder_model, dimension)
        other._rows = self._rows
        return other

    async def upsert(self, passages: Sequence[Passage]) -> None:
        for passage in passages:
            if passage.document.scope.tenant_id == "":
                raise ValueError("a tenant's id is never empty")
        for passage in passages:
            self._rows.put(passage)

    async def upsert_vectors(self, passages: Sequence[IndexedPassage]) -> None:
        """A passage that is not found by words is left out: it was removed meanwhile."""
        if self._dimension is None and passages:
            self._dimension = len(passages[0].vector)
        for entry in passages:
            self._require_dimension(entry.vector)
        for entry in passages:
            self._rows.put_vector(self._model, entry)

    async def remove(self, documents: Sequence[DocumentId]) -> None:
        for document in documents:
            self._rows.forget(document)

    async def retain(self, document: DocumentId, chunk_indexes: Collection[int]) -> None:
        self._rows.retain(document, chunk_indexes)

    async def search(
        self, view: KbView, terms: Mapping[Language, Sequence[str]], vector: Vector | None, limit: int
    ) -> list[IndexHit]:
        """Raises ValueError, also for a view of a tenant without an id."""
        if view.tenant_id == "":
            raise ValueError("a tenant's id is never empty")
        if vector is not None:
            self._require_dimension(vector)
        visible = self._rows.visible(view)
        if limit < 1 or not visible.size:
            return []
        asked = [
            (language, term) for language, found in terms.items() for term in islice(dict.fromkeys(found), MAX_TERMS)
        ]
        text = _best(visible, self._rows.bm25(visible, asked), limit, above=0.0)
        near: dict[int, float] = {}
        if vector is not None:
            near = _best(visible, self._rows.cosines(self._model, visible, vector), limit, above=-2.0)
        return [IndexHit(self._rows.refs[slot], text.get(slot, 0.0), near.get(slot)) for slot in {**text, **near}]

    async def nearest(self, view: KbView, vectors: Sequence[Vector], limit: int) -> list[list[IndexHit]]:
        found = []
        for vector in vectors:
            hits = await self.search(view, {}, vector, limit)
            found.append(sorted(hits, key=lambda hit: -(hit.cosine or 0.0)))
        return found

    async def vectors(self, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
        return self._rows.vectors_of(self._model, self._dimension or 0, refs)

    async def clear(self) -> None:
        self._rows.clear()

    async def clear_vectors(self, model: str, dimension: int) -> None:
        self._rows.forget_vectors(model, dimension)

    async def is_empty(self) -> bool:
        return len(self._rows) == 0

    async def has_vectors(self) -> bool:
        return self._rows.vector_count(self._model, self._dimension or 0) > 0

    async def optimize(self) -> None:
        """Nothing to do: every write is folded in at once."""

    async def check(self) -> None:
        """Nothing to check: memory is always there."""

    async def verify(self) -> IndexCounts:
        await self.check()
        return IndexCounts(len(self._rows), self._rows.vector_count(self._model, self._dimension or 0))

    def _require_dimension(self, vector: Vector) -> None:
        if self._dimension is not None and len(vector) != self._dimension:
            raise ValueError(f"a vector of {len(vector)} dimensions, where the index has {self._dimension}")


def _best(visible: NDArray[np.intp], scores: Floats, limit: int, *, above: float) -> dict[int, float]:
    """The `limit` best of the visible slots that score more than `above`, best first, ties in order of slots. A NaN
    (from a vector of zeros) is never among them."""
    chosen = np.flatnonzero(scores > above)
    order = chosen[np.argsort(-scores[chosen], kind="stable")[:limit]]
    return {int(visible[i]): float(scores[i]) for i in order}


@define
class _Rows:
    """Slots in parallel arrays; a forgotten slot is used again. `_vectors`: of each model, by its name and dimension;
    NaN in the slots that have none. `_with_vector`: the slots that have one, be it of zeros."""

    refs: list[SourceRef] = field(factory=list)
    _scopes: list[KbScope | None] = field(factory=list)
    _free: list[int] = field(factory=list)
    _slots: dict[DocumentId, dict[int, int]] = field(factory=dict)
    _terms: list[frozenset[Term]] = field(factory=list)
    _by_scope: dict[KbScope, set[int]] = field(factory=dict)
    _postings: dict[Term, dict[int, int]] = field(factory=dict)
    _lengths: NDArray[np.float32] = field(factory=lambda: np.zeros(_FIRST_SLOTS, np.float32))
    _vectors: dict[tuple[str, int], Floats] = field(factory=dict)
    _with_vector: dict[tuple[str, int], set[int]] = field(factory=dict)

    def clear(self) -> None:
        for kept in (self.refs, self._scopes, self._free, self._terms, self._slots, self._by_scope, self._postings):
            kept.clear()
        self._lengths = np.zeros(_FIRST_SLOTS, np.float32)
        self._vectors.clear()
        self._with_vector.clear()

    def __len__(self) -> int:
        return len(self.refs) - len(self._free)

    def put(self, passage: Passage) -> None:
        """The vectors that the passage had stay."""
        known = self._slots.setdefault(passage.document.id, {})
        had: dict[tuple[str, int], Floats] = {}
        if passage.chunk_index in known:
            replaced = known.pop(passage.chunk_index)
            had = {space: self._vectors[space][replaced].copy() for space in self._spaces_of(replaced)}
            self._vacate(replaced)
        slot = known[passage.chunk_index] = self._take(passage)
        for space, vector in had.items():
            self._vectors[space][slot] = vector
            self._with_vector[space].add(slot)
        counts = _counted(passage)
        for term, count in counts.items():
            self._postings.setdefault(term, {})[slot] = count
        self._terms[slot] = frozenset(counts)
        self._lengths[slot] = sum(counts.values())

    def put_vector(self, model: str, entry: IndexedPassage) -> None:
        slot = self._slots.get(entry.passage.document.id, {}).get(entry.passage.chunk_index)
        if slot is None:
            return
        space = (model, len(entry.vector))
        if space not in self._vectors:
            self._vectors[space] = np.full((len(self._lengths), len(entry.vector)), np.nan, np.float32)
            self._with_vector[space] = set()
        self._vectors[space][slot] = _unit(entry.vector)
        self._with_vector[space].add(slot)

    def vector_count(self, model: str, dimension: int) -> int:
        """Those of zeros included."""
        return len(self._with_vector.get((model, dimension), ()))

    def vectors_of(self, model: str, dimension: int, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
        vectors = self._vectors.get((model, dimension))
        found: dict[SourceRef, Vector] = {}
        if vectors is None:
            return found
        for ref in refs:
            slot = self._slots.get(DocumentId(ref.document_id), {}).get(ref.chunk_index)
            if slot is not None and not np.isnan(vectors[slot]).any():
                found[ref] = vectors[slot].tolist()
        return found

    def forget_vectors(self, model: str, dimension: int) -> None:
        self._vectors.pop((model, dimension), None)
        self._with_vector.pop((model, dimension), None)

    def forget(self, document: DocumentId) -> None:
        for slot in self._slots.pop(document, {}).values():
            self._vacate(slot)

    def retain(self, document: DocumentId, chunk_indexes: Collection[int]) -> None:
        slots = self._slots.get(document, {})
        for chunk_index in slots.keys() - set(chunk_indexes):
            self._vacate(slots.pop(chunk_index))

    def visible(self, view: KbView) -> NDArray[np.intp]:
        """The slots the view sees, in ascending order."""
        seen: set[int] = set().union(*(slots for scope, slots in self._by_scope.items() if view.sees(scope)))
        if view.document_ids is not None:
            seen &= {slot for document in view.document_ids for slot in self._slots.get(document, {}).values()}
        return np.array(sorted(seen), dtype=np.intp)

    def cosines(self, model: str, visible: NDArray[np.intp], vector: Vector) -> Floats:
        """In -1..1; NaN where either vector is missing or all zeros."""
        vectors = self._vectors.get((model, len(vector)))
        if vectors is None:
            return np.full(visible.size, np.nan, np.float32)
        products: Floats = vectors[visible] @ _unit(vector)
        return np.clip(products, -1.0, 1.0)

    def bm25(self, visible: NDArray[np.intp], asked: Iterable[Term]) -> Floats:
        """0 where none of the terms occurs."""
        place = np.full(len(self.refs), -1, dtype=np.intp)
        place[visible] = np.arange(visible.size)
        lengths = self._lengths[visible]
        damping = _K1 * (1 - _B + _B * lengths / max(float(lengths.mean()), 1.0))
        scores = np.zeros(visible.size, dtype=np.float32)
        for term in asked:
            postings = self._postings.get(term, {})
            places = place[np.fromiter(postings.keys(), np.intp, len(postings))]
            counts = np.fromiter(postings.values(), np.float32, len(postings))[places >= 0]
            places = places[places >= 0]
            rarity = log(1 + (visible.size - places.size + 0.5) / (places.size + 0.5))
            scores[places] += rarity * counts * (_K1 + 1) / (counts + damping[places])
        return scores

    def _spaces_of(self, slot: int) -> list[tuple[str, int]]:
        return [space for space, slots in self._with_vector.items() if slot in slots]

    def _take(self, passage: Passage) -> int:
        slot = self._free.pop() if self._free else len(self.refs)
        if slot == len(self.refs):
            self.refs.append(passage.ref)
            self._scopes.append(None)
            self._terms.append(frozenset())
            if slot >= len(self._lengths):
                self._lengths = np.concatenate([self._lengths, np.zeros_like(self._lengths)])
                for space, vectors in self._vectors.items():
                    self._vectors[space] = np.concatenate([vectors, np.full_like(vectors, np.nan)])
        scope = passage.document.scope
        self.refs[slot], self._scopes[slot] = passage.ref, scope
        self._by_scope.setdefault(scope, set()).add(slot)
        return slot

    def _vacate(self, slot: int) -> None:
        for term in self._terms[slot]:
            postings = self._postings[term]
            del postings[slot]
            if not postings:
                del self._postings[term]
        scope = self._scopes[slot]
        if scope is not None:
            self._by_scope[scope].discard(slot)
        for space in self._spaces_of(slot):
            self._vectors[space][slot] = np.nan
            self._with_vector[space].remove(slot)
        self._terms[slot], self._scopes[slot] = frozenset(), None
        self._free.append(slot)


def _counted(passage: Passage) -> dict[Term, int]:
    counts: dict[Term, int] = {}
    language = passage.document.language
    for term in (*passage.head_terms * _HEAD_WEIGHT, *passage.terms):
        counts[language, term] = counts.get((language, term), 0) + 1
    return counts


def _unit(vector: Vector) -> Floats:
    """Scaled to length 1; all NaN for a vector of zeros, which is near nothing."""
    values = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(values))
    scaled: Floats = values / length if length else np.full_like(values, np.nan)
    return scaled
