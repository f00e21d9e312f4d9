"""A call that was held up on its way makes a second post, which is found and deleted again."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import INFO, MemoryTarget
from contentgen_core.model.publication import PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature, Post
from tests.support.house import House, open_house
from tests.support.publishing import again, failing, later, no_answer, published


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def published_in_doubt(house: House, **request: object) -> tuple[Publication, Post]:
    """A publication whose first call got no answer, and the post that this call is still to make."""
    house.target.before = failing("create", error=no_answer)
    publication = await published(house, **request)
    assert (publication.status, house.target.calls.count("create")) == (PublicationStatus.PUBLISHED, 2)
    [post] = house.target.posts.values()
    return publication, post


async def test_the_twin_of_a_public_post_is_deleted_within_minutes(house: House) -> None:
    publication, late = await published_in_doubt(house)
    seen = await later(house, publication, minutes=1)
    assert seen.twins_removed == 0
    house.target.posts["99"] = late
    seen = await later(house, publication, minutes=2)
    assert [*house.target.posts] == [publication.remote_id]
    assert (seen.status, seen.twins_removed, seen.error) == (PublicationStatus.PUBLISHED, 1, None)


async def test_it_is_looked_for_ever_more_rarely_and_not_for_ever(house: House) -> None:
    await published_in_doubt(house)
    for _ in range(6 * 72):
        house.clock.advance(minutes=10)
        await house.services.publishing.verify.due()
    assert 7 <= house.target.calls.count("copies") <= 16


async def test_the_text_may_have_been_changed_from_here_meanwhile(house: House) -> None:
    publication, late = await published_in_doubt(house)
    await again(house, publication, title="New")
    house.target.posts["99"] = late
    assert (await later(house, publication, minutes=5)).twins_removed == 1
    assert [post.title for post in house.target.posts.values()] == ["New"]


async def test_what_a_person_made_of_it_is_left_alone_and_told(house: House) -> None:
    publication, late = await published_in_doubt(house)
    for other in (evolve(late, markdown="A person's text."), evolve(late, status=PostStatus.DRAFT)):
        house.target.posts["99"] = other
        seen = await later(house, publication, minutes=30)
        assert [*house.target.posts] == [publication.remote_id, "99"]
        assert seen.twins_removed == 0
        assert "https://memory.example/99" in (seen.error or "")
    del house.target.posts["99"]
    assert (await later(house, publication, hours=2)).error is None


async def test_when_the_known_post_is_gone_nothing_else_is_deleted(house: House) -> None:
    publication, late = await published_in_doubt(house)
    house.target.posts = {"99": late}
    await later(house, publication, minutes=2)
    assert [*house.target.posts] == ["99"]


async def test_a_call_that_arrives_after_the_post_was_deleted_from_here_leaves_none(house: House) -> None:
    publication, late = await published_in_doubt(house)
    await house.services.publishing.withdraw.delete(house.caller, publication.id)
    house.target.posts["99"] = late
    seen = await later(house, publication, minutes=2)
    assert house.target.posts == {}
    assert (seen.status, seen.twins_removed) == (PublicationStatus.REMOVED, 1)


async def test_a_twin_that_stays_is_not_said_to_be_removed(house: House) -> None:
    publication, late = await published_in_doubt(house)
    house.target.posts["99"] = late
    house.target.before = lambda name: house.target.posts.update({"99": late}) if name == "after delete" else None
    seen = await later(house, publication, minutes=2)
    assert seen.twins_removed == 0
    assert "second post" in (seen.error or "")


async def test_without_a_call_in_doubt_nobody_looks(house: House) -> None:
    publication = await published(house)
    [post] = house.target.posts.values()
    house.target.posts["99"] = post  # a person's copy
    await later(house, publication, days=2)
    assert len(house.target.posts) == 2
    assert "copies" not in house.target.calls


async def test_targets_that_cannot_tell_are_not_asked() -> None:
    features = tuple(feature for feature in INFO.features if feature is not Feature.TWINS)
    async with open_house(target=MemoryTarget(evolve(INFO, features=features))) as house:
        publication, late = await published_in_doubt(house)
        house.target.posts["99"] = late
        await later(house, publication, minutes=2)
        assert len(house.target.posts) == 2
