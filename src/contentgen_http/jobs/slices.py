"""Which job gives its place to a tenant that waits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from contentgen_core.model.ids import TenantId
from contentgen_core.model.job import LATER_SLICES, SLICE_SECONDS, Job, TenantJobs


def job_to_hand_back(at_work: Iterable[tuple[Job, float]], tenants: Mapping[TenantId, TenantJobs]) -> Job | None:
    """Return the job that gives its place to a tenant that waits and has none at work, or two fewer: one of the tenant
    that has the most, of several the one that has been at work for the longest time. None while nobody waits so, or
    each job is within its slice.

    `at_work`: the jobs of this process, with the seconds that each has been at work."""
    fewest_new = min((jobs.at_work for jobs in tenants.values() if jobs.new), default=math.inf)
    fewest_begun = min((jobs.at_work for jobs in tenants.values() if jobs.begun), default=math.inf)

    def gives_way(job: Job, seconds: float) -> bool:
        slice_seconds, jobs = SLICE_SECONDS.get(job.kind, math.inf), at_work_of(job)
        return (_is_behind(fewest_new, jobs) and seconds >= slice_seconds) or (
            _is_behind(fewest_begun, jobs) and seconds >= slice_seconds * LATER_SLICES
        )

    def at_work_of(job: Job) -> int:
        found = tenants.get(job.tenant_id)
        return found.at_work if found else 0

    overdue = [(at_work_of(job), seconds, job.id, job) for job, seconds in at_work if gives_way(job, seconds)]
    return max(overdue)[-1] if overdue else None


def _is_behind(waiting: float, other: int) -> bool:
    """Whether a tenant that waits gets the place of one that has `other` jobs at work; with one fewer alone, the two
    would only change places."""
    return waiting < other - 1 or (waiting == 0 and other > 0)
