"""POST /writer/{id}/publish and /integrations/{id}/publish: record a publication, and wait a while for its outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from attrs import frozen

from contentgen_core.concurrency import retry_overtaken
from contentgen_core.errors import Conflict, EditOvertaken, InvalidInput
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId, IntegrationId, JobId, PublicationId, TenantId
from contentgen_core.model.integration import Integration
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.publication import PostRequest, PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.articles.own_words import has_words
from contentgen_core.policies.articles.publishing import check_request
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.publishing import PublishingTargets
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.approval.gate import check_approved
from contentgen_core.use_cases.idempotency import IdempotencyKey, previous_result, record_result
from contentgen_core.use_cases.use_case import use_case

WAIT_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.2
MAX_RETRY_WATCHED: Final = timedelta(seconds=15)
"""Further attempts that are due later are not waited for."""


class NoIntegration(InvalidInput):
    """There is no enabled integration to publish to."""


class NothingToPublish(Conflict):
    """The article has no text that could be published."""

    code = "nothing_to_publish"


@use_case
class RequestPublication:
    """Records publications and enqueues the jobs that deliver them, in the caller's transaction."""

    targets: PublishingTargets
    clock: Clock
    ids: Ids

    async def __call__(
        self, tx: Transaction, integration: Integration, article: Article | None, request: PostRequest
    ) -> Publication:
        """A new publication, or an existing one published again. One under way stays unchanged. Raises AlreadyExists
        when another request was faster, ApprovalRequired."""
        present = None
        if article is not None:
            await check_approved(tx, article, request, integration.provider)
            present = await tx[Publications].find(integration.tenant_id, article.id, integration.id)
        if present is not None:
            return await self._request_again(tx, integration, present, request)
        now = self.clock.now()
        id = PublicationId(self.ids.new())
        job = self._job(integration, request, id, now)
        publication = Publication(
            id=id,
            tenant_id=integration.tenant_id,
            integration_id=integration.id,
            provider=integration.provider,
            request=request,
            created_at=now,
            updated_at=now,
            article_id=article.id if article else None,
            job_id=job.id,
        )
        await tx[Publications].add(publication)
        await tx[Jobs].enqueue(job)
        return publication

    async def repeat(
        self, tx: Transaction, integration: Integration, present: Publication, request: PostRequest
    ) -> Publication:
        """Publish again, which updates the post. One under way stays unchanged. Raises ApprovalRequired."""
        if present.article_id is not None:
            article = await tx[Articles].get(present.tenant_id, present.article_id)
            await check_approved(tx, article, request, integration.provider)
        return await self._request_again(tx, integration, present, request)

    async def _request_again(
        self, tx: Transaction, integration: Integration, present: Publication, request: PostRequest
    ) -> Publication:
        now = self.clock.now()
        if present.status is PublicationStatus.PENDING and not waits(present, now):
            return present
        if present.job_id is not None:
            await tx[Jobs].cancel(present.job_id)
        job = self._job(integration, request, present.id, now)
        await tx[Jobs].enqueue(job)
        return await tx[Publications].save(present.requested_again(request, job.id, now))

    async def update_posts(self, tx: Transaction, article: Article) -> tuple[Publication, ...]:
        """Publish again the posts at enabled integrations, except posts with a text of their own."""
        enabled = {one.id: one for one in await tx[Integrations].list(article.tenant_id, enabled=True)}
        out = [
            publication
            for publication in await tx[Publications].of_article(article.tenant_id, article.id)
            if publication.status is PublicationStatus.PUBLISHED
            and publication.integration_id in enabled
            and publication.request.content is None
        ]
        return tuple([await self.repeat(tx, enabled[p.integration_id], p, p.request) for p in out])

    def _job(self, integration: Integration, request: PostRequest, id: PublicationId, now: datetime) -> Job:
        run_at = now
        if Feature.SCHEDULE not in self.targets.get(integration.provider).features:
            run_at = max(now, _time_of(request) or now)
        return Job(JobId(self.ids.new()), JobKind.PUBLISH, integration.tenant_id, id, run_at)


def _time_of(request: PostRequest) -> datetime | None:
    return request.scheduled_for if request.status is PostStatus.SCHEDULED else None


def is_scheduled(publication: Publication, now: datetime) -> bool:
    """Whether it waits for its time only, so that a new request may replace it."""
    time = _time_of(publication.request)
    return publication.status is PublicationStatus.PENDING and time is not None and time > now


def waits(publication: Publication, now: datetime) -> bool:
    """Whether nothing happens to it now: it waits for its time, or for another attempt."""
    retry_at = publication.retry_at
    return is_scheduled(publication, now) or (retry_at is not None and retry_at > now + MAX_RETRY_WATCHED)


@frozen
class PublishCommand:
    """A request to publish at one integration. `article_id`: None when the request brings title and content. `seen`:
    the hash of the article's text that the person has read; None: whatever it is now. `wait`: for the outcome."""

    caller: Caller
    integration_id: IntegrationId
    article_id: ArticleId | None
    request: PostRequest
    idempotency: IdempotencyKey | None = None
    seen: str | None = None
    wait: bool = True


@use_case
class Publish:
    """Waits for the outcome, since most targets answer within a second and a person likes to see it. `sleep`: waits
    that many seconds."""

    unit_of_work: UnitOfWork
    targets: PublishingTargets
    request_publication: RequestPublication
    clock: Clock
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    wait_seconds: float = WAIT_SECONDS

    async def to_integration(self, command: PublishCommand) -> Publication:
        """The publication after at most `wait_seconds`; the job continues by itself.

        Raises InvalidInput, NotPermitted, NotFound, NothingToPublish, EditOvertaken, ApprovalRequired,
        IdempotencyKeyReused."""
        caller, now = command.caller, self.clock.now()
        async with self.unit_of_work() as tx:
            integration = await tx[Integrations].get(caller.tenant_id, command.integration_id)
        check_request(command.request, self.targets.get(integration.provider), command.article_id is not None, now)
        require_role(caller, Role.EDITOR)
        if not integration.enabled:
            raise Conflict(f"The integration {integration.name!r} is switched off.")

        async def record() -> Publication:
            async with self.unit_of_work() as tx:
                earlier = await previous_result(tx, caller.tenant_id, command.idempotency, now)
                if earlier is not None:
                    return await tx[Publications].get(caller.tenant_id, PublicationId(earlier))
                article = await _article(tx, caller.tenant_id, command.article_id)
                if article is not None and command.seen not in (None, article.text_hash):
                    raise EditOvertaken("Somebody else changed the text since you read it.")
                made = await self.request_publication(tx, integration, article, command.request)
                await record_result(tx, caller.tenant_id, command.idempotency, made.id, now)
                return made

        publication = await retry_overtaken(record)
        if not command.wait:
            return publication
        [settled] = await self._wait_for(caller.tenant_id, [publication])
        return settled

    async def article(
        self, caller: Caller, article_id: ArticleId, idempotency: IdempotencyKey | None
    ) -> list[Publication]:
        """Publish to every enabled integration; a failing one does not affect the others.

        Raises NotPermitted, NotFound, NoIntegration, NothingToPublish, ApprovalRequired, IdempotencyKeyReused."""
        require_role(caller, Role.EDITOR)
        now = self.clock.now()

        async def record() -> list[Publication]:
            async with self.unit_of_work() as tx:
                article = await _article(tx, caller.tenant_id, article_id)
                assert article is not None
                integrations = await tx[Integrations].list(caller.tenant_id, enabled=True)
                if not integrations:
                    raise NoIntegration(detail="There is no enabled integration to publish to. Connect one first.")
                if await previous_result(tx, caller.tenant_id, idempotency, now) is None:
                    for integration in integrations:
                        await self.request_publication(tx, integration, article, PostRequest())
                    await record_result(tx, caller.tenant_id, idempotency, article_id, now)
                enabled = {integration.id for integration in integrations}
                publications = await tx[Publications].of_article(caller.tenant_id, article_id)
                return [p for p in publications if p.integration_id in enabled]

        return await self._wait_for(caller.tenant_id, await retry_overtaken(record))

    async def _wait_for(self, tenant_id: TenantId, publications: Sequence[Publication]) -> list[Publication]:
        waited = 0.0
        current = list(publications)
        while waited < self.wait_seconds and any(_under_way(p, self.clock.now()) for p in current):
            await self.sleep(POLL_SECONDS)
            waited += POLL_SECONDS
            async with self.unit_of_work() as tx:
                current = await tx[Publications].get_many(tenant_id, [p.id for p in current])
        return current


def _under_way(publication: Publication, now: datetime) -> bool:
    return publication.status is PublicationStatus.PENDING and not waits(publication, now)


async def _article(tx: Transaction, tenant_id: TenantId, article_id: ArticleId | None) -> Article | None:
    """Raises NotFound, NothingToPublish."""
    if article_id is None:
        return None
    article = await tx[Articles].get(tenant_id, article_id)
    if not has_words(article):
        raise NothingToPublish("The article has no text yet.")
    return article
