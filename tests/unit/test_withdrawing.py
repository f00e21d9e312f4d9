"""Posts are taken back from their targets, and that is said once it was read back there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import INFO, MemoryTarget
from contentgen_core.errors import Conflict, IllegalTransition, NotFound, NotPermitted
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.publication import Finding, PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature
from contentgen_core.model.tenant import Role
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.ports.repositories.articles import Articles
from tests.support.house import House, open_house
from tests.support.publishing import again, an_article, asked, connected, delivered, looked_at, no_answer, published


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def unpublished(house: House, publication: Publication) -> Publication:
    return await house.services.publishing.withdraw.unpublish(house.caller, publication.id)


async def deleted(house: House, publication: Publication) -> Publication:
    return await house.services.publishing.withdraw.delete(house.caller, publication.id)


async def present(house: House, publication: Publication) -> Publication:
    return await house.services.publishing.publications.get(house.caller, publication.id)


class TestUnpublish:
    async def test_the_post_is_a_draft_which_nobody_takes_for_a_surprise(self, house: House) -> None:
        publication = await published(house)
        done = await unpublished(house, publication)
        assert (done.status, done.post_status, done.finding, done.error) == (
            PublicationStatus.PUBLISHED, PostStatus.DRAFT, Finding.INTACT, None,
        )  # fmt: skip
        assert [post.status for post in house.target.posts.values()] == [PostStatus.DRAFT]
        assert (await looked_at(house, publication)).finding is Finding.INTACT

    async def test_publishing_again_makes_it_public_again(self, house: House) -> None:
        publication = await published(house)
        await unpublished(house, publication)
        done = await again(house, publication)
        assert (done.post_status, done.remote_id) == (PostStatus.PUBLISHED, publication.remote_id)
        assert [post.status for post in house.target.posts.values()] == [PostStatus.PUBLISHED]

    async def test_a_lost_answer_is_settled_by_reading_back(self, house: House) -> None:
        publication = await published(house)
        house.target.before = lost("after unpublish")
        assert (await unpublished(house, publication)).post_status is PostStatus.DRAFT

    async def test_what_is_still_public_is_never_called_a_draft(self, house: House) -> None:
        publication = await published(house)
        house.target.before = lost("unpublish")
        with pytest.raises(PublishFailed):
            await unpublished(house, publication)
        assert await present(house, publication) == publication


class TestTheArticle:
    @pytest.mark.parametrize("withdraw", [unpublished, deleted])
    async def test_it_is_a_draft_again_with_its_last_public_post(
        self, house: House, withdraw: Callable[[House, Publication], Awaitable[Publication]]
    ) -> None:
        first, article_id = await connected(house, "One"), await an_article(house)
        one = await delivered(house, await asked(house, first, article_id))
        other = await delivered(house, await asked(house, await connected(house, "Two"), article_id))
        await withdraw(house, one)
        assert await house.status(article_id) is ArticleStatus.PUBLISHED
        await withdraw(house, other)
        assert await house.status(article_id) is ArticleStatus.DRAFT
        await again(house, one, anew=True)
        assert await house.status(article_id) is ArticleStatus.PUBLISHED

    async def test_it_stays_published_while_the_platform_shows_it(self, house: House) -> None:
        publication = await published(house)
        assert publication.article_id is not None
        async with house.services.ports.unit_of_work() as tx:
            article = await tx[Articles].get(house.caller.tenant_id, publication.article_id)
            await tx[Articles].save(evolve(article, is_public=True))
        await deleted(house, publication)
        assert await house.status(publication.article_id) is ArticleStatus.PUBLISHED

    async def test_what_others_do_at_the_target_leaves_it_alone(self, house: House) -> None:
        publication = await published(house)
        assert publication.article_id is not None
        house.target.posts.clear()
        assert (await looked_at(house, publication)).finding is Finding.DELETED
        assert await house.status(publication.article_id) is ArticleStatus.PUBLISHED


class TestDelete:
    async def test_the_post_is_gone_and_made_anew_only_when_told_to(self, house: House) -> None:
        publication = await published(house)
        done = await deleted(house, publication)
        assert house.target.posts == {}
        assert (done.status, done.finding, done.error, done.post_status, done.url, done.check_at) == (
            PublicationStatus.REMOVED, Finding.DELETED, None, None, None, None,
        )  # fmt: skip
        seen = await looked_at(house, publication)
        assert (seen.status, seen.error) == (PublicationStatus.REMOVED, None)
        refused = await again(house, publication)
        assert refused.status is PublicationStatus.FAILED
        assert "anew" in (refused.error or "")
        assert (await again(house, publication, anew=True)).status is PublicationStatus.PUBLISHED

    async def test_out_of_the_trash_it_is_published_again(self, house: House) -> None:
        publication = await published(house)
        kept = dict(house.target.posts)
        await deleted(house, publication)
        house.target.posts |= kept
        seen = await looked_at(house, publication)
        assert (seen.status, seen.post_status, seen.finding) == (
            PublicationStatus.PUBLISHED, PostStatus.PUBLISHED, Finding.INTACT,
        )  # fmt: skip

    @pytest.mark.parametrize("moment", ["delete", "after delete"])
    async def test_a_lost_answer_is_settled_by_reading_back(self, house: House, moment: str) -> None:
        publication = await published(house)
        house.target.before = lost(moment)
        if moment == "delete":
            with pytest.raises(PublishFailed):
                await deleted(house, publication)
            assert await present(house, publication) == publication
        else:
            assert (await deleted(house, publication)).status is PublicationStatus.REMOVED

    async def test_what_was_deleted_there_before_is_removed(self, house: House) -> None:
        publication = await published(house)
        house.target.posts.clear()
        assert (await deleted(house, publication)).status is PublicationStatus.REMOVED

    async def test_when_the_target_cannot_be_read_afterwards_nothing_is_claimed(self, house: House) -> None:
        publication = await published(house)
        house.target.before = lost("read")
        with pytest.raises(PublishFailed, match="verified"):
            await deleted(house, publication)
        assert await present(house, publication) == publication
        house.target.before = lambda _: None
        assert (await looked_at(house, publication)).finding is Finding.DELETED

    async def test_a_target_that_cannot_be_read_is_believed(self) -> None:
        features = tuple(feature for feature in INFO.features if feature is not Feature.FIND)
        async with open_house(target=MemoryTarget(evolve(INFO, features=features))) as house:
            publication = await published(house)
            assert (await deleted(house, publication)).status is PublicationStatus.REMOVED
            assert house.target.posts == {}


class TestRefused:
    async def test_where_the_api_cannot(self) -> None:
        features = tuple(set(INFO.features) - {Feature.UNPUBLISH, Feature.DELETE})
        async with open_house(target=MemoryTarget(evolve(INFO, features=features))) as house:
            publication = await published(house)
            calls = [*house.target.calls]
            with pytest.raises(Conflict, match="Do it there"):
                await unpublished(house, publication)
            with pytest.raises(Conflict, match="Delete it there"):
                await deleted(house, publication)
            assert house.target.calls == calls

    async def test_while_it_is_published_and_where_there_is_no_post(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        publication = await asked(house, integration, article_id)
        with pytest.raises(IllegalTransition):
            await deleted(house, publication)
        await house.services.publishing.publications.cancel(house.caller, publication.id)
        with pytest.raises(Conflict, match="no post"):
            await deleted(house, publication)

    async def test_where_nothing_is_connected_any_more(self, house: House) -> None:
        publication = await published(house)
        await house.services.publishing.integrations.delete(house.caller, publication.integration_id)
        with pytest.raises(Conflict, match="connect the account again"):
            await deleted(house, publication)

    async def test_to_whoever_may_not(self, house: House) -> None:
        publication = await published(house)
        withdraw = house.services.publishing.withdraw
        for caller, error in (
            (evolve(house.caller, role=Role.VIEWER), NotPermitted),
            (await house.other_tenant(), NotFound),
        ):
            with pytest.raises(error):
                await withdraw.delete(caller, publication.id)
            with pytest.raises(error):
                await withdraw.unpublish(caller, publication.id)
        assert len(house.target.posts) == 1

    async def test_by_the_target_with_its_reason(self, house: House) -> None:
        publication = await published(house)

        def forbidden(name: str) -> None:
            if name == "delete":
                raise PublishFailed("memory", "this user may not delete posts", Refusal.PERMISSION)

        house.target.before = forbidden
        with pytest.raises(PublishFailed, match="may not delete"):
            await deleted(house, publication)
        assert await present(house, publication) == publication


def lost(moment: str) -> Callable[[str], None]:
    def before(name: str) -> None:
        if name == moment:
            raise no_answer()

    return before
