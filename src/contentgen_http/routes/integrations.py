"""Where to publish, and publishing there."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.model.ids import ArticleId, IntegrationId, PublicationId
from contentgen_core.model.publication import PublicationStatus
from contentgen_core.ports.publishing import PublishFailed
from contentgen_http.api.operation import KIB, operation
from contentgen_http.api.requests import (
    TenantRequest,
    idempotency_key,
    path_id,
    read_body,
    read_object,
    read_query,
)
from contentgen_http.services import Services
from contentgen_http.wire import integrations as wire
from contentgen_http.wire.base import Done, absent_as_none
from contentgen_http.wire.publications import (
    Publication,
    PublicationMark,
    PublicationsToVerify,
    PublicationsVerified,
    Published,
    PublishRequest,
    RetryQuery,
)

TAG: Final = "Integrations"


def integration_id(text: str) -> IntegrationId:
    return IntegrationId(path_id("integration", text))


class IntegrationRoutes(Controller):
    services: Services

    @operation("GET", "/integrations", tag=TAG, answer=wire.IntegrationList)
    async def list_integrations(self, request: TenantRequest) -> wire.IntegrationList:
        """List integrations.

        The places that you publish to, without their secrets.
        """
        return wire.IntegrationList.of(await self.services.publishing.integrations.list(request.user))

    @operation(
        "POST",
        "/integrations",
        tag=TAG,
        body=wire.NewIntegration,
        answer=wire.IntegrationConnected,
        raises=(errors.NotPermitted, errors.QuotaExceeded, errors.ConnectionTestFailed),
        example={
            "provider": "webhook",
            "name": "Our receiver",
            "credentials": {"url": "https://www.example.com/hooks/contentgen"},
        },
        example_of="With a receiver of yours.",
        slow=True,
    )
    async def connect_integration(self, request: TenantRequest) -> wire.IntegrationConnected:
        """Connect a place to publish to.

        The connection is tested first; credentials that the target refuses are a 400 with its reason. Secrets are
        stored encrypted and never shown again. For admins and owners.
        """
        body = await read_body(request, wire.NewIntegration)
        made = await self.services.publishing.integrations.create(body.to_command(request.user))
        return wire.IntegrationConnected(integration=wire.Integration.of(made))

    @operation("GET", "/integrations/providers", tag=TAG, answer=wire.ProviderList)
    async def list_providers(self, request: TenantRequest) -> wire.ProviderList:
        """List providers.

        The kinds of targets: what each needs to be connected, what it can do and what it cannot.
        """
        return wire.ProviderList.of(self.services.publishing.integrations.providers())

    @operation(
        "GET",
        "/integrations/providers/{provider:str}/options",
        tag=TAG,
        query=wire.OptionsQuery,
        answer=wire.ProviderOptions,
        raises=(errors.NotFound, PublishFailed),
        slow=True,
    )
    async def get_provider_options(self, request: TenantRequest, provider: FromPath[str]) -> wire.ProviderOptions:
        """Find out what can be chosen.

        With an integration its target is asked for categories, authors, sites, collections and the like.
        """
        query = read_query(request, wire.OptionsQuery)
        id = absent_as_none(query.integration_id)
        name = path_id("publishing provider", provider)
        fields = await self.services.publishing.integrations.options(
            request.user, name, IntegrationId(id) if id else None
        )
        return wire.ProviderOptions.of(name, fields)

    @operation("GET", "/integrations/{id:str}", tag=TAG, answer=wire.Integration, raises=(errors.NotFound,))
    async def get_integration(self, request: TenantRequest, id: FromPath[str]) -> wire.Integration:
        """Read an integration.

        Without its secrets; one that stopped working says why.
        """
        return wire.Integration.of(await self.services.publishing.integrations.get(request.user, integration_id(id)))

    @operation(
        "PATCH",
        "/integrations/{id:str}",
        tag=TAG,
        body=wire.IntegrationChanges,
        answer=wire.Integration,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConnectionTestFailed, errors.ConcurrentChange),
        example={"enabled": False},
        example_of="With an integration of yours.",
        slow=True,
    )
    async def edit_integration(self, request: TenantRequest, id: FromPath[str]) -> wire.Integration:
        """Change an integration.

        Secrets that are not sent stay. New credentials or settings are tested before they are kept. For admins and
        owners.
        """
        body = await read_body(request, wire.IntegrationChanges)
        command = body.to_command(request.user, integration_id(id))
        return wire.Integration.of(await self.services.publishing.integrations.change(command))

    @operation("DELETE", "/integrations/{id:str}", tag=TAG, answer=Done, raises=(errors.NotPermitted, errors.NotFound))
    async def delete_integration(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Disconnect a place.

        Its credentials are forgotten; what was published there stays. For admins and owners.
        """
        await self.services.publishing.integrations.delete(request.user, integration_id(id))
        return Done()

    @operation(
        "POST",
        "/integrations/{id:str}/test",
        tag=TAG,
        answer=wire.ConnectionTested,
        raises=(errors.NotPermitted, errors.NotFound),
        slow=True,
    )
    async def test_integration(self, request: TenantRequest, id: FromPath[str]) -> wire.ConnectionTested:
        """Test a connection.

        Asks the target whether the stored credentials work. For admins and owners.
        """
        tested = await self.services.publishing.integrations.test(request.user, integration_id(id))
        return wire.ConnectionTested.of(tested)

    @operation(
        "POST",
        "/integrations/{id:str}/publish",
        tag=TAG,
        body=PublishRequest,
        answer=Published,
        max_body=2 * KIB * KIB,
        idempotent=True,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.IdempotencyKeyReused),
        example={"title": "Heat pumps in winter", "content": "They *work*.", "status": "draft"},
        example_of="With an integration of yours.",
    )
    async def publish_to_integration(self, request: TenantRequest, id: FromPath[str]) -> Published:
        """Publish to one place.

        An article, or a title with content. Publishing an article again updates the post that is there, and never makes
        a second one. Waits half a minute at most for the outcome and then goes on by itself.
        """
        body, options = await read_object(request, PublishRequest)
        key = idempotency_key(request, f"publish to {id}", (body, options))
        command = body.to_command(request.user, integration_id(id), options, key)
        return Published.of(await self.services.publishing.publish.to_integration(command))

    @operation(
        "POST",
        "/publications/verify",
        tag=TAG,
        body=PublicationsToVerify,
        answer=PublicationsVerified,
        raises=(errors.NotPermitted, errors.NotFound),
        example={},
        slow=True,
    )
    async def verify_publications(self, request: TenantRequest) -> PublicationsVerified:
        """Look at what was published.

        Reads posts back from their targets: whether they are public, at which address, and whether somebody changed or
        removed them there (`finding`). Nothing is changed at a target. This also happens by itself: when the time of a
        scheduled post has come, every day, and every week for posts older than a month.
        """
        body = await read_body(request, PublicationsToVerify)
        verify, caller = self.services.publishing.verify, request.user
        if body.publication_ids is not UNSET:
            ids = [PublicationId(id) for id in dict.fromkeys(body.publication_ids)]
            return PublicationsVerified.of(await verify.these(caller, ids), 0)
        if body.article_id is not UNSET:
            return PublicationsVerified.of(await verify.article(caller, ArticleId(body.article_id)), 0)
        return PublicationsVerified.of([], await verify.all(caller))

    @operation("GET", "/publications/{id:str}", tag=TAG, answer=Publication, raises=(errors.NotFound,))
    async def get_publication(self, request: TenantRequest, id: FromPath[str]) -> Publication:
        """Follow a publication.

        What is known of a post at a target.
        """
        found = await self.services.publishing.publications.get(request.user, PublicationId(path_id("publication", id)))
        return Publication.of(found)

    @operation(
        "POST",
        "/publications/{id:str}/retry",
        tag=TAG,
        query=RetryQuery,
        answer=Publication,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def retry_publication(self, request: TenantRequest, id: FromPath[str]) -> Publication:
        """Publish once more.

        As it was asked for. Where a post was perhaps made the target is asked first; one that cannot be asked is taken
        to have none, so look there before. A post that was changed there stays as it is without `overwrite`, and one
        that was removed stays away without `anew`.
        """
        query = read_query(request, RetryQuery)
        again = await self.services.publishing.publications.retry(
            request.user,
            PublicationId(path_id("publication", id)),
            overwrite=query.overwrite,
            anew=query.anew,
        )
        return Publication.of(again)

    @operation(
        "POST",
        "/publications/{id:str}/cancel",
        tag=TAG,
        answer=Publication,
        raises=(errors.NotPermitted, errors.NotFound, errors.IllegalTransition, errors.ConcurrentChange),
    )
    async def cancel_publication(self, request: TenantRequest, id: FromPath[str]) -> Publication:
        """Stop publishing.

        What is under way, waits for its time, or for another attempt because the target was away. What the target has
        already stays there; where nobody knows whether it has it, the publication is `unknown`.
        """
        ended = await self.services.publishing.publications.cancel(
            request.user, PublicationId(path_id("publication", id))
        )
        return Publication.of(ended)

    @operation(
        "POST",
        "/publications/{id:str}/unpublish",
        tag=TAG,
        answer=Publication,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange, PublishFailed),
    )
    async def unpublish_publication(self, request: TenantRequest, id: FromPath[str]) -> Publication:
        """Take a post back as a draft.

        Nobody else can read it any more, and it is kept at its target. Said to be done after it was read back there.
        Where a target's API cannot do it (see its provider's `features`), a 409 says what to do.
        """
        withdrawn = await self.services.publishing.withdraw.unpublish(
            request.user, PublicationId(path_id("publication", id))
        )
        return Publication.of(withdrawn)

    @operation(
        "DELETE",
        "/publications/{id:str}/post",
        tag=TAG,
        answer=Publication,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange, PublishFailed),
    )
    async def delete_published_post(self, request: TenantRequest, id: FromPath[str]) -> Publication:
        """Delete a post at its target.

        Into its trash, where it has one. The publication is `removed` after the target was asked whether the post is
        gone; publishing again with `anew` makes another. Where a target's API cannot do it (see its provider's
        `features`), a 409 says what to do.
        """
        removed = await self.services.publishing.withdraw.delete(
            request.user, PublicationId(path_id("publication", id))
        )
        return Publication.of(removed)

    @operation(
        "POST",
        "/publications/{id:str}/mark",
        tag=TAG,
        body=PublicationMark,
        answer=Publication,
        raises=(errors.NotPermitted, errors.NotFound, errors.IllegalTransition, errors.ConcurrentChange),
        example={"status": "failed"},
        example_of="With a publication of yours.",
    )
    async def mark_publication(self, request: TenantRequest, id: FromPath[str]) -> Publication:
        """Say what became of a publication.

        After a look at the target: for one whose status is unknown, or failed although the post is there.
        """
        body = await read_body(request, PublicationMark)
        marked = await self.services.publishing.publications.mark(
            request.user,
            PublicationId(path_id("publication", id)),
            PublicationStatus(body.status),
            absent_as_none(body.url),
        )
        return Publication.of(marked)
