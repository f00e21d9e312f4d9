"""What happens to posts at their targets is seen, shown, and never overwritten or made up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import count

import pytest
from attrs import evolve, field, frozen

from contentgen_adapters.memory.publishing import INFO, MemoryPublisher, MemoryTarget
from contentgen_adapters.publishing.testing import a_post
from contentgen_core.errors import (
    AlreadyExists,
    ConcurrentChange,
    InvalidInput,
    NotFound,
    NotPermitted,
)
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import PublicationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import Finding, PostRequest, PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature, RemotePost
from contentgen_core.model.tenant import Role
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.testing import builders
from contentgen_core.use_cases.publishing.start import PublishCommand, RequestPublication
from contentgen_core.use_cases.publishing.verify import MAX_ASKED
from tests.support.house import House, open_house
from tests.support.publishing import (
    again,
    an_article,
    asked,
    change_there,
    connected,
    delivered,
    failing,
    later,
    looked_at,
    no_answer,
    published,
    refused,
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


class TestScheduledThere:
    async def scheduled(self, house: House) -> Publication:
        at = house.clock.now() + timedelta(hours=1)
        publication = await published(house, status=PostStatus.SCHEDULED, scheduled_for=at)
        assert publication.post_status is PostStatus.SCHEDULED
        return publication

    async def test_is_published_with_its_address_when_its_time_has_come(self, house: House) -> None:
        publication = await self.scheduled(house)
        assert (await later(house, publication, minutes=59)).checked_at == publication.checked_at
        change_there(house, status=PostStatus.PUBLISHED)
        house.target.address = "https://memory.example/final/{id}"
        seen = await later(house, publication, minutes=2)
        assert (seen.status, seen.post_status, seen.finding) == (
            PublicationStatus.PUBLISHED, PostStatus.PUBLISHED, Finding.INTACT,
        )  # fmt: skip
        assert (seen.url, seen.published_at) == ("https://memory.example/final/1", house.clock.now())
        assert publication.article_id is not None
        assert await house.status(publication.article_id) is ArticleStatus.PUBLISHED

    async def test_says_what_went_wrong_and_heals_when_the_target_does(self, house: House) -> None:
        publication = await self.scheduled(house)
        assert (await later(house, publication, minutes=61)).finding is Finding.INTACT
        for _ in range(6):
            seen = await later(house, publication, minutes=30)
        assert (seen.post_status, seen.finding) == (PostStatus.SCHEDULED, Finding.OVERDUE)
        assert "has not" in (seen.error or "")
        change_there(house, status=PostStatus.PUBLISHED)
        for _ in range(3):
            seen = await later(house, publication, hours=8)
        assert (seen.post_status, seen.finding, seen.error) == (PostStatus.PUBLISHED, Finding.INTACT, None)

    async def test_tells_that_it_was_removed_before(self, house: House) -> None:
        publication = await self.scheduled(house)
        house.target.posts.clear()
        seen = await later(house, publication, minutes=62)
        assert (seen.status, seen.finding) == (PublicationStatus.FAILED, Finding.DELETED)


class TestChangedThere:
    async def test_is_seen_and_not_overwritten_without_being_told_to(self, house: House) -> None:
        publication = await published(house)
        change_there(house, markdown="Somebody's better text.")
        assert (await looked_at(house, publication)).finding is Finding.CHANGED
        refused = await again(house, publication, title="New")
        assert (refused.status, refused.finding) == (PublicationStatus.FAILED, Finding.CHANGED)
        assert "overwrite" in (refused.error or "")
        assert [post.markdown for post in house.target.posts.values()] == ["Somebody's better text."]
        done = await again(house, publication, title="New", overwrite=True)
        assert (done.status, done.finding) == (PublicationStatus.PUBLISHED, Finding.INTACT)
        assert [post.title for post in house.target.posts.values()] == ["New"]

    async def test_is_seen_by_the_publishing_itself(self, house: House) -> None:
        publication = await published(house)
        change_there(house, title="Somebody's better title")
        assert (await again(house, publication)).finding is Finding.CHANGED

    async def test_is_no_change_when_it_was_ours_and_its_answer_was_lost(self, house: House) -> None:
        publication = await published(house)
        reads = count(1)

        def before(name: str) -> None:  # read, update, and the look after it without an answer
            if name == "after update" or (name == "read" and next(reads) == 2):
                house.target.before = before if name == "after update" else lambda _: None
                raise no_answer()

        house.target.before = before
        done = await again(house, publication, title="New")
        assert (done.status, [p.title for p in house.target.posts.values()]) == (PublicationStatus.PUBLISHED, ["New"])

    async def test_unpublished_there_is_seen(self, house: House) -> None:
        publication = await published(house)
        change_there(house, status=PostStatus.DRAFT)
        seen = await later(house, publication, days=1)
        assert (seen.post_status, seen.finding) == (PostStatus.DRAFT, Finding.UNPUBLISHED)

    async def test_a_draft_that_somebody_publishes_there_is_published(self, house: House) -> None:
        publication = await published(house, status=PostStatus.DRAFT)
        change_there(house, status=PostStatus.PUBLISHED)
        seen = await looked_at(house, publication)
        assert (seen.post_status, seen.finding) == (PostStatus.PUBLISHED, Finding.INTACT)
        assert seen.published_at is not None


class TestDeletedThere:
    async def test_is_failed_until_it_is_told_to_be_made_anew(self, house: House) -> None:
        publication = await published(house)
        house.target.posts.clear()
        seen = await later(house, publication, days=1)
        assert (seen.status, seen.finding) == (PublicationStatus.FAILED, Finding.DELETED)
        assert "anew" in (seen.error or "")
        assert (await again(house, publication)).status is PublicationStatus.FAILED
        assert house.target.posts == {}
        done = await again(house, publication, anew=True)
        assert (done.status, done.remote_id, done.finding) == (PublicationStatus.PUBLISHED, "2", Finding.INTACT)
        assert len(house.target.posts) == 1

    async def test_anew_updates_a_post_that_is_there(self, house: House) -> None:
        publication = await published(house)
        assert (await again(house, publication, anew=True)).remote_id == publication.remote_id

    async def test_anew_makes_one_post_whatever_fails(self, house: House) -> None:
        for moment in ("create", "after create", "read", "find"):
            publication = await published(house)
            house.target.posts.clear()
            house.target.before = failing(moment, error=no_answer)
            assert (await again(house, publication, anew=True)).status is PublicationStatus.PUBLISHED
            assert len(house.target.posts) == 1
            house.target.posts.clear()

    async def test_back_from_the_trash_is_published_again(self, house: House) -> None:
        publication = await published(house)
        kept = dict(house.target.posts)
        house.target.posts.clear()
        assert (await looked_at(house, publication)).status is PublicationStatus.FAILED
        house.target.posts.update(kept)
        assert (await looked_at(house, publication)).status is PublicationStatus.PUBLISHED

    async def test_a_retry_may_say_so_too(self, house: House) -> None:
        publication = await published(house)
        house.target.posts.clear()
        await house.services.publishing.publications.retry(house.caller, publication.id, anew=True)
        assert (await delivered(house, publication)).remote_id == "2"


class TestLostAnswers:
    async def test_an_update_that_took_effect_is_published(self, house: House) -> None:
        publication = await published(house)
        house.target.before = failing("after update", error=no_answer, times=None)
        done = await again(house, publication, title="New")
        assert (done.status, house.target.calls.count("update")) == (PublicationStatus.PUBLISHED, 1)

    async def test_an_update_of_which_nobody_knows_is_unknown_and_looked_at(self, house: House) -> None:
        publication = await published(house)

        def before(name: str) -> None:
            if name == "after update" or (name == "read" and "after update" in house.target.calls):
                raise no_answer()

        house.target.before = before
        unknown = await again(house, publication, title="New")
        assert unknown.status is PublicationStatus.UNKNOWN
        house.target.before = lambda _: None
        seen = await later(house, publication, hours=2)
        assert (seen.status, seen.finding) == (PublicationStatus.PUBLISHED, Finding.INTACT)

    async def test_an_update_that_had_no_effect_is_failed_once_that_is_seen(self, house: House) -> None:
        publication = await published(house)
        house.target.before = failing("update", error=no_answer, times=None)
        assert (await again(house, publication, title="New")).status is PublicationStatus.UNKNOWN
        seen = await looked_at(house, publication)
        assert seen.status is PublicationStatus.FAILED
        assert "as it was before" in (seen.error or "")

    async def test_a_page_in_place_of_the_answer_to_a_creation_is_asked_about(self, house: House) -> None:
        def page() -> PublishFailed:
            return PublishFailed("memory", "cannot be read", Refusal.INVALID, outcome_unknown=True)

        house.target.before = failing("after create", error=page)
        assert (await published(house)).status is PublicationStatus.PUBLISHED
        assert (house.target.calls.count("create"), len(house.target.posts)) == (1, 1)

    async def test_a_post_that_arrives_after_everybody_gave_up_is_found(self, house: House) -> None:
        house.target.before = failing("create", "find", error=no_answer, times=None)
        unknown = await published(house)
        assert unknown.status is PublicationStatus.UNKNOWN
        house.target.before = lambda _: None
        post = builders.publication(id=unknown.id).external_key
        house.target.posts["9"] = a_post(external_key=post)
        seen = await later(house, unknown, hours=2)
        assert (seen.status, seen.remote_id) == (PublicationStatus.PUBLISHED, "9")


class TestLooking:
    async def test_a_look_that_fails_says_so_and_claims_nothing(self, house: House) -> None:
        publication = await published(house)
        house.target.before = failing("read", error=refused, times=None)
        seen = await looked_at(house, publication)
        assert (seen.status, seen.finding) == (PublicationStatus.PUBLISHED, Finding.INTACT)
        assert seen.check_error == "memory: refused the key"
        house.target.before = lambda _: None
        assert (await later(house, publication, hours=1)).check_error is None

    async def test_a_target_that_cannot_be_asked_is_not_asked_again(self) -> None:
        target = MemoryTarget(evolve(INFO, features=(Feature.PUBLISH, Feature.UPDATE)))
        async with open_house(target=target) as house:
            publication = await published(house)
            seen = await later(house, publication, days=1)
            assert (seen.check_at, seen.check_error) == (None, "Memory cannot be asked for its posts.")

    async def test_without_its_integration_a_publication_stays_as_it_is(self, house: House) -> None:
        publication = await published(house)
        await house.services.publishing.integrations.delete(house.caller, publication.integration_id)
        seen = await looked_at(house, publication)
        assert (seen.status, seen.check_error) == (PublicationStatus.PUBLISHED, "The integration was deleted.")

    async def test_all_are_looked_at_on_request(self, house: House) -> None:
        publication = await published(house)
        house.target.posts.clear()
        assert await house.services.publishing.verify.all(house.caller) == 1
        assert (await later(house, publication, seconds=1)).finding is Finding.DELETED

    async def test_who_may_have_them_looked_at_and_how_many(self, house: House) -> None:
        verify = house.services.publishing.verify
        viewer = evolve(house.caller, role=Role.VIEWER)
        for call in (verify.all(viewer), verify.these(viewer, []), verify.article(viewer, await an_article(house))):
            with pytest.raises(NotPermitted):
                await call
        with pytest.raises(NotFound):
            await verify.these(house.caller, [PublicationId(builders.new_id())])
        with pytest.raises(InvalidInput):
            await verify.these(house.caller, [PublicationId(builders.new_id())] * (MAX_ASKED + 1))


async def test_whoever_asks_at_the_same_time_joins_the_publication_of_the_faster(house: House) -> None:
    integration, article_id = await connected(house), await an_article(house)
    publish = house.services.publishing.publish
    faster = await asked(house, integration, article_id)

    @frozen
    class Late(RequestPublication):
        """Another request was stored between the look and the insertion, once."""

        left: list[Exception] = field(factory=lambda: [AlreadyExists("one is there"), ConcurrentChange("changed")])

        async def __call__(
            self, tx: Transaction, integration: Integration, article: Article | None, request: PostRequest
        ) -> Publication:
            if self.left:
                raise self.left.pop()
            return await publish.request_publication(tx, integration, article, request)

    late = Late(publish.request_publication.targets, house.clock, publish.request_publication.ids)
    command = PublishCommand(house.caller, integration.id, article_id, PostRequest())
    assert (await evolve(publish, request_publication=late).to_integration(command)).id == faster.id


async def test_a_look_that_breaks_does_not_keep_the_others_of_its_round_from_being_stored(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    integration = await connected(house)
    broken, whole = [await delivered(house, await asked(house, integration, await an_article(house))) for _ in range(2)]
    answers = MemoryPublisher.read

    async def read(publisher: MemoryPublisher, remote_id: str) -> RemotePost | None:
        if remote_id == broken.remote_id:
            raise ZeroDivisionError
        await asyncio.sleep(0.01)  # still asked when the other look breaks
        return await answers(publisher, remote_id)

    monkeypatch.setattr(MemoryPublisher, "read", read)
    del house.target.posts[str(whole.remote_id)]
    house.clock.advance(days=1)
    with pytest.raises(ZeroDivisionError):
        await house.services.publishing.verify.due()
    assert asyncio.all_tasks() == {asyncio.current_task()}, "no look goes on by itself"
    stored = house.services.publishing.publications.get
    assert (await stored(house.caller, whole.id)).finding is Finding.DELETED
    kept = await stored(house.caller, broken.id)
    assert kept.check_at is not None
    assert kept.check_at > house.clock.now()
