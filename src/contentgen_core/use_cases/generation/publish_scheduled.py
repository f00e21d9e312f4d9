"""The job PUBLISH_SCHEDULED: publish an article at its time to the connected targets."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.approval import Approval, ApprovalRequired, ApprovalState
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import Job
from contentgen_core.model.publication import PostRequest
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.approval.gate import check_approved
from contentgen_core.use_cases.jobs import crash_reason
from contentgen_core.use_cases.publishing.start import RequestPublication
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import note_publication
from contentgen_core.use_cases.webhooks.events import record_approval_event, record_article_event

NOT_PUBLISHED: Final = (
    "Its time came and its text was not approved: it was not published. Approve it, then schedule it anew."
)


@use_case
class PublishScheduled:
    """Publishes scheduled articles. Without a connected target the article becomes published here, else when the first
    target has it."""

    unit_of_work: UnitOfWork
    request_publication: RequestPublication
    clock: Clock

    async def __call__(self, job: Job) -> None:
        """Idempotent. An article that a person has moved to another state is left unchanged."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            if not await tx[Jobs].fence(job):
                return
            if job.exhausted:
                await tx[Jobs].fail(job, crash_reason("The scheduled publication", job))
                return
            try:
                article = await tx[Articles].get(job.tenant_id, ArticleId(job.subject_id))
            except NotFound:
                await tx[Jobs].finish(job)
                return
            due = article.scheduled_for is not None and article.scheduled_for <= now
            if article.status is ArticleStatus.SCHEDULED and due:
                await self._publish(tx, article, now)
            await tx[Jobs].finish(job)

    async def _publish(self, tx: Transaction, article: Article, now: datetime) -> None:
        """Publish an article. A text that lost its approval since it was scheduled is a draft again, and waits for a
        person."""
        try:
            await check_approved(tx, article)
        except ApprovalRequired:
            said = article.present_approval
            if said is None or said.state is not ApprovalState.CHANGES_REQUESTED:
                said = Approval(ApprovalState.IN_REVIEW, now, reason=NOT_PUBLISHED, details=article.details)
            article = await tx[Articles].save(evolve(article, approval=said).moved_to(ArticleStatus.DRAFT, now))
            await record_approval_event(tx, article, now)
            return
        integrations = await tx[Integrations].list(article.tenant_id, enabled=True)
        for integration in integrations:
            await self.request_publication(tx, integration, article, PostRequest())
        if not integrations:
            await note_publication(tx, article, now)
            article = await tx[Articles].save(article.moved_to(ArticleStatus.PUBLISHED, now))
            await record_article_event(tx, WebhookEventType.ARTICLE_UPDATED, article, now)
