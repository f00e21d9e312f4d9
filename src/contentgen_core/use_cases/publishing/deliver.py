"""The job PUBLISH: bring one post about at its target, once, and find out what really stands there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

from attrs import frozen

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import PublicationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.job import Job
from contentgen_core.model.publication import PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature, Post, ProviderInfo, RemotePost
from contentgen_core.policies.articles.publishing import content_hash, is_in_requested_state, post_of
from contentgen_core.ports.publishing import LookupUnsupported, Publisher, PublishFailed, PublishingTargets, Refusal
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.jobs import CannotGoOn, JobFrame, subject_of

NO_TEXT = "The article has no text. Write or generate it, then publish again."
NOBODY_KNOWS = (
    "Nobody can tell whether {name} has the post: a call ended without an answer, and the target cannot be asked."
    " Look there, then mark this publication as published or failed, or publish again."
)


@frozen
class Delivery:
    """A publication with all that its call needs."""

    publication: Publication
    integration: Integration
    info: ProviderInfo
    publisher: Publisher
    post: Post
    content_hash: str

    @property
    def in_question(self) -> bool:
        """Whether the target has to be asked what became of an attempt before another is made."""
        publication = self.publication
        in_doubt = publication.in_doubt and publication.remote_id is None
        return in_doubt and Feature.IDEMPOTENT not in self.info.features

    @property
    def ready(self) -> bool:
        """Whether nothing stands before the call."""
        fixed = self.publication.remote_id is not None and Feature.UPDATE not in self.info.features
        return not (self.in_question or fixed)


@frozen
class DeliverPublication:
    """Each attempt is recorded before its call. Whoever finds an attempt without an outcome asks the target first; only
    a target that certainly has nothing is sent the post again."""

    frame: JobFrame
    targets: PublishingTargets
    connect: Connect
    renderer: ArticleRenderer

    async def __call__(self, job: Job) -> None:
        """Bring the publication of a claimed job to its end, or the job back into the queue."""
        await self.frame.run(job, self._work, self._give_up)

    async def _work(self, job: Job) -> None:
        try:
            delivery = await self._prepared(job)
            remote = await self._brought_about(job, delivery)
            seen = await self._read_back(delivery, remote)
        except PublishFailed as error:
            if error.refusal is Refusal.CREDENTIALS:
                await self._note_health(job, error.detail)
            raise
        await self._settle(job, delivery, seen)

    async def _prepared(self, job: Job) -> Delivery:
        """All that a call needs. Unless something is to be looked at first, its attempt is recorded with it: each
        transaction costs as much as making the call."""
        async with self.frame.fenced(job) as tx:
            publication = await self._publication(tx, job)
            try:
                integration = await tx.integrations.get(job.tenant_id, publication.integration_id)
            except NotFound as error:
                raise CannotGoOn("The integration was deleted.") from error
            article = None
            if publication.article_id is not None:
                article = await tx.articles.get(job.tenant_id, publication.article_id)
            if not integration.enabled:
                raise CannotGoOn(f"The integration {integration.name!r} is switched off.")
            if publication.request.content is None and not (article and article.content.strip()):
                raise CannotGoOn(NO_TEXT)
            info, now = self.targets.get(integration.provider), self.frame.clock.now()
            post = post_of(publication, article, info, self.renderer.slug, now)
            delivery = Delivery(publication, integration, info, self.connect(integration), post, content_hash(post))
            if delivery.ready:
                await tx.publications.save(publication.attempt_started(delivery.content_hash, now))
        return delivery

    async def _brought_about(self, job: Job, delivery: Delivery) -> RemotePost:
        publication, info, publisher, post = delivery.publication, delivery.info, delivery.publisher, delivery.post
        if delivery.in_question:
            found = await self._found(publication, info, publisher, post)
            if found is not None:
                publication = await self._save(job, lambda p: p.known_as(found.id, found.url))
        known = publication.remote_id
        if known is not None and Feature.UPDATE not in info.features:
            return await self._left_as_it_is(publication, info)
        if not delivery.ready:
            await self._save(job, lambda p: p.attempt_started(delivery.content_hash, self.frame.clock.now()))
        try:
            remote = await (publisher.create(post) if known is None else publisher.update(known, post))
        except PublishFailed as error:
            if not error.outcome_unknown:
                await self._save(job, Publication.without_effect)
            if known is not None and error.refusal is Refusal.GONE:
                raise CannotGoOn(
                    f"{info.name} no longer has the post; it was removed there. ({error.detail})"
                ) from error
            raise
        await self._save(job, lambda p: p.known_as(remote.id, remote.url))
        return remote

    async def _left_as_it_is(self, publication: Publication, info: ProviderInfo) -> RemotePost:
        """Raises CannotGoOn unless this very attempt, or one before it that had no answer, made the post."""
        if publication.published_at is not None or publication.remote_id is None:
            raise CannotGoOn(f"{info.name} cannot change a post that is published. Change it there.")
        return RemotePost(publication.remote_id, publication.request.status, publication.url)

    async def _found(
        self, publication: Publication, info: ProviderInfo, publisher: Publisher, post: Post
    ) -> RemotePost | None:
        assert publication.attempt is not None
        sure_at = publication.attempt.started_at + timedelta(seconds=info.found_after)
        wait = (sure_at - self.frame.clock.now()).total_seconds()
        if wait > 0:
            await asyncio.sleep(min(wait, info.found_after))
        try:
            return await publisher.find(post)
        except LookupUnsupported as error:
            raise CannotGoOn(NOBODY_KNOWS.format(name=info.name)) from error

    async def _read_back(self, delivery: Delivery, remote: RemotePost) -> RemotePost:
        """What the target says it has. Raises CannotGoOn when that is not what was asked for."""
        info, publisher, post = delivery.info, delivery.publisher, delivery.post
        try:
            seen = await publisher.read(remote.id)
        except LookupUnsupported:
            return remote
        if seen is None:
            raise CannotGoOn(f"{info.name} took the post, but does not have it now. Publish again, or look there.")
        if not is_in_requested_state(seen, post, self.frame.clock.now()):
            raise CannotGoOn(
                f"{info.name} has the post as {seen.status}, not {post.status}: may the account publish there?"
            )
        return seen if seen.url else RemotePost(seen.id, seen.status, remote.url)

    async def _settle(self, job: Job, delivery: Delivery, seen: RemotePost) -> None:
        now = self.frame.clock.now()
        async with self.frame.fenced(job) as tx:
            publication = await self._publication(tx, job)
            done = publication.succeeded(seen.id, seen.url, seen.status, delivery.content_hash, now)
            await tx.publications.save(done)
            if done.article_id is not None and seen.status is PostStatus.PUBLISHED:
                article = await tx.articles.get(job.tenant_id, done.article_id)
                if article.status not in (ArticleStatus.PUBLISHED, ArticleStatus.GENERATING):
                    await tx.articles.save(article.moved_to(ArticleStatus.PUBLISHED, now))
            await tx.jobs.finish(job)
        if delivery.integration.last_error is not None:
            await self._note_health(job, None)

    async def _save(self, job: Job, change: Callable[[Publication], Publication]) -> Publication:
        """Raises JobLost."""
        async with self.frame.fenced(job) as tx:
            return await tx.publications.save(change(await self._publication(tx, job)))

    async def _note_health(self, job: Job, reason: str | None) -> None:
        """Shown to people; whoever changes the integration meanwhile knows better."""
        now = self.frame.clock.now()
        with suppress(ConcurrentChange, NotFound):
            async with self.frame.unit_of_work() as tx:
                publication = await tx.publications.get(job.tenant_id, PublicationId(job.subject_id))
                current = await tx.integrations.get(job.tenant_id, publication.integration_id)
                if reason is not None:
                    await tx.integrations.save(current.failing(now, reason))
                elif current.last_error is not None:
                    await tx.integrations.save(current.connected(now))

    async def _give_up(self, tx: Transaction, job: Job, reason: str) -> None:
        publication = await self._publication(tx, job)
        await tx.publications.save(publication.ended(reason, self.frame.clock.now()))

    async def _publication(self, tx: Transaction, job: Job) -> Publication:
        found = tx.publications.get(job.tenant_id, PublicationId(job.subject_id))
        return await subject_of(job, found, lambda publication: publication.status is PublicationStatus.PENDING)
