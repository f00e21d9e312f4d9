"""The job REFRESH_ARTICLES: the articles of a niche whose sources changed get updates, by the niche's policy."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from contentgen_core.errors import ContentgenError, NotFound, Unavailable
from contentgen_core.model.approval import ApprovalRequired
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_update import RefreshMode, RefreshPolicy, RefreshProgress, RefreshReport
from contentgen_core.model.ids import ArticleId, RefreshPolicyId, UserId
from contentgen_core.model.job import Job
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.ports.repositories.article_updates import RefreshPolicies
from contentgen_core.ports.repositories.articles import Articles, ArticleTitle, ChangedArticles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.article_updates.decide import DecideUpdate
from contentgen_core.use_cases.article_updates.propose import ProposeUpdate
from contentgen_core.use_cases.jobs import AttemptRunner, subject_of
from contentgen_core.use_cases.use_case import use_case

PAGE: Final = 20


@use_case
class RefreshArticles:
    """Idempotent: what a former attempt applied is fresh for the next one, what it proposed is there, and what it
    counted is in the policy's progress."""

    runner: AttemptRunner
    propose: ProposeUpdate
    decide: DecideUpdate

    async def __call__(self, job: Job) -> None:
        """Look at the articles of a claimed job's policy, or bring the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            policy = await self._policy(tx, job)
            tenant = await tx[Tenants].get(job.tenant_id)
        caller = Caller(job.tenant_id, UserId(""), tenant.plan, Role.EDITOR)
        progress = policy.progress or RefreshProgress(self.runner.clock.now())
        before = progress.before
        while True:
            async with self.runner.fenced(job) as tx:
                found = await self._page(tx, policy, before)
            for article in found.articles:
                came = (
                    [] if article.status is ArticleStatus.GENERATING else await self._refresh(caller, policy, article)
                )
                progress = evolve(progress, before=article.id, **{one: getattr(progress, one) + 1 for one in came})
                async with self.runner.fenced(job) as tx:
                    await tx[RefreshPolicies].save(evolve(await self._policy(tx, job), progress=progress))
            before = found.before
            if before is None:
                break
        async with self.runner.fenced(job) as tx:
            await self._end(tx, job)
            await tx[Jobs].finish(job)

    async def _page(self, tx: Transaction, policy: RefreshPolicy, before: ArticleId | None) -> ChangedArticles:
        """Return the next page of changed articles; from the newest on where the last article looked at was deleted
        since."""
        articles, of, niche = tx[Articles], policy.tenant_id, policy.niche_key
        try:
            return await articles.with_changed_sources(of, before, PAGE, niche_key=niche)
        except NotFound:
            return await articles.with_changed_sources(of, None, PAGE, niche_key=niche)

    async def _refresh(self, caller: Caller, policy: RefreshPolicy, article: ArticleTitle) -> list[str]:
        """Return the result of one article, as fields of the report; a failing article does not affect others."""
        try:
            update = await self.propose(caller, article.id, again=False)
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
        await self._end(tx, job, reason)

    async def _end(self, tx: Transaction, job: Job, error: str | None = None) -> None:
        """Report what all attempts found."""
        policy, now = await self._policy(tx, job), self.runner.clock.now()
        done = policy.progress or RefreshProgress(now)
        report = RefreshReport(
            done.started_at, now, done.examined, done.proposed, done.applied, done.failed, error=error
        )
        await tx[RefreshPolicies].save(evolve(policy, job_id=None, progress=None, last=report))

    async def _policy(self, tx: Transaction, job: Job) -> RefreshPolicy:
        return await subject_of(job, tx[RefreshPolicies].get(job.tenant_id, RefreshPolicyId(job.subject_id)))
