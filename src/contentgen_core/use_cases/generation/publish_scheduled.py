"""The job PUBLISH_SCHEDULED: publish an article at its time to the connected targets."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import Job
from contentgen_core.model.publication import PostRequest
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.jobs import crash_reason
from contentgen_core.use_cases.publishing.start import RequestPublication


@frozen
class PublishScheduled:
    """Without a connected target the article becomes published here, else when the first target has it."""

    unit_of_work: UnitOfWork
    request_publication: RequestPublication
    clock: Clock

    async def __call__(self, job: Job) -> None:
        """Idempotent. An article that a person has moved to another state is left unchanged."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            if not await tx.jobs.fence(job):
                return
            if job.exhausted:
                await tx.jobs.fail(job, crash_reason("The scheduled publication", job))
                return
            try:
                article = await tx.articles.get(job.tenant_id, ArticleId(job.subject_id))
            except NotFound:
                await tx.jobs.finish(job)
                return
            due = article.scheduled_for is not None and article.scheduled_for <= now
            if article.status is ArticleStatus.SCHEDULED and due:
                integrations = await tx.integrations.list(job.tenant_id, enabled=True)
                for integration in integrations:
                    await self.request_publication(tx, integration, article, PostRequest())
                if not integrations:
                    await tx.articles.save(article.moved_to(ArticleStatus.PUBLISHED, now))
            await tx.jobs.finish(job)
