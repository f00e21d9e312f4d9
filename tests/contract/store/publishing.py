"""Integrations and publications, each seen by its tenant alone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.ids import ArticleId, IntegrationId, JobId, PublicationId
from contentgen_core.model.integration import Integration, IntegrationHealth
from contentgen_core.model.publication import (
    Attempt,
    CallKind,
    PostRequest,
    PostStatus,
    Publication,
    PublicationStatus,
    Resend,
)
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.publications import (
    PublicationCounts,
    PublicationQuery,
    Publications,
    PublishedAddress,
)
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants


async def _integration(unit_of_work: UnitOfWork, **changes: object) -> Integration:
    if "tenant_id" not in changes:
        changes["tenant_id"] = (await given_tenant(unit_of_work)).id
    integration = builders.integration(**changes)
    async with unit_of_work() as tx:
        await tx[Integrations].add(integration)
    return integration


async def _publication(unit_of_work: UnitOfWork, **changes: object) -> Publication:
    """Of an article, unless `article_id` says otherwise."""
    tenant = await given_tenant(unit_of_work)
    if "article_id" not in changes:
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        changes["article_id"] = article.id
    publication = builders.publication(tenant_id=tenant.id, **changes)
    async with unit_of_work() as tx:
        await tx[Publications].add(publication)
    return publication


class IntegrationsContract:
    async def test_an_integration_is_given_back_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        integration = await _integration(
            unit_of_work,
            enabled=False,
            credentials={"site_url": "https://example.com/ü"},
            sealed="sealed text",
            secret_fields=("application_password",),
            settings={"map": {"title": "Name"}, "numbers": [1, 2.5], "flag": False},
            health=IntegrationHealth.FAILING,
            last_error="refused",
            tested_at=MOMENT,
        )
        async with unit_of_work() as tx:
            assert await tx[Integrations].get(integration.tenant_id, integration.id) == integration

    async def test_integrations_are_listed_and_counted_in_the_order_of_their_making(
        self, unit_of_work: UnitOfWork
    ) -> None:
        later = await _integration(unit_of_work, created_at=MOMENT + timedelta(seconds=1))
        first = await _integration(unit_of_work, tenant_id=later.tenant_id, enabled=False)
        await _integration(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[Integrations].list(later.tenant_id) == [first, later]
            assert await tx[Integrations].list(later.tenant_id, enabled=True) == [later]
            assert await tx[Integrations].list(later.tenant_id, enabled=False) == [first]
            assert await tx[Integrations].count(later.tenant_id) == 2

    async def test_a_changed_integration_has_the_next_revision_and_an_older_one_is_refused(
        self, unit_of_work: UnitOfWork
    ) -> None:
        integration = await _integration(unit_of_work)
        async with unit_of_work() as tx:
            saved = await tx[Integrations].save(evolve(integration, enabled=False))
        assert saved == evolve(integration, enabled=False, revision=integration.revision + 1)
        async with unit_of_work() as tx:
            assert await tx[Integrations].list(integration.tenant_id, enabled=False) == [saved]
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[Integrations].save(integration)

    async def test_a_deleted_integration_is_gone(self, unit_of_work: UnitOfWork) -> None:
        integration = await _integration(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Integrations].delete(integration.tenant_id, integration.id)
        async with unit_of_work() as tx:
            assert await tx[Integrations].list(integration.tenant_id) == []
            with pytest.raises(NotFound):
                await tx[Integrations].delete(integration.tenant_id, integration.id)

    async def test_all_integrations_can_be_walked_through(self, unit_of_work: UnitOfWork) -> None:
        made = sorted([(await _integration(unit_of_work)).id for _ in range(5)])
        seen: list[IntegrationId] = []
        async with unit_of_work() as tx:
            while page := await tx[Integrations].after(seen[-1] if seen else None, 2):
                seen += [integration.id for integration in page]
        assert seen == made

    @alien_ids
    async def test_no_integration_is_found_by_what_names_none_or_by_another_tenant(
        self, unit_of_work: UnitOfWork, alien: str
    ) -> None:
        integration = await _integration(unit_of_work)
        other = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            for tenant_id, id in ((integration.tenant_id, IntegrationId(alien)), (other.id, integration.id)):
                with pytest.raises(NotFound):
                    await tx[Integrations].get(tenant_id, id)
        for tenant_id, id in ((integration.tenant_id, IntegrationId(alien)), (other.id, integration.id)):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[Integrations].delete(tenant_id, id)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Integrations].save(evolve(integration, tenant_id=other.id))
        async with unit_of_work() as tx:
            assert await tx[Integrations].get(integration.tenant_id, integration.id) == integration

    async def test_an_integration_of_an_unknown_tenant_is_refused(self, unit_of_work: UnitOfWork) -> None:
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Integrations].add(builders.integration())


class PublicationsContract:
    async def test_a_publication_is_given_back_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        publication = await _publication(
            unit_of_work,
            request=PostRequest(
                title="Énergie",
                content="# Heat\n",
                excerpt="",
                slug="heat",
                tags=("a", "b"),
                categories=(),
                status=PostStatus.SCHEDULED,
                scheduled_for=MOMENT,
                featured_image="https://example.com/i.png",
                canonical_url="https://example.com/a",
                options={"newsletter": "weekly", "ids": [1, 2]},
            ),
            status=PublicationStatus.UNKNOWN,
            attempt=Attempt(CallKind.CREATE, MOMENT, "hash"),
            content_hash="hash",
            remote_id="7",
            url="https://example.com/7",
            post_status=PostStatus.DRAFT,
            error="no answer",
            published_at=MOMENT,
            job_id=JobId("j"),
            resent=Resend(MOMENT, "f"),
        )
        async with unit_of_work() as tx:
            assert await tx[Publications].get(publication.tenant_id, publication.id) == publication

    async def test_an_article_has_one_publication_an_integration(self, unit_of_work: UnitOfWork) -> None:
        publication = await _publication(unit_of_work)
        assert publication.article_id is not None
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[Publications].add(evolve(publication, id=PublicationId(builders.new_id())))
        other = evolve(
            publication,
            id=PublicationId(builders.new_id()),
            integration_id=IntegrationId(builders.new_id()),
            created_at=MOMENT + timedelta(seconds=1),
        )
        async with unit_of_work() as tx:
            await tx[Publications].add(other)
        async with unit_of_work() as tx:
            of_article = await tx[Publications].of_article(publication.tenant_id, publication.article_id)
            assert of_article == [publication, other]
            found = await tx[Publications].find(other.tenant_id, publication.article_id, other.integration_id)
            assert found == other

    async def test_several_are_given_back_in_the_order_of_their_ids(self, unit_of_work: UnitOfWork) -> None:
        one = await _publication(unit_of_work)
        two = evolve(one, id=PublicationId(builders.new_id()), article_id=None)
        foreign = await _publication(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Publications].add(two)
        async with unit_of_work() as tx:
            assert await tx[Publications].get_many(one.tenant_id, [two.id, one.id, two.id]) == [two, one, two]
            assert await tx[Publications].get_many(one.tenant_id, []) == []
            for missing in (foreign.id, PublicationId("\0")):
                with pytest.raises(NotFound):
                    await tx[Publications].get_many(one.tenant_id, [one.id, missing])

    async def test_content_that_is_no_article_may_be_published_again_and_again(self, unit_of_work: UnitOfWork) -> None:
        publication = await _publication(unit_of_work, article_id=None)
        again = evolve(publication, id=PublicationId(builders.new_id()))
        async with unit_of_work() as tx:
            await tx[Publications].add(again)
        async with unit_of_work() as tx:
            assert await tx[Publications].get(again.tenant_id, again.id) == again

    async def test_a_changed_publication_has_the_next_revision_and_an_older_one_is_refused(
        self, unit_of_work: UnitOfWork
    ) -> None:
        publication = await _publication(unit_of_work)
        changed = publication.attempt_started("hash", MOMENT)
        async with unit_of_work() as tx:
            saved = await tx[Publications].save(changed)
        assert saved == evolve(changed, revision=publication.revision + 1)
        async with unit_of_work() as tx:
            assert await tx[Publications].get(publication.tenant_id, publication.id) == saved
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[Publications].save(publication)

    async def test_what_is_due_to_be_checked_is_claimed_once(self, unit_of_work: UnitOfWork) -> None:
        until = MOMENT + timedelta(minutes=10)
        tenant, other = await given_tenant(unit_of_work), await given_tenant(unit_of_work)
        late, due, later, never = (
            builders.publication(tenant_id=tenant.id, check_at=at, remote_id="7", status=PublicationStatus.PUBLISHED)
            for at in (MOMENT - timedelta(hours=1), MOMENT, MOMENT + timedelta(seconds=1), None)
        )
        mine = {late.id, due.id, later.id, never.id}

        async def claimed(at: datetime, limit: int = 1_000) -> list[PublicationId]:
            async with unit_of_work() as tx:
                return [p.id for p in await tx[Publications].claim_checks(at, until, limit) if p.id in mine]

        async with unit_of_work() as tx:
            for publication in (due, late, later, never):
                await tx[Publications].add(publication)
        assert set(await claimed(MOMENT)) == {late.id, due.id}
        assert await claimed(MOMENT) == []
        assert set(await claimed(until)) == {late.id, due.id, later.id}
        async with unit_of_work() as tx:
            present = await tx[Publications].get(tenant.id, due.id)
            await tx[Publications].save(evolve(present, check_at=MOMENT + timedelta(hours=2)))
            assert await tx[Publications].make_due(tenant.id, MOMENT + timedelta(hours=1)) == 4
            assert await tx[Publications].make_due(other.id, MOMENT) == 0
        assert set(await claimed(MOMENT + timedelta(hours=1))) == mine

    async def test_a_page_holds_the_newest_that_are_asked_for(self, unit_of_work: UnitOfWork) -> None:
        one, other = await given_tenants(unit_of_work)
        article = builders.article(tenant_id=one.id, title="Masts", niche_key="sailing")
        await given(unit_of_work, article)
        blog, shop = IntegrationId(builders.new_id()), IntegrationId(builders.new_id())
        first = builders.publication(tenant_id=one.id, integration_id=blog, article_id=article.id)
        second = builders.publication(
            tenant_id=one.id, integration_id=blog, request=PostRequest(title="Sails"), status=PublicationStatus.FAILED
        )
        third = builders.publication(tenant_id=one.id, integration_id=shop)
        async with unit_of_work() as tx:
            for publication in (first, second, third, builders.publication(tenant_id=other.id, integration_id=blog)):
                await tx[Publications].add(publication)

        async def page(**asked: Any) -> list[tuple[PublicationId, str, str | None]]:
            async with unit_of_work() as tx:
                found = await tx[Publications].page(PublicationQuery(one.id, **asked))
            return [(each.publication.id, each.title, each.niche_key) for each in found]

        listed = [(third.id, "", None), (second.id, "Sails", None), (first.id, "Masts", "sailing")]
        assert await page() == listed
        assert await page(limit=2) == listed[:2]
        assert await page(before=second.id) == listed[2:]
        assert await page(status=PublicationStatus.FAILED) == listed[1:2]
        assert await page(integration_id=blog) == listed[1:]
        assert await page(integration_id=blog, status=PublicationStatus.PENDING) == listed[2:]
        assert await page(niche_key="sailing") == listed[2:]
        assert await page(niche_key="sailing", integration_id=shop) == []
        for nothing in ("\0", "a" * 300):
            assert await page(niche_key=nothing) == []
            assert await page(integration_id=IntegrationId(nothing)) == []
        async with unit_of_work() as tx:
            assert await tx[Publications].count(one.id, blog) == PublicationCounts(2, 1)
            assert await tx[Publications].count(other.id, shop) == PublicationCounts(0, 0)
            [found] = await tx[Publications].page(PublicationQuery(one.id, niche_key="sailing"))
            assert found.publication == first

    async def test_addresses_are_those_of_articles_that_are_published(self, unit_of_work: UnitOfWork) -> None:
        one, other = await given_tenants(unit_of_work)
        article = builders.article(tenant_id=one.id, title="Masts")
        await given(unit_of_work, article)
        out = {"tenant_id": one.id, "article_id": article.id, "status": PublicationStatus.PUBLISHED}
        first, second = "https://a.example.org/masts", "https://b.example.org/masts"
        async with unit_of_work() as tx:
            for changes in (
                out | {"url": first, "created_at": MOMENT},
                out | {"url": second, "created_at": MOMENT + timedelta(hours=1)},
                out | {"url": None},
                out | {"url": "https://c.example.org/", "status": PublicationStatus.FAILED},
                out | {"url": "https://d.example.org/", "article_id": None},
            ):
                await tx[Publications].add(builders.publication(**changes))
        async with unit_of_work() as tx:
            newest = [PublishedAddress(article.id, "Masts", url) for url in (second, first)]
            assert await tx[Publications].addresses(one.id, 9) == newest
            assert await tx[Publications].addresses(one.id, 1) == newest[:1]
            assert await tx[Publications].addresses(other.id, 9) == []

    async def test_publications_go_with_their_article(self, unit_of_work: UnitOfWork) -> None:
        publication = await _publication(unit_of_work)
        assert publication.article_id is not None
        async with unit_of_work() as tx:
            await tx[Articles].delete(publication.tenant_id, publication.article_id)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Publications].get(publication.tenant_id, publication.id)

    @alien_ids
    async def test_no_publication_is_found_by_what_names_none_or_by_another_tenant(
        self, unit_of_work: UnitOfWork, alien: str
    ) -> None:
        publication = await _publication(unit_of_work)
        assert publication.article_id is not None
        other = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            for tenant_id, id in ((publication.tenant_id, PublicationId(alien)), (other.id, publication.id)):
                with pytest.raises(NotFound):
                    await tx[Publications].get(tenant_id, id)
            assert await tx[Publications].of_article(other.id, publication.article_id) == []
            assert await tx[Publications].of_article(publication.tenant_id, ArticleId(alien)) == []
            integration_id = publication.integration_id
            assert await tx[Publications].find(other.id, publication.article_id, integration_id) is None
            assert await tx[Publications].find(publication.tenant_id, ArticleId(alien), integration_id) is None
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Publications].save(evolve(publication, tenant_id=other.id))

    async def test_a_publication_of_an_unknown_tenant_or_article_is_refused(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        unknown = ArticleId(builders.new_id())
        for publication in (builders.publication(), builders.publication(tenant_id=tenant.id, article_id=unknown)):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[Publications].add(publication)
