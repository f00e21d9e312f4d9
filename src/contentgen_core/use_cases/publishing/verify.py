"""Looking at the posts at their targets: on a schedule, and when somebody asks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final

from contentgen_core.errors import ConcurrentChange, InvalidInput, NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, PublicationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Post, ProviderInfo, RemotePost
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.articles.for_readers import for_readers
from contentgen_core.policies.articles.publication_check import FAILED_CHECK_AGAIN, apply_check, failed_check
from contentgen_core.policies.articles.publishing import post_of
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.publishing import LookupUnsupported, PublishFailed, PublishingTargets
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.index_now.note import note_pages
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.knowledge.source_titles import with_present_titles
from contentgen_core.use_cases.publishing.twins import are_expected, without_twins
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.events import record_publication_event

BATCH: Final = 20
"""Posts that a process looks at in one round."""
AT_ONCE: Final = 4
"""Posts whose targets are asked at the same time."""
CLAIMED_FOR: Final = timedelta(minutes=10)
"""How long no other round takes what one has claimed; longer than a round lasts."""
MAX_ASKED: Final = 20
"""Publications that one request may have looked at while it waits."""
LOOK_SECONDS: Final = 60.0
"""Most time for one post, however often its target is asked."""


@use_case
class VerifyPublications:
    """Reads posts back and records what was found. Nothing is changed at a target, but for second posts that a call of
    ours made, held up on its way: they are deleted again.

    `in_background`: the unit of work of the scheduled round, `unit_of_work` that of requests."""

    unit_of_work: UnitOfWork
    in_background: UnitOfWork
    targets: PublishingTargets
    connect: Connect
    renderer: ArticleRenderer
    clock: Clock

    async def due(self) -> int:
        """Look at the publications that are due; return how many were. An unexpected error of one look is raised after
        all others, and that publication is looked at again after CLAIMED_FOR."""
        now = self.clock.now()
        async with self.in_background() as tx:
            claimed = await tx[Publications].claim_checks(now, now + CLAIMED_FOR, BATCH)
        outcomes = await self._outcomes(self.in_background, claimed)
        _raise_first(outcome for outcome in outcomes if not isinstance(outcome, NotFound))  # deleted meanwhile
        return len(claimed)

    async def these(self, caller: Caller, ids: Sequence[PublicationId]) -> list[Publication]:
        """Look at these posts now and give their publications back, in this order. Raises InvalidInput for more than
        MAX_ASKED, NotPermitted, NotFound."""
        if len(ids) > MAX_ASKED:
            raise InvalidInput.of("publicationIds", f"at most {MAX_ASKED}; leave it out to have all of them checked")
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            publications = await tx[Publications].get_many(caller.tenant_id, ids)
        return await self._look_at_all(self.unit_of_work, publications)

    async def article(self, caller: Caller, article_id: ArticleId) -> list[Publication]:
        """Look at the posts of an article. Raises NotPermitted, NotFound."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            await tx[Articles].get(caller.tenant_id, article_id)
            publications = await tx[Publications].of_article(caller.tenant_id, article_id)
        return await self._look_at_all(self.unit_of_work, publications)

    async def all(self, caller: Caller) -> int:
        """Schedule all posts of the tenant for the next rounds; return how many. Raises NotPermitted."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            return await tx[Publications].make_due(caller.tenant_id, self.clock.now())

    async def _look_at_all(self, unit_of_work: UnitOfWork, publications: Sequence[Publication]) -> list[Publication]:
        return _raise_first(await self._outcomes(unit_of_work, publications))

    async def _outcomes(
        self, unit_of_work: UnitOfWork, publications: Sequence[Publication]
    ) -> list[Publication | BaseException]:
        """Return for each the publication after a look, or the error of the look."""
        places = asyncio.Semaphore(AT_ONCE)

        async def one(publication: Publication) -> Publication:
            async with places:
                return await self._one(unit_of_work, publication)

        return await asyncio.gather(*map(one, publications), return_exceptions=True)

    async def _one(self, unit_of_work: UnitOfWork, publication: Publication) -> Publication:
        """Return the publication after a look; where it was changed meanwhile, its present state. Raises NotFound."""
        if publication.status is PublicationStatus.PENDING:
            return publication
        looked = await self._look(unit_of_work, publication)
        try:
            async with unit_of_work() as tx:
                saved = await tx[Publications].save(looked)
                await note_pages(tx, publication, saved, self.clock.now())
                if saved.status is not publication.status:
                    await record_publication_event(tx, saved, self.clock.now())
                await article_is_public(tx, saved, self.clock)
                return saved
        except (ConcurrentChange, NotFound):
            async with unit_of_work() as tx:
                return await tx[Publications].get(publication.tenant_id, publication.id)

    async def _look(self, unit_of_work: UnitOfWork, publication: Publication) -> Publication:
        now, tenant_id = self.clock.now(), publication.tenant_id
        name = publication.provider
        try:
            async with unit_of_work() as tx:
                integration = await tx[Integrations].get(tenant_id, publication.integration_id)
            name = self.targets.get(integration.provider).name
            if not integration.enabled:
                return failed_check(publication, "The integration is switched off.", now + FAILED_CHECK_AGAIN, now)
            async with asyncio.timeout(LOOK_SECONDS):
                return await self._look_at_post(unit_of_work, publication, integration, name)
        except NotFound:
            return failed_check(publication, "The integration was deleted.", None, now)
        except LookupUnsupported:
            return failed_check(publication, f"{name} cannot be asked for its posts.", None, now)
        except TimeoutError:
            return failed_check(publication, f"{name} did not answer in time.", now + FAILED_CHECK_AGAIN, now)
        except PublishFailed as error:
            return failed_check(publication, error.detail, now + FAILED_CHECK_AGAIN, now)

    async def _look_at_post(
        self, unit_of_work: UnitOfWork, publication: Publication, integration: Integration, name: str
    ) -> Publication:
        publisher, info = self.connect(integration), self.targets.get(integration.provider)
        if publication.remote_id is not None:
            seen = await publisher.read(publication.remote_id)
            looked = apply_check(publication, seen, name, self.clock.now())
            missed = seen is None and looked.status is not PublicationStatus.REMOVED
            if missed or not are_expected(publication, info, self.clock.now()):
                return looked
            return await without_twins(looked, publisher, await self._post(unit_of_work, publication, info), name)
        found: RemotePost | None = None
        if publication.in_doubt:
            found = await publisher.find(await self._post(unit_of_work, publication, info))
        now = self.clock.now()
        if found is None:
            return failed_check(publication, f"{name} has no such post.", publication.next_check(now), now)
        return apply_check(publication.known_as(found.id, found.url), found, name, now)

    async def _post(self, unit_of_work: UnitOfWork, publication: Publication, info: ProviderInfo) -> Post:
        """Return the post that should be at the target. Raises NotFound."""
        article = None
        if publication.article_id is not None:
            async with unit_of_work() as tx:
                stored = await tx[Articles].get(publication.tenant_id, publication.article_id)
                article = await with_present_titles(tx, stored)
            article = await asyncio.to_thread(for_readers, article, self.renderer.renumbered)
        return post_of(publication, article, info, self.renderer.slug, self.clock.now())


def _raise_first(outcomes: Iterable[Publication | BaseException]) -> list[Publication]:
    """The publications; raises the first exception among them."""
    publications = []
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
        publications.append(outcome)
    return publications


async def article_is_public(tx: Transaction, publication: Publication, clock: Clock) -> None:
    """Make the article of a publication PUBLISHED when its post is public. Raises NotFound."""
    if publication.article_id is None or publication.post_status is not PostStatus.PUBLISHED:
        return
    if publication.status is not PublicationStatus.PUBLISHED:
        return
    article = await tx[Articles].get(publication.tenant_id, publication.article_id)
    if article.status not in (ArticleStatus.PUBLISHED, ArticleStatus.GENERATING):
        await tx[Articles].save(article.moved_to(ArticleStatus.PUBLISHED, clock.now()))
