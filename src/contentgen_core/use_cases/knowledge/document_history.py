"""GET /kb/documents/{id}/versions and GET /kb/documents/{id}/text: the versions of a document, and its text at a
time."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import frozen

from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import PRIVATE, DocumentHistory, DocumentVersion
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

MAX_PASSAGES: Final = 200
"""Of one answer."""


@frozen
class FormerPassage:
    """A passage as it was. `chunk_index`: its identity in its document."""

    chunk_index: int
    heading: str
    text: str


@frozen
class TextAsOf:
    """The text of a document from `since` until `until` (None: still valid). `passages`: some of them, in their order;
    `total`: how many there are."""

    document_id: DocumentId
    title: str
    since: datetime
    until: datetime | None
    passages: tuple[FormerPassage, ...]
    total: int


@use_case
class ReadHistory:
    unit_of_work: UnitOfWork

    async def versions(self, caller: Caller, document_id: DocumentId) -> DocumentHistory:
        """Raises NotFound, also for a document that the caller may not read."""
        async with self.unit_of_work() as tx:
            return await _history(tx, caller, document_id)

    async def text(
        self, caller: Caller, document_id: DocumentId, at: datetime | None, offset: int, limit: int
    ) -> TextAsOf:
        """Return the document's text at that time (None: now): `limit` passages from the one at `offset`, MAX_PASSAGES
        at most. Raises NotFound, and InvalidInput for a time from which nothing is kept."""
        async with self.unit_of_work() as tx:
            history = await _history(tx, caller, document_id)
            if at is not None and at < history.kept_since:
                since = f"{history.kept_since:%Y-%m-%dT%H:%M:%S.%fZ}"
                raise InvalidInput.of("asOf", f"what it said is known from {since} on")
            version = None if at is None else history.at(at)
            passages = await _passages(tx, document_id, version)
        return TextAsOf(
            document_id,
            version.title if version else history.document.title,
            version.since if version else history.since,
            version.until if version else None,
            tuple(passages[offset : offset + min(limit, MAX_PASSAGES)]),
            len(passages),
        )


async def _history(tx: Transaction, caller: Caller, document_id: DocumentId) -> DocumentHistory:
    history = await tx[Knowledge].history(document_id)
    scope = history.document.scope if history else None
    if history is None or scope is None or scope.tenant_id not in (None, caller.tenant_id):
        raise NotFound("document", document_id)
    if scope.niche_key != PRIVATE:
        try:
            await tx[Niches].get(caller.tenant_id, scope.niche_key)
        except NotFound:
            raise NotFound("document", document_id) from None
    return history


async def _passages(tx: Transaction, document_id: DocumentId, version: DocumentVersion | None) -> list[FormerPassage]:
    present = [FormerPassage(p.chunk_index, p.heading, p.text) for p in await tx[Knowledge].passages_of([document_id])]
    if version is None:
        return present
    known = {passage.chunk_index: passage for passage in present}
    # Newest first, so that what replaced the version itself comes last.
    for former in (await tx[Knowledge].versions([document_id])).get(document_id, []):
        if former.replaced_at >= version.until:
            known[former.chunk_index] = FormerPassage(former.chunk_index, former.heading, former.text)
    return [known[index] for index in version.chunk_indexes]
