"""The job REFRESH_ARTICLES: the articles of a niche whose sources changed get updates, by the niche's policy."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import ContentgenError, Unavailable
from contentgen_core.model.approval import ApprovalRequired
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_update import RefreshMode, RefreshPolicy, RefreshReport
from contentgen_core.model.ids import ArticleId, RefreshPolicyId, UserId
from contentgen_core.model.job import Job
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.article_updates.decide import DecideUpdate
from contentgen_core.use_cases.article_updates.propose import ProposeUpdate
from contentgen_core.use_cases.jobs import AttemptRunner, subject_of

PAGE: Final = 20


@frozen
class RefreshArticles:
    """Idempotent: what a former attempt applied is fresh for the next one, and what it proposed is there."""

    runner: AttemptRunner
    propose: ProposeUpdate
    decide: DecideUpdate

    async def __call__(self, job: Job) -> None:
        """Look at the articles of a claimed job's policy, or bring the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        started_at = self.runner.clock.now()
        async with self.runner.fenced(job) as tx:
            policy = await self._policy(tx, job)
            tenant = await tx.tenants.get(job.tenant_id)
        caller = Caller(job.tenant_id, UserId(""), tenant.plan, Role.EDITOR)
        counts = Counter[str]()
        before: ArticleId | None = None
        while True:
            async with self.runner.fenced(job) as tx:
                found = await tx.articles.with_changed_sources(job.tenant_id, before, PAGE, niche_key=policy.niche_key)
            for article in found.articles:
                if article.status is not ArticleStatus.GENERATING:
                    counts.update(await self._refreshed(caller, policy, article.id))
            before = found.before
            if before is None:
                break
        async with self.runner.fenced(job) as tx:
            await self._end(tx, job, started_at, counts)
            await tx.jobs.finish(job)

    async def _refreshed(self, caller: Caller, policy: RefreshPolicy, article_id: ArticleId) -> list[str]:
        """What came of one article, as fields of the report; one that fails harms no other."""
        try:
            update = await self.propose(caller, article_id, again=False)
            if update is None:
                return ["examined"]
            if policy.mode is RefreshMode.REVIEW or not update.checked or not update.leaves_out_little:
                return ["examined", "proposed"]
            await self.decide.accept(caller, update.id, publish=policy.publish, automatic=True)
        except ApprovalRequired:  # the posts may not follow by themselves: a person decides
            return ["examined", "proposed"]
        except Unavailable:
            raise
        except ContentgenError:
            return ["examined", "failed"]
        return ["examined", "applied"]

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        await self._end(tx, job, self.runner.clock.now(), Counter(), reason)

    async def _end(
        self, tx: Transaction, job: Job, started_at: datetime, counts: Counter[str], error: str | None = None
    ) -> None:
        report = RefreshReport(started_at, self.runner.clock.now(), **counts, error=error)
        await tx.refresh_policies.save(evolve(await self._policy(tx, job), job_id=None, last=report))

    async def _policy(self, tx: Transaction, job: Job) -> RefreshPolicy:
        return await subject_of(job, tx.refresh_policies.get(job.tenant_id, RefreshPolicyId(job.subject_id)))
