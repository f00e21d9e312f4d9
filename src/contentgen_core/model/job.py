"""Jobs: work that outlives a request. Attempts and leases are rows of the database, not state of a broker."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import JobId, TenantId

MAX_ATTEMPTS: Final = 3
LEASE_SECONDS: Final = 30.0
DOUBTFUL_ATTEMPTS: Final = MAX_ATTEMPTS - 1
"""A job whose lease ran out at this many attempts is doubtful."""


class JobKind(StrEnum):
    GENERATE_ARTICLE = "generate_article"
    PUBLISH_SCHEDULED = "publish_scheduled"
    ENRICH_TOPIC = "enrich_topic"
    PROCESS_DOCUMENT = "process_document"
    COMPUTE_TOPIC_COVERAGE = "compute_topic_coverage"
    CURATE_ENTITIES = "curate_entities"
    PUBLISH = "publish"
    SEND_INVITATION = "send_invitation"
    EXECUTE_AGENT = "execute_agent"
    TRANSLATE = "translate"


LIGHT: Final = frozenset({JobKind.PUBLISH, JobKind.PUBLISH_SCHEDULED, JobKind.SEND_INVITATION})
"""Kinds that hardly compute: they wait for another server, and often a person waits for them. They have worker slots of
their own, so that they do not queue behind articles that are being written."""


class Claimable(StrEnum):
    """Why a job may be claimed."""

    WAITING = "waiting"  # queued and due
    LAPSED = "lapsed"  # its lease ran out: its worker died, or stood still for too long
    DOUBTFUL = "doubtful"  # lapsed for the second time or more: it may be the job itself that kills its workers


class JobState(StrEnum):
    """running: claimed; done, failed, cancelled: ended."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@frozen
class Job:
    """A job. `subject_id`: what it works on (an article). `attempts`: claims, the present one included. While RUNNING,
    `worker` holds it until `leased_until`; afterwards any worker may claim it."""

    id: JobId
    kind: JobKind
    tenant_id: TenantId
    subject_id: str
    run_at: datetime
    state: JobState = JobState.QUEUED
    attempts: int = 0
    worker: str | None = None
    leased_until: datetime | None = None
    last_error: str | None = None

    @property
    def exhausted(self) -> bool:
        """Whether it was claimed more often than allowed, its workers having died each time. The worker that holds it
        ends it."""
        return self.attempts > MAX_ATTEMPTS
