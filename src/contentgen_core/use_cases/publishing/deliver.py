"""The job PUBLISH: create or update one post at its target, once, and read back the target's content."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from attrs import evolve, field, frozen

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.approval import ApprovalRequired
from contentgen_core.model.article import Article
from contentgen_core.model.ids import IntegrationId, PublicationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.job import Job
from contentgen_core.model.publication import Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature, Post, ProviderInfo, RemotePost
from contentgen_core.policies.articles.ai_mark import with_ai_mark
from contentgen_core.policies.articles.for_readers import for_readers
from contentgen_core.policies.articles.internal_links import with_links
from contentgen_core.policies.articles.own_words import has_words
from contentgen_core.policies.articles.publication_check import CHANGED, GONE, is_changed
from contentgen_core.policies.articles.publishing import content_hash, is_in_requested_state, post_of
from contentgen_core.ports.publishing import LookupUnsupported, Publisher, PublishFailed, PublishingTargets, Refusal
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.ai_marks import mark_of
from contentgen_core.use_cases.approval.gate import check_approved
from contentgen_core.use_cases.host_places import HostBusy, HostPlaces, host_of_integration
from contentgen_core.use_cases.index_now.note import note_pages
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.jobs import MAX_REASON, AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.knowledge.source_titles import with_present_titles
from contentgen_core.use_cases.link_addresses import post_addresses
from contentgen_core.use_cases.publishing.verify import article_is_public
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import note_publication
from contentgen_core.use_cases.webhooks.events import record_publication_event

MAX_REQUESTED_SECONDS = 3_600.0
"""The most patience that a target is given at its request."""
NO_TEXT = "The article has no text. Write or generate it, then publish again."
OUTCOME_UNKNOWN = (
    "Nobody can tell whether {name} has the post: a call ended without an answer, and the target cannot be asked."
    " Look there, then mark this publication as published or failed, or publish again."
)


@frozen
class Delivery:
    """A publication with everything its call needs. `formers`: publications of the same article at other integrations
    of this kind of target, before the first call: perhaps the same account was connected again. `article`: whose text
    is sent, as it is stored; None for a text of its own."""

    publication: Publication
    integration: Integration
    info: ProviderInfo
    publisher: Publisher
    post: Post
    content_hash: str
    formers: tuple[Publication, ...] = ()
    article: Article | None = None

    @property
    def needs_lookup(self) -> bool:
        """Whether the target has to be asked for the post of an earlier attempt before another is made."""
        publication = self.publication
        in_doubt = publication.in_doubt and publication.remote_id is None
        return in_doubt and Feature.IDEMPOTENT not in self.info.features

    @property
    def ready(self) -> bool:
        """Whether the call can be made without a lookup."""
        fixed = self.publication.remote_id is not None and Feature.UPDATE not in self.info.features
        return not (self.needs_lookup or fixed or self.formers)


@frozen
class _Sending:
    """The data of a delivery. `asked_at`: when the publication changed last. `article`: as it is stored; None for a
    text of its own. `addresses`: the targets of its links; `mark`: the AI use to state."""

    integration_id: IntegrationId
    host: str
    asked_at: datetime
    article: Article | None = None
    addresses: Mapping[str, str] = field(factory=dict)
    mark: AiUse = AiUse.NONE


@use_case
class DeliverPublication:
    """Delivers posts to targets. Each attempt is recorded before its call. After an attempt without an outcome the
    target is asked first; the post is sent again only to a target that certainly does not have it."""

    runner: AttemptRunner
    targets: PublishingTargets
    connect: Connect
    renderer: ArticleRenderer
    places: HostPlaces

    async def __call__(self, job: Job) -> None:
        """Bring the publication of a claimed job to its end, or the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        sending = await self._read_sending(job)
        try:
            places = self.places.place(job.tenant_id, sending.host, sending.integration_id, sending.asked_at)
            async with places as waited:
                await self._send(job, await self._read_sending(job) if waited else sending)
        except HostBusy as busy:
            async with self.runner.fenced(job) as tx:
                await tx[Jobs].postpone(job, self.runner.clock.now() + busy.pause)

    async def _send(self, job: Job, sending: _Sending) -> None:
        delivery = None
        try:
            delivery = await self._prepare(job, sending)
            remote = await self._create_or_update(job, delivery)
            seen = await self._read_back(delivery, remote)
        except PublishFailed as error:
            if error.refusal is Refusal.CREDENTIALS:
                await self._record_health(job, error.detail)
            if delivery is None or not error.retryable:
                raise
            self.places.pause(sending.integration_id, error.retry_after)
            await self._put_off(job, delivery, error)
        else:
            await self._settle(job, delivery, seen)

    async def _put_off(self, job: Job, delivery: Delivery, error: PublishFailed) -> None:
        """Repeat the attempt later, as often as the target's kind is given. Such an attempt is not one of the job's,
        which count workers that died. Raises JobFailed after the last."""
        delays, retries = delivery.info.retry_delays, delivery.publication.retries
        if retries >= len(delays):
            raise JobFailed(f"{error.detail} ({retries + 1} attempts)") from error
        requested = min(error.retry_after or 0.0, MAX_REQUESTED_SECONDS)
        now = self.runner.clock.now()
        retry_at = now + timedelta(seconds=max(delays[retries], requested))
        async with self.runner.fenced(job) as tx:
            publication = await self._publication(tx, job)
            await tx[Publications].save(publication.put_off(error.detail[:MAX_REASON], retry_at, now))
            await tx[Jobs].postpone(job, retry_at)

    async def _prepare(self, job: Job, sending: _Sending) -> Delivery:
        """Load what a call needs. Unless a lookup comes first, the attempt is recorded in the same transaction, since
        each transaction costs as much as a call."""
        stored = sending.article
        # Making of it what readers get takes too long for a transaction.
        article = stored and await asyncio.to_thread(self._for_readers, stored, sending.addresses, sending.mark)
        async with self.runner.fenced(job) as tx:
            publication = await self._publication(tx, job)
            integration = await self._integration(tx, publication)
            if not integration.enabled:
                raise JobFailed(f"The integration {integration.name!r} is switched off.")
            if publication.request.content is None and not (stored and has_words(stored)):
                raise JobFailed(NO_TEXT)
            info, now = self.targets.get(integration.provider), self.runner.clock.now()
            post = post_of(publication, article, info, self.renderer.slug, now)
            formers = await self._formers(tx, publication)
            publisher = self.connect(integration)
            sent = stored if publication.request.content is None else None
            delivery = Delivery(publication, integration, info, publisher, post, content_hash(post), formers, sent)
            if delivery.ready:
                await tx[Publications].save(publication.attempt_started(delivery.content_hash, now))
        return delivery

    def _for_readers(self, article: Article, addresses: Mapping[str, str], mark: AiUse) -> Article:
        return with_ai_mark(with_links(for_readers(article, self.renderer.renumbered), addresses), mark)

    async def _read_sending(self, job: Job) -> _Sending:
        """Read the data of the delivery. Raises JobFailed where the article's niche demands an approval that this very
        text does not have (any more)."""
        async with self.runner.unit_of_work() as tx:
            publication = await self._publication(tx, job)
            integration = await self._integration(tx, publication)
            host = host_of_integration(integration, self.targets.get(integration.provider))
            if publication.article_id is None:
                return _Sending(integration.id, host, publication.updated_at)
            stored = await tx[Articles].get(job.tenant_id, publication.article_id)
            try:
                await check_approved(tx, stored, publication.request, publication.provider)
            except ApprovalRequired as error:
                raise JobFailed(error.detail) from error
            addresses = await post_addresses(tx, stored, publication.integration_id)
            mark = await mark_of(tx, stored, publication.request.ai_mark)
            article = await with_present_titles(tx, stored)
            return _Sending(integration.id, host, publication.updated_at, article, addresses, mark)

    async def _integration(self, tx: Transaction, publication: Publication) -> Integration:
        """Raises JobFailed."""
        try:
            return await tx[Integrations].get(publication.tenant_id, publication.integration_id)
        except NotFound as error:
            raise JobFailed("The integration was deleted.") from error

    async def _formers(self, tx: Transaction, publication: Publication) -> tuple[Publication, ...]:
        if publication.article_id is None or publication.remote_id is not None or publication.attempt is not None:
            return ()
        others = await tx[Publications].of_article(publication.tenant_id, publication.article_id)
        return tuple(p for p in others if p.provider == publication.provider and p.remote_id and p.id != publication.id)

    async def _adopt_former_post(self, job: Job, delivery: Delivery) -> Delivery:
        """Take over the post of a former publication, if this account has it: under its id, and with our key in it."""
        for former in delivery.formers:
            post = evolve(delivery.post, external_key=former.external_key)
            with suppress(LookupUnsupported):
                found = await delivery.publisher.find(post)
                if found is not None and found.id == former.remote_id:
                    adopting = await self._save(job, lambda p, former=former: p.adopting(former))  # type: ignore[misc]
                    return evolve(delivery, publication=adopting, post=post)
        return delivery

    async def _create_or_update(self, job: Job, delivery: Delivery) -> RemotePost:
        delivery = await self._adopt_former_post(job, delivery)
        publication, info, publisher, post = delivery.publication, delivery.info, delivery.publisher, delivery.post
        if delivery.needs_lookup:
            found = await self._look_up(publication, info, publisher, post)
            if found is not None:
                publication = await self._save(job, lambda p: p.known_as(found.id, found.url))
        known = publication.remote_id
        if known is not None and Feature.UPDATE not in info.features:
            return await self._without_update(publication, info)
        if not delivery.ready:
            await self._save(job, lambda p: p.attempt_started(delivery.content_hash, self.runner.clock.now()))
        try:
            remote = await (
                self._create_post(job, delivery) if known is None else self._update_post(job, delivery, known)
            )
        except PublishFailed as error:
            if not error.outcome_unknown:
                earlier = None if known is None else delivery.publication.attempt
                await self._save(job, lambda p: evolve(p, attempt=earlier))
            raise
        await self._save(job, lambda p: p.answered(remote.id, remote.url))
        return remote

    async def _create_post(self, job: Job, delivery: Delivery) -> RemotePost:
        """Create the post. After an answer without information, such as a login page, the next attempt asks the
        target."""
        try:
            return await delivery.publisher.create(delivery.post)
        except PublishFailed as error:
            if error.outcome_unknown and error.refusal is Refusal.INVALID and Feature.FIND in delivery.info.features:
                raise PublishFailed(error.provider, error.message, Refusal.TRANSIENT, outcome_unknown=True) from error
            raise

    async def _update_post(self, job: Job, delivery: Delivery, remote_id: str) -> RemotePost:
        """Update the post, or create it again if it is gone and that was requested. After a call without an answer the
        target is read: it may have the new text. Raises JobFailed for a post that is gone, or was changed there."""
        publication, info, publisher, post = delivery.publication, delivery.info, delivery.publisher, delivery.post
        before = await self._read_before_update(delivery, remote_id)
        if before is None:
            return await self._create_again(job, delivery, "")
        ours = publication.attempt is not None  # an earlier attempt got no answer: the change may be its
        if not ours and is_changed(publication.fingerprint, before) and not publication.request.overwrite:
            await self._save(job, lambda p: p.found_changed(self.runner.clock.now()))
            raise JobFailed(CHANGED.format(name=info.name))
        try:
            return await publisher.update(remote_id, post)
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return await self._create_again(job, delivery, error.detail)
            if not error.outcome_unknown:
                raise
            with suppress(PublishFailed, LookupUnsupported):
                after = await publisher.read(remote_id)
                if after is not None and is_changed(before.fingerprint, after):
                    return after
            raise

    async def _read_before_update(self, delivery: Delivery, remote_id: str) -> RemotePost | None:
        """Return the post as it is before its update; None when it is gone. Nothing was changed when this fails."""
        try:
            with _ask_again_if_unclear():
                return await delivery.publisher.read(remote_id)
        except LookupUnsupported:
            return RemotePost(remote_id, delivery.post.status)
        except PublishFailed as error:
            raise PublishFailed(error.provider, error.message, error.refusal, retry_after=error.retry_after) from error

    async def _create_again(self, job: Job, delivery: Delivery, detail: str) -> RemotePost:
        """Create the post again. Raises JobFailed unless the request says to create a post that is gone once more. What
        the platform's administrators took back stays so."""
        now = self.runner.clock.now()
        if not delivery.publication.request.anew or delivery.info.platform_only:
            await self._save(job, lambda p: p.found_gone(now))
            reason = GONE.format(name=delivery.info.name)
            raise JobFailed(f"{reason} ({detail})" if detail else reason)
        await self._save(job, lambda p: p.forgotten().attempt_started(delivery.content_hash, now))
        return await self._create_post(job, delivery)

    async def _without_update(self, publication: Publication, info: ProviderInfo) -> RemotePost:
        """The post of an attempt of this request that got no answer, at a target that cannot update posts. Raises
        JobFailed if the post is of an earlier request."""
        if publication.published_at is not None or publication.remote_id is None:
            raise JobFailed(f"{info.name} cannot change a post that is published. Change it there.")
        return RemotePost(publication.remote_id, publication.request.status, publication.url)

    async def _look_up(
        self, publication: Publication, info: ProviderInfo, publisher: Publisher, post: Post
    ) -> RemotePost | None:
        assert publication.attempt is not None
        sure_at = publication.attempt.started_at + timedelta(seconds=info.found_after)
        wait = (sure_at - self.runner.clock.now()).total_seconds()
        if wait > 0:
            await asyncio.sleep(min(wait, info.found_after))
        try:
            with _ask_again_if_unclear():
                return await publisher.find(post)
        except LookupUnsupported as error:
            raise JobFailed(OUTCOME_UNKNOWN.format(name=info.name)) from error

    async def _read_back(self, delivery: Delivery, remote: RemotePost) -> RemotePost:
        """The post as the target has it. Raises JobFailed when it is not as requested."""
        info, publisher, post = delivery.info, delivery.publisher, delivery.post
        try:
            with _ask_again_if_unclear():
                seen = await publisher.read(remote.id)
        except LookupUnsupported:
            return remote
        if seen is None:
            raise JobFailed(f"{info.name} took the post, but does not have it now. Publish again, or look there.")
        if not is_in_requested_state(seen, post, self.runner.clock.now()):
            raise JobFailed(
                f"{info.name} has the post as {seen.status}, not {post.status}: may the account publish there?"
            )
        return evolve(seen, url=seen.url or remote.url, warnings=remote.warnings)

    async def _settle(self, job: Job, delivery: Delivery, seen: RemotePost) -> None:
        now = self.runner.clock.now()
        async with self.runner.fenced(job) as tx:
            publication = await self._publication(tx, job)
            done = publication.succeeded(
                seen.id, seen.url, seen.status, delivery.content_hash, now, seen.fingerprint, seen.warnings
            )
            await tx[Publications].save(done)
            await note_pages(tx, publication, done, now)
            await record_publication_event(tx, done, now)
            await article_is_public(tx, done, self.runner.clock)
            if delivery.article is not None and done.is_public:
                await note_publication(tx, delivery.article, now)
            await tx[Jobs].finish(job)
        if delivery.integration.last_error is not None:
            await self._record_health(job, None)

    async def _save(self, job: Job, change: Callable[[Publication], Publication]) -> Publication:
        """Raises JobLost."""
        async with self.runner.fenced(job) as tx:
            return await tx[Publications].save(change(await self._publication(tx, job)))

    async def _record_health(self, job: Job, reason: str | None) -> None:
        """Record the integration's health for people to see; a concurrent change of the integration takes
        precedence."""
        now = self.runner.clock.now()
        with suppress(ConcurrentChange, NotFound):
            async with self.runner.unit_of_work() as tx:
                publication = await tx[Publications].get(job.tenant_id, PublicationId(job.subject_id))
                current = await tx[Integrations].get(job.tenant_id, publication.integration_id)
                if reason is not None:
                    await tx[Integrations].save(current.failing(now, reason))
                elif current.last_error is not None:
                    await tx[Integrations].save(current.connected(now))

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        now = self.runner.clock.now()
        ended = await tx[Publications].save((await self._publication(tx, job)).ended(reason, now))
        await record_publication_event(tx, ended, now)

    async def _publication(self, tx: Transaction, job: Job) -> Publication:
        found = tx[Publications].get(job.tenant_id, PublicationId(job.subject_id))
        return await subject_of(job, found, lambda publication: publication.status is PublicationStatus.PENDING)


@contextmanager
def _ask_again_if_unclear() -> Iterator[None]:
    """Ask a target for a post that it may have: where its answer gives no information, it is asked again later."""
    try:
        yield
    except PublishFailed as error:
        if error.refusal is not Refusal.INVALID:
            raise
        raise PublishFailed(error.provider, error.message, Refusal.TRANSIENT) from error
