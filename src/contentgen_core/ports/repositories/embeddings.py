"""Vectors of passages as the database keeps them, and which documents still wait for theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbView, Understanding, VectorSpace
from contentgen_core.ports.knowledge_base import Vector

STEPS: Final = 2**14
"""Kept numbers are multiples of 1 / STEPS, in -2..2: 16 bits each, and cosines exact to .0001."""


@frozen
class KeptVector:
    """`text_hash`: SHA-256 of the text that was embedded, so that a copy of it need not be embedded again."""

    ref: SourceRef
    text_hash: bytes
    vector: Vector


class Embeddings(Protocol):
    """A document that is added waits in each space that is used, and no longer when it is removed; its vectors go with
    its passages."""

    async def use(self, space: VectorSpace, now: datetime) -> bool:
        """Documents that are added from now on wait in this space, and it counts as used now. Whether those that were
        there before have been queued, too."""
        ...

    async def whole(self, space: VectorSpace) -> None:
        """All documents that were there before have been queued."""
        ...

    async def queue(self, space: VectorSpace, documents: Sequence[DocumentId]) -> None:
        """These documents, as far as they are live, wait in this space, behind those that wait already. A worker that
        has one of them has it no longer: it may have written to an index that is gone."""
        ...

    async def claim(
        self, space: VectorSpace, worker: str, now: datetime, leased_until: datetime, limit: int
    ) -> list[DocumentId]:
        """Lease waiting documents to the worker: those that a question has found first, then in the order in which they
        came. A document that failed before comes alone."""
        ...

    async def advance(self, space: VectorSpace, passages: Mapping[DocumentId, int]) -> None:
        """So many passages of these waiting documents have vectors by now."""
        ...

    async def complete(self, space: VectorSpace, worker: str, documents: Sequence[DocumentId]) -> list[DocumentId]:
        """These documents have all of their vectors. Returns those that were removed meanwhile."""
        ...

    async def postpone(self, space: VectorSpace, worker: str, documents: Sequence[DocumentId], until: datetime) -> None:
        """Embedding them failed: nobody claims them before this time."""
        ...

    async def attempts(self, space: VectorSpace, documents: Sequence[DocumentId]) -> int:
        """How often embedding them failed, at the most."""
        ...

    async def renew(self, worker: str, leased_until: datetime) -> None:
        """Lease what this worker has claimed for longer."""
        ...

    async def release(self, worker: str) -> None:
        """Release what this worker has claimed, at its end."""
        ...

    async def ask(self, space: VectorSpace, documents: Sequence[DocumentId]) -> None:
        """A question has found them: they come first."""
        ...

    async def keep(self, space: VectorSpace, vectors: Sequence[KeptVector]) -> None:
        """Keep vectors, in steps of 1 / STEPS. Those of passages that are not live are left out."""
        ...

    async def kept(self, space: VectorSpace, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
        """The kept vectors of these passages."""
        ...

    async def kept_texts(self, space: VectorSpace, text_hashes: Sequence[bytes]) -> dict[bytes, Vector]:
        """The kept vectors of texts, whosever they are."""
        ...

    async def waiting(self, space: VectorSpace) -> int:
        """How many documents wait, claimed ones included."""
        ...

    async def any_embedded(self, space: VectorSpace) -> bool:
        """Whether a live document with passages does not wait: one whose vectors the index has to have by now."""
        ...

    async def more_embedded_than(self, space: VectorSpace, vectors: int) -> bool:
        """Whether no document waits, and the index has to have more than so many vectors."""
        ...

    async def all_understood(self, space: VectorSpace, view: KbView) -> bool:
        """Whether no document of this view waits."""
        ...

    async def understanding(self, space: VectorSpace, view: KbView) -> Understanding:
        """How many of the view's passages have vectors."""
        ...

    async def unused(self, since: datetime) -> list[VectorSpace]:
        """Spaces that were last used before this time."""
        ...

    async def forget(self, space: VectorSpace, limit: int) -> bool:
        """Delete a space with its vectors; at most `limit` of them at once. Whether all are gone."""
        ...
