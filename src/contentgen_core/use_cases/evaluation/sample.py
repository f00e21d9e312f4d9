"""A part of a knowledge base to evaluate, which only the seed decides."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from heapq import heappush, heappushpop
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Passage
from contentgen_core.policies.evaluation.chance import place
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

MAX_PASSAGES: Final = 3_000
"""Looked at, which bounds the time and the memory that an evaluation takes."""
MAX_DOCUMENTS: Final = 2_000
PAGE: Final = 1_000
LOADED_AT_ONCE: Final = 50


@frozen
class KnowledgeSample:
    """`documents`: with their passages, in the order of their places; `of`: how many documents the view has."""

    documents: tuple[tuple[KbDocument, tuple[Passage, ...]], ...]
    of: int

    @property
    def passages(self) -> tuple[tuple[Passage, ...], ...]:
        """The passages of each document."""
        return tuple(passages for _, passages in self.documents)

    @property
    def digest(self) -> str:
        """A digest that is equal for the same texts under the same names."""
        texts = sha256()
        for document, passages in self.documents:
            texts.update(f"{document.source_key}\0{document.title}\0".encode("utf-8", "surrogatepass"))
            texts.update("\0".join(passage.content_hash for passage in passages).encode())
        return texts.hexdigest()[:16]

    def copy_to(self, scope: KbScope) -> KnowledgeSample:
        """Return the same documents in another scope, under ids and times that are the same in every run: rankings
        break ties by them."""
        first = min((document.created_at for document, _ in self.documents), default=None)
        copies = []
        for number, (document, passages) in enumerate(self.documents):
            id = DocumentId(f"evaluated-{number:06}")
            copy = evolve(document, id=id, scope=scope, created_at=first or document.created_at)
            copies.append((copy, tuple(evolve(passage, document=copy) for passage in passages)))
        return KnowledgeSample(tuple(copies), self.of)


@use_case
class SampleKnowledge:
    """Reads only."""

    unit_of_work: UnitOfWork

    async def __call__(self, view: KbView, seed: int, max_passages: int = MAX_PASSAGES) -> KnowledgeSample:
        """Documents of the view with at most so many passages together; all of them where they are no more. Raises
        Unavailable."""
        best: list[tuple[int, str, KbDocument]] = []  # a heap, the last place first
        of = 0
        async for document in self._documents(view):
            of += 1
            entry = (-place(seed, document.source_key), document.id, document)
            if len(best) < MAX_DOCUMENTS:
                heappush(best, entry)
            else:
                heappushpop(best, entry)
        ordered = [document for _, _, document in sorted(best, key=lambda entry: (-entry[0], entry[2].source_key))]
        found: list[tuple[KbDocument, tuple[Passage, ...]]] = []
        left = max_passages
        for start in range(0, len(ordered), LOADED_AT_ONCE):
            for document, passages in await self._add_passages(ordered[start : start + LOADED_AT_ONCE]):
                if left > 0 and passages:
                    found.append((document, passages[:left]))
                    left -= len(passages)
            if left <= 0:
                break
        return KnowledgeSample(tuple(found), of)

    async def _documents(self, view: KbView) -> AsyncIterator[KbDocument]:
        after: KbDocument | None = None
        while True:
            async with self.unit_of_work() as tx:
                page = await tx[Knowledge].documents(view, after, PAGE)
            for document in page:
                yield document
            if len(page) < PAGE:
                return
            after = page[-1]
            await asyncio.sleep(0)

    async def _add_passages(self, documents: list[KbDocument]) -> list[tuple[KbDocument, tuple[Passage, ...]]]:
        async with self.unit_of_work() as tx:
            passages = await tx[Knowledge].passages_of([document.id for document in documents])
        of: dict[DocumentId, list[Passage]] = {}
        for passage in passages:
            of.setdefault(passage.document.id, []).append(passage)
        return [(document, tuple(of.get(document.id, ()))) for document in documents]
