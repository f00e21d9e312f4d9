"""A job whose slice is over gives its place to a tenant that waits and has fewer at work, and no other job does."""

from __future__ import annotations

import pytest

from contentgen_core.model.ids import TenantId
from contentgen_core.model.job import LATER_SLICES, SLICE_SECONDS, Job, JobKind, TenantJobs
from contentgen_core.testing import builders
from contentgen_http.jobs.slices import job_to_hand_back

GREEDY, MODEST, WAITING = TenantId("greedy"), TenantId("modest"), TenantId("waiting")
SLICE = SLICE_SECONDS[JobKind.SYNC_SOURCE]
NEW, AGAIN = TenantJobs(at_work=0, new=1, begun=0), TenantJobs(at_work=0, new=0, begun=1)


def sync(tenant_id: TenantId, kind: JobKind = JobKind.SYNC_SOURCE) -> Job:
    return builders.job(tenant_id=tenant_id, kind=kind)


def test_the_tenant_with_the_most_at_work_gives_what_it_has_had_longest() -> None:
    first, second, other = sync(GREEDY), sync(GREEDY), sync(MODEST)
    tenants = {GREEDY: TenantJobs(6, 50, 0), MODEST: TenantJobs(2, 0, 0), WAITING: NEW}
    at_work = [(second, SLICE), (other, SLICE * 9), (first, SLICE + 1)]
    assert job_to_hand_back(at_work, tenants) == first


@pytest.mark.parametrize(
    ("seconds", "waiting"),
    [
        (SLICE - 1, NEW),
        (SLICE * LATER_SLICES - 1, AGAIN),
        (SLICE * 99, TenantJobs(0, 0, 0)),
        (SLICE * 99, TenantJobs(2, 1, 1)),
        (SLICE * 99, TenantJobs(1, 1, 1)),
    ],
    ids=["within its slice", "from one that had a slice", "nobody waits", "who waits has as many", "or one fewer"],
)
def test_a_job_keeps_its_place(seconds: float, waiting: TenantJobs) -> None:
    tenants = {GREEDY: TenantJobs(2, 5, 5), WAITING: waiting}
    assert job_to_hand_back([(sync(GREEDY), seconds)], tenants) is None


def test_one_that_had_a_slice_gets_a_place_in_the_end() -> None:
    job = sync(GREEDY)
    tenants = {GREEDY: TenantJobs(1, 0, 0), WAITING: AGAIN}
    assert job_to_hand_back([(job, SLICE * LATER_SLICES)], tenants) == job


def test_an_article_that_is_being_written_keeps_its_place() -> None:
    tenants = {GREEDY: TenantJobs(9, 0, 0), WAITING: NEW}
    assert job_to_hand_back([(sync(GREEDY, JobKind.GENERATE_ARTICLE), 9e9)], tenants) is None
