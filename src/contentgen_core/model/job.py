"""Jobs: work that outlives a request. Attempts and leases are rows of the database, not state of a broker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import JobId, TenantId

MAX_ATTEMPTS: Final = 3
MAX_CRASHES: Final = 3
"""Deaths of its process that end a job, if it was certainly the one that caused them."""
CRASHES_ALONE: Final = 2
"""How many of these have to be deaths in which no other suspect was at work: a kill from outside hits anybody."""
DOUBTFUL_CRASHES: Final = 2
"""Deaths of its process after which a job is doubtful."""
LEASE_SECONDS: Final = 30.0
ORPHAN_SECONDS: Final = LEASE_SECONDS / 2
"""How long after its lease a job belongs to no worker although its worker lives: the answer to the claim was lost. All
leases of a worker that died end within less."""


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
    SYNC_SOURCE = "sync_source"
    REFRESH_ARTICLES = "refresh_articles"
    SEND_SIGN_IN_LINK = "send_sign_in_link"
    SEND_WEBHOOK_NOTICE = "send_webhook_notice"
    TRANSLATE_UPDATE = "translate_update"
    MAP_QUERIES = "map_queries"
    SUBMIT_PAGES = "submit_pages"
    FIND_CONFLICTS = "find_conflicts"
    RUN_MODEL_BATCH = "run_model_batch"


LIGHT: Final = frozenset(
    {
        JobKind.PUBLISH,
        JobKind.PUBLISH_SCHEDULED,
        JobKind.SEND_INVITATION,
        JobKind.SEND_SIGN_IN_LINK,
        JobKind.SEND_WEBHOOK_NOTICE,
        JobKind.SUBMIT_PAGES,
        JobKind.RUN_MODEL_BATCH,
    }
)
"""Kinds that hardly compute: they wait for another server, and often a person waits for them. They have worker slots of
their own, so that they do not queue behind articles that are being written."""

SYNCS: Final = frozenset({JobKind.SYNC_SOURCE})
"""Kinds that wait for servers that tenants name, for minutes. They have worker slots of their own, so that nothing else
queues behind them."""
OTHERS: Final = frozenset(JobKind) - LIGHT - SYNCS
"""Kinds that share the slots for articles."""

SLICE_SECONDS: Final[Mapping[JobKind, float]] = {JobKind.SYNC_SOURCE: 20.0, JobKind.PROCESS_DOCUMENT: 20.0}
"""Kinds whose jobs last as long as a tenant's server or file makes them. After so many seconds at work such a job gives
its place to a tenant that waits and has fewer at work; it goes on later from what it has stored."""
LATER_SLICES: Final = 15
"""How many times as long it keeps its place from a job that had a slice before."""


_NOBODY: Final = TenantId("")


@frozen
class Turn:
    """The order in which tenants' jobs are claimed. `share`: how many jobs of the requested kinds a tenant may have at
    work, in all processes together; `after`: the tenant that was served last."""

    share: int = 1_000_000
    after: TenantId = _NOBODY

    def passed_on(self, served: Iterable[TenantId]) -> Turn:
        """Return the turn after these tenants were served: tenants are served in the order of their ids, the one after
        `after` first and the lowest after the highest."""
        order = sorted(served, key=lambda tenant: (tenant <= self.after, tenant))
        return Turn(self.share, order[-1]) if order else self


class Claimable(StrEnum):
    """The reason why a job may be claimed."""

    WAITING = "waiting"  # queued and due
    LAPSED = "lapsed"  # its lease ran out: its process died, or stood still for too long
    DOUBTFUL = "doubtful"  # that happened for the second time or more: it may be the job itself that kills its process


class JobState(StrEnum):
    """running: claimed; done, failed, cancelled: ended."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@frozen
class TenantBacklog:
    """A tenant's waiting jobs. `waiting`: jobs that are due and unclaimed, the oldest since `oldest`; `running`: that
    are being worked on."""

    waiting: int
    running: int
    oldest: datetime | None


@frozen
class TenantJobs:
    """A tenant's jobs of some kinds. `at_work`: in all processes; `new`: that are due and have never begun; `begun`:
    that are due again."""

    at_work: int
    new: int
    begun: int


@frozen
class Job:
    """A job. `subject_id`: what it works on (an article). `attempts`: those that count, the present one included: one
    that was interrupted by something else does not. While RUNNING, `worker` holds it until `leased_until`; afterwards
    any worker may claim it.

    `claim_number`: all claims so far. `crashes`: deaths of processes in which it was at work; `crashes_alone`: those in
    which no other suspect was. `suspects`: how many were at work, itself included, when its process died last; 0 when
    nothing speaks against it. `waiting_for`: the provider that it waits for, since `waiting_since`."""

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
    claim_number: int = 0
    crashes: int = 0
    crashes_alone: int = 0
    suspects: int = 0
    waiting_for: str | None = None
    waiting_since: datetime | None = None

    @property
    def failures(self) -> int:
        """Attempts that count, without those that ended with their process."""
        return self.attempts - self.crashes

    @property
    def doubtful(self) -> bool:
        """Whether it may be the job itself that kills its processes."""
        return self.suspects > 0 and self.crashes >= DOUBTFUL_CRASHES

    @property
    def exhausted(self) -> bool:
        """Whether the job killed its processes as often as allowed. The worker that holds it ends it."""
        return self.crashes >= MAX_CRASHES and self.crashes_alone >= CRASHES_ALONE
