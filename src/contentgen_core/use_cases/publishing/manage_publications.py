"""Publications: reading them, retrying, and marking their outcome by hand."""

from __future__ import annotations

from attrs import evolve

from contentgen_core.errors import Faults, IllegalTransition
from contentgen_core.model.ids import ArticleId, PublicationId
from contentgen_core.model.publication import PostStatus, Publication, PublicationStatus, StepKind
from contentgen_core.model.publishing_target import Feature
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.web_address import check_web_address
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.publishing import PublishingTargets
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.publications import ListedPublication, PublicationQuery, Publications
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.publishing.start import RequestPublication
from contentgen_core.use_cases.publishing.verify import article_is_public
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.events import record_publication_event

CANCELLED = "Cancelled."
MAX_LISTED = 100
MARKS = frozenset({PublicationStatus.PUBLISHED, PublicationStatus.FAILED})


@use_case
class ManagePublications:
    unit_of_work: UnitOfWork
    targets: PublishingTargets
    request_publication: RequestPublication
    clock: Clock

    async def of_article(self, caller: Caller, article_id: ArticleId) -> list[Publication]:
        async with self.unit_of_work() as tx:
            return await tx[Publications].of_article(caller.tenant_id, article_id)

    async def page(self, query: PublicationQuery) -> list[ListedPublication]:
        """Publications of a tenant, the newest first; MAX_LISTED at most."""
        async with self.unit_of_work() as tx:
            return await tx[Publications].page(evolve(query, limit=min(query.limit, MAX_LISTED)))

    async def get(self, caller: Caller, publication_id: PublicationId) -> Publication:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx[Publications].get(caller.tenant_id, publication_id)

    async def retry(
        self, caller: Caller, publication_id: PublicationId, *, overwrite: bool = False, anew: bool = False
    ) -> Publication:
        """Publish again as it was requested. If a post may have been created, the target is asked first; for a target
        that cannot be asked there is none, since the person has looked. `overwrite`, `anew`: as in PostRequest. Raises
        NotPermitted, NotFound (also for the integration), ApprovalRequired."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            publication = await tx[Publications].get(caller.tenant_id, publication_id)
            integration = await tx[Integrations].get(caller.tenant_id, publication.integration_id)
            features = self.targets.get(integration.provider).features
            if publication.status is PublicationStatus.UNKNOWN and Feature.FIND not in features:
                publication = await tx[Publications].save(publication.without_effect())
            request = evolve(publication.request, overwrite=overwrite, anew=anew)
            return await self.request_publication.repeat(tx, integration, publication, request)

    async def cancel(self, caller: Caller, publication_id: PublicationId) -> Publication:
        """Stop a publishing that is under way, waits for its time, or for another attempt. What the target has already
        stays. Raises NotPermitted, NotFound, IllegalTransition."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            publication = await tx[Publications].get(caller.tenant_id, publication_id)
            if publication.status is not PublicationStatus.PENDING:
                raise IllegalTransition(f"There is nothing to cancel: the publication is {publication.status}.")
            if publication.job_id is not None:
                await tx[Jobs].cancel(publication.job_id)
            now = self.clock.now()
            ended = await tx[Publications].save(publication.ended(CANCELLED, now))
            await record_publication_event(tx, ended, now)
            return ended

    async def mark(
        self, caller: Caller, publication_id: PublicationId, status: PublicationStatus, url: str | None
    ) -> Publication:
        """Record an outcome that a person has seen at the target. Raises InvalidInput, NotPermitted, NotFound,
        IllegalTransition."""
        faults = Faults()
        if status not in MARKS:
            faults.add("status", "published or failed")
        if url is not None:
            faults.checked(check_web_address, url)
        faults.require_none()
        require_role(caller, Role.EDITOR)
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            publication = await tx[Publications].get(caller.tenant_id, publication_id)
            if status is PublicationStatus.FAILED:
                if publication.status is PublicationStatus.PUBLISHED:
                    raise IllegalTransition("A publication that is published cannot be marked as failed. Verify it.")
                noted = publication.moved_to(status, now).noted(StepKind.MARKED, now, status)
                marked = evolve(noted, attempt=None, error="Marked as not published.")
                await record_publication_event(tx, marked, now)
                return await tx[Publications].save(marked)
            remote_id = publication.remote_id or publication.external_key
            done = publication.succeeded(remote_id, url or publication.url, PostStatus.PUBLISHED, None, now)
            marked = evolve(done, history=publication.history).noted(StepKind.MARKED, now, status)
            await article_is_public(tx, marked, self.clock)
            await record_publication_event(tx, marked, now)
            return await tx[Publications].save(marked)
