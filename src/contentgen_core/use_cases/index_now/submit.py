"""The job SUBMIT_PAGES: search engines are told which pages of a site changed."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from attrs import evolve

from contentgen_core.model.ids import IndexNowSiteId
from contentgen_core.model.index_now import MAX_AT_ONCE, IndexNowSite, SubmissionReport
from contentgen_core.model.job import Job
from contentgen_core.ports.index_now import IndexNow
from contentgen_core.ports.repositories.index_now import IndexNowSites
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.jobs import AttemptRunner, subject_of
from contentgen_core.use_cases.use_case import use_case

SOONEST_RETRY: Final = timedelta(minutes=15)
"""After one failed submission; twice as long after each further one, up to LATEST_RETRY."""
LATEST_RETRY: Final = timedelta(days=1)
MOST_DOUBLINGS: Final = 7


@use_case
class SubmitPages:
    """Submits noted pages. A page that could not be submitted stays noted and is submitted later; publishing does not
    depend on it."""

    runner: AttemptRunner
    index_now: IndexNow

    async def __call__(self, job: Job) -> None:
        """Submit the pages of a claimed job's site, or bring the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            site = await self._site(tx, job)
            noted = await tx[IndexNowSites].noted(site.id, MAX_AT_ONCE)
        if noted:
            await self.index_now.submit(site, [one.address for one in noted])
        now = self.runner.clock.now()
        async with self.runner.fenced(job) as tx:
            site = await self._site(tx, job)
            await tx[IndexNowSites].told(site.id, noted)
            last = SubmissionReport(now, len(noted)) if noted else site.last
            await tx[IndexNowSites].save(evolve(site, job_id=None, next_at=now, last=last, failures=0))
            await tx[Jobs].finish(job)

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        site, now = await self._site(tx, job), self.runner.clock.now()
        wait = min(SOONEST_RETRY * 2 ** min(site.failures, MOST_DOUBLINGS), LATEST_RETRY)
        failed = evolve(site, job_id=None, next_at=now + wait, last=SubmissionReport(now, error=reason))
        await tx[IndexNowSites].save(evolve(failed, failures=site.failures + 1))

    async def _site(self, tx: Transaction, job: Job) -> IndexNowSite:
        return await subject_of(job, tx[IndexNowSites].get(job.tenant_id, IndexNowSiteId(job.subject_id)))
