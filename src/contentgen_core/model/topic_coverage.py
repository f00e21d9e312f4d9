"""The topics of an area, which of them its knowledge base covers, and the states of the computation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import IllegalTransition
from contentgen_core.model.area import Area
from contentgen_core.model.ids import JobId, TenantId, TopicCoverageId

MAX_TOPICS: Final = 200


class ComputationStatus(StrEnum):
    """idle: never computed; computing: a run is under way; ready: the topics are those of the last run; failed: the
    last run failed, and the topics are those of the one before."""

    IDLE = "idle"
    COMPUTING = "computing"
    READY = "ready"
    FAILED = "failed"


_S = ComputationStatus

TRANSITIONS: Final[dict[ComputationStatus, frozenset[ComputationStatus]]] = {
    _S.IDLE: frozenset({_S.COMPUTING}),
    _S.COMPUTING: frozenset({_S.READY, _S.FAILED}),
    _S.READY: frozenset({_S.COMPUTING}),
    _S.FAILED: frozenset({_S.COMPUTING}),
}


@frozen
class TopicState:
    """A topic. `covered`: whether the knowledge base holds enough for a standard article. `heat`: how much there is on
    the topic, in 0..100 (`policies.topics.seeds.heat`)."""

    name: str
    covered: bool
    heat: float


@frozen
class Totals:
    """Counts of topics. `percent`: the covered share, in 0..100; 0 without topics."""

    topics: int
    covered: int

    @property
    def uncovered(self) -> int:
        return self.topics - self.covered

    @property
    def percent(self) -> float:
        return round(100 * self.covered / self.topics, 1) if self.topics else 0.0


@frozen
class TopicCoverage:
    """The topic coverage of an area. `topics`: the last complete result, hottest first, of `computed_at`. `started_at`,
    `ended_at`: of the last run. `candidates`: the topics that the run under way has to assess (None: not collected
    yet); `assessed`: the first of them, done. `revision` grows with each stored change."""

    id: TopicCoverageId
    tenant_id: TenantId
    area: Area
    status: ComputationStatus = ComputationStatus.IDLE
    topics: tuple[TopicState, ...] = ()
    computed_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    error: str | None = None
    candidates: tuple[str, ...] | None = None
    assessed: tuple[TopicState, ...] = ()
    job_id: JobId | None = None
    revision: int = 0

    @property
    def totals(self) -> Totals:
        return Totals(len(self.topics), sum(topic.covered for topic in self.topics))

    @property
    def left(self) -> tuple[str, ...]:
        """The candidates that are not assessed yet."""
        return (self.candidates or ())[len(self.assessed) :]

    def started(self, now: datetime, job_id: JobId) -> TopicCoverage:
        """Return it with a new run. Raises IllegalTransition while one is under way."""
        moved = self._moved_to(_S.COMPUTING)
        return evolve(moved, started_at=now, ended_at=None, error=None, candidates=None, assessed=(), job_id=job_id)

    def with_candidates(self, topics: Sequence[str]) -> TopicCoverage:
        """Return it with the topics to assess, at most MAX_TOPICS."""
        return evolve(self, candidates=tuple(topics[:MAX_TOPICS]), assessed=())

    def with_assessed(self, topics: Sequence[TopicState]) -> TopicCoverage:
        """Return it with these topics assessed, the next candidates in order."""
        return evolve(self, assessed=(*self.assessed, *topics))

    def completed(self, now: datetime) -> TopicCoverage:
        """Return it with the topics that the run found. Raises IllegalTransition unless all candidates are assessed."""
        if self.candidates is None or self.left:
            raise IllegalTransition("A computation that has topics left to assess cannot become ready.")
        found = tuple(sorted(self.assessed, key=lambda topic: (-topic.heat, topic.name)))
        return evolve(self._ended(_S.READY, now), topics=found, computed_at=now)

    def failed(self, now: datetime, reason: str) -> TopicCoverage:
        """Return it with the former topics. Raises IllegalTransition unless a run is under way."""
        return evolve(self._ended(_S.FAILED, now), error=reason)

    def _ended(self, status: ComputationStatus, now: datetime) -> TopicCoverage:
        return evolve(self._moved_to(status), ended_at=now, candidates=None, assessed=(), job_id=None)

    def _moved_to(self, status: ComputationStatus) -> TopicCoverage:
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(f"A computation that is {self.status} cannot become {status}.")
        return evolve(self, status=status)
