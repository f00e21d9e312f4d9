"""Enrichments of the knowledge base from the web, and the table of their states."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from itertools import pairwise
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import IllegalTransition
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.ids import DocumentId, EnrichmentId, JobId, TenantId, UserId


class EnrichmentStatus(StrEnum):
    """pending: recorded; queued: a worker has claimed it; ready: there is enough to write from, the rest follows."""

    PENDING = "pending"
    QUEUED = "queued"
    SEARCHING = "searching"
    FETCHING = "fetching"
    PROCESSING = "processing"
    INDEXING = "indexing"
    ENRICHING = "enriching"
    READY = "ready"
    COMPLETED = "completed"
    FAILED = "failed"


_S = EnrichmentStatus

STAGES: Final[tuple[EnrichmentStatus, ...]] = tuple(status for status in _S if status is not _S.FAILED)
"""The states from pending to completed, in order."""

TRANSITIONS: Final[dict[EnrichmentStatus, frozenset[EnrichmentStatus]]] = {
    **{here: frozenset({after, _S.FAILED}) for here, after in pairwise(STAGES)},
    _S.COMPLETED: frozenset(),
    _S.FAILED: frozenset(),
}

PROGRESS: Final[dict[EnrichmentStatus, int]] = {
    _S.PENDING: 5,
    _S.QUEUED: 5,
    _S.SEARCHING: 20,
    _S.FETCHING: 40,
    _S.PROCESSING: 60,
    _S.INDEXING: 80,
    _S.ENRICHING: 80,
    _S.READY: 90,
    _S.COMPLETED: 100,
    _S.FAILED: 0,
}
"""Percent on entering a state (specification, "Enrichment task status"). There ENRICHING goes from 10 to 95, in real
time; since progress must never fall, it goes here from where INDEXING ended to where READY begins."""

CAN_GENERATE: Final = frozenset({_S.READY, _S.COMPLETED})
ENDED: Final = frozenset({_S.COMPLETED, _S.FAILED})


class PageState(StrEnum):
    FOUND = "found"
    READ = "read"
    UNREADABLE = "unreadable"


@frozen
class EnrichmentPage:
    """A page that the search found, and its outcome. `reason`: why it was not read, in words for a person."""

    position: int
    url: str
    title: str
    state: PageState = PageState.FOUND
    text: str = ""
    published: date | None = None
    fetched_at: datetime | None = None
    reason: str | None = None
    author: str | None = None


@frozen
class Enrichment:
    """An enrichment. `provider`: the search that is expected to answer, then the one that did. `documents`: those made
    from the pages. `statements`: what a search by a model answered, each with the addresses it named. `quota_window`:
    the day in which it was counted; refunded when it fails. `revision` grows with each stored change."""

    id: EnrichmentId
    tenant_id: TenantId
    agent_key: AgentKey
    topic: str
    provider: str
    created_at: datetime
    created_by: UserId | None = None
    niche_label: str | None = None
    status: EnrichmentStatus = EnrichmentStatus.PENDING
    progress: int = PROGRESS[EnrichmentStatus.PENDING]
    message: str = "Recorded; a worker takes it up in a moment."
    statements: tuple[tuple[str, tuple[str, ...]], ...] = ()
    documents: tuple[DocumentId, ...] = ()
    insights_added: int = 0
    error: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    quota_window: date | None = None
    job_id: JobId | None = None
    revision: int = 0

    @property
    def can_generate(self) -> bool:
        """Whether there is enough to write an article from."""
        return self.status in CAN_GENERATE

    def moved_to(self, status: EnrichmentStatus, now: datetime, message: str) -> Enrichment:
        """The enrichment in another state, with the fields that follow from it. Raises IllegalTransition."""
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(f"An enrichment that is {self.status} cannot become {status}.")
        moved = evolve(self, status=status, progress=PROGRESS[status], message=message)
        if status is _S.QUEUED:
            return evolve(moved, started_at=self.started_at or now)
        if status in ENDED:
            return evolve(moved, completed_at=now, job_id=None, quota_window=None)
        return moved

    def failed(self, now: datetime, reason: str) -> Enrichment:
        """The enrichment, failed for this reason. Raises IllegalTransition when it has ended already."""
        return evolve(self.moved_to(_S.FAILED, now, "The enrichment failed."), error=reason)

    def enriching(self, share: float, insights: int) -> Enrichment:
        """The enrichment at `share` (0..1) of the state ENRICHING. Progress never falls."""
        begin, end = PROGRESS[_S.ENRICHING], PROGRESS[_S.READY]
        progress = begin + round((end - begin) * min(max(share, 0.0), 1.0))
        return evolve(self, progress=max(self.progress, progress), insights_added=insights)
