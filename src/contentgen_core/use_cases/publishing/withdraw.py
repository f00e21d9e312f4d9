"""Taking posts back from their targets: as a draft again, or deleted. Either is read back before it is claimed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final, cast

from contentgen_core.errors import ConcurrentChange, Conflict, IllegalTransition, NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import PublicationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature, RemotePost
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.policies.articles.publication_check import apply_check
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.publishing import (
    Deletes,
    LookupUnsupported,
    Publisher,
    PublishFailed,
    PublishingTargets,
    Refusal,
    Unpublishes,
)
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.index_now.note import note_pages
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.events import record_publication_event

WITHDRAW_SECONDS: Final = 60.0
"""Most time for the target, which is asked twice."""
CANNOT: Final = {
    Feature.UNPUBLISH: "{name} cannot make a post a draft again by its API. Do it there, then have the publication"
    " verified.",
    Feature.DELETE: "{name} cannot delete a post by its API. Delete it there, then have the publication verified.",
}
STILL_THERE: Final = {
    Feature.UNPUBLISH: "it took the request, and the post is still {status} there",
    Feature.DELETE: "it took the request, and the post is still there",
}
DISCONNECTED: Final = (
    "The integration that the post was published by was deleted. Take the post back at its target, or connect the"
    " account again and publish once more: that adopts the post."
)
NOT_SURE: Final = "nobody can tell yet whether the post is still there; have the publication verified"


@use_case
class WithdrawPublication:
    unit_of_work: UnitOfWork
    targets: PublishingTargets
    connect: Connect
    clock: Clock

    async def unpublish(self, caller: Caller, publication_id: PublicationId) -> Publication:
        """Make the post a draft at its target. Raises NotPermitted, NotFound, Conflict for a target that cannot or is
        not connected any more, IllegalTransition while it is being published, PublishFailed, ConcurrentChange."""
        return await self._withdraw(caller, publication_id, Feature.UNPUBLISH)

    async def delete(self, caller: Caller, publication_id: PublicationId) -> Publication:
        """Delete the post at its target, into its trash where it has one. Raises as `unpublish` does."""
        return await self._withdraw(caller, publication_id, Feature.DELETE)

    async def _withdraw(self, caller: Caller, publication_id: PublicationId, how: Feature) -> Publication:
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            publication = await tx[Publications].get(caller.tenant_id, publication_id)
            try:
                integration = await tx[Integrations].get(caller.tenant_id, publication.integration_id)
            except NotFound as error:
                raise Conflict(DISCONNECTED) from error
        remote_id = self._post_of(publication, integration, how)
        publisher, name = self.connect(integration), self.targets.get(integration.provider).name
        try:
            async with asyncio.timeout(WITHDRAW_SECONDS):
                seen = await self._withdraw_post(publisher, integration.provider, remote_id, how)
        except TimeoutError as error:
            raise PublishFailed(integration.provider, NOT_SURE, Refusal.TRANSIENT, outcome_unknown=True) from error
        now = self.clock.now()
        if how is Feature.DELETE:
            done = publication.removed(now)
        else:
            draft = seen or RemotePost(remote_id, PostStatus.DRAFT)
            done = apply_check(publication.unpublished(), draft, name, now)
        async with self.unit_of_work() as tx:
            saved = await tx[Publications].save(done)
            await note_pages(tx, publication, saved, now)
            await record_publication_event(tx, saved, now, WebhookEventType.PUBLICATION_WITHDRAWN)
        with suppress(ConcurrentChange, NotFound):  # whoever changed the article meanwhile knows what it is to be
            await self._article_follows(saved)
        return saved

    async def _article_follows(self, publication: Publication) -> None:
        """Unpublish an article that nobody can read anywhere any more. Raises NotFound, ConcurrentChange."""
        if publication.article_id is None:
            return
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(publication.tenant_id, publication.article_id)
            posts = await tx[Publications].of_article(publication.tenant_id, publication.article_id)
            public = article.is_public or any(post.is_public for post in posts)
            if article.status is ArticleStatus.PUBLISHED and not public:
                await tx[Articles].save(article.moved_to(ArticleStatus.DRAFT, self.clock.now()))

    def _post_of(self, publication: Publication, integration: Integration, how: Feature) -> str:
        """The id of the post. Raises IllegalTransition, Conflict."""
        info = self.targets.get(integration.provider)
        if publication.status is PublicationStatus.PENDING:
            raise IllegalTransition("The post is being published. Cancel that, or wait for its end.")
        if publication.remote_id is None or publication.status is PublicationStatus.REMOVED:
            raise Conflict(f"There is no post at {info.name} that is known here.")
        if how not in info.features:
            raise Conflict(CANNOT[how].format(name=info.name))
        if not integration.enabled:
            raise Conflict(f"The integration {integration.name!r} is switched off.")
        return publication.remote_id

    async def _withdraw_post(
        self, publisher: Publisher, provider: str, remote_id: str, how: Feature
    ) -> RemotePost | None:
        """Withdraw the post, and return it as it is afterwards; None when it is gone, or where the target cannot be
        asked. After a call without an answer the target is read. Raises PublishFailed unless the post is as
        requested."""
        lost: PublishFailed | None = None
        try:
            if how is Feature.DELETE:
                await cast(Deletes, publisher).delete(remote_id)
            else:
                await cast(Unpublishes, publisher).unpublish(remote_id)
        except PublishFailed as error:
            if error.refusal is not Refusal.GONE and not error.outcome_unknown:
                raise
            lost = error
        try:
            seen = await publisher.read(remote_id)
        except (LookupUnsupported, PublishFailed) as error:
            if lost is None and isinstance(error, LookupUnsupported):
                return None
            if lost is not None and lost.refusal is Refusal.GONE:
                return None
            raise PublishFailed(provider, NOT_SURE, Refusal.TRANSIENT, outcome_unknown=True) from error
        if seen is None or (how is Feature.UNPUBLISH and seen.status is PostStatus.DRAFT):
            return seen
        raise lost or PublishFailed(provider, STILL_THERE[how].format(status=seen.status), Refusal.INVALID)
