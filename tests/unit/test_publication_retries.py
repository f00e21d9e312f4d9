"""Posts of a target that was connected again, and posts that are tried again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import accumulate

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import INFO, MemoryTarget
from contentgen_core.errors import (
    IllegalTransition,
)
from contentgen_core.model.publication import Finding, PublicationStatus
from contentgen_core.model.publishing_target import WEBHOOK_DELAYS
from contentgen_core.ports.publishing import PublishFailed, Refusal
from tests.support.house import House, open_house
from tests.support.publishing import (
    an_article,
    asked,
    change_there,
    connected,
    delivered,
    failing,
    looked_at,
    no_answer,
    published,
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


class TestConnectedAgain:
    async def test_the_same_account_adopts_its_former_posts(self, house: House) -> None:
        first = await published(house)
        await house.services.publishing.integrations.delete(house.caller, first.integration_id)
        integration = await connected(house, "The same blog")
        second = await delivered(house, await asked(house, integration, first.article_id, title="New"))
        assert (second.status, second.remote_id, second.external_key) == (
            PublicationStatus.PUBLISHED, first.remote_id, first.external_key,
        )  # fmt: skip
        assert second.id != first.id
        assert [post.title for post in house.target.posts.values()] == ["New"]
        assert (await looked_at(house, second)).finding is Finding.INTACT

    async def test_what_people_changed_there_meanwhile_is_left_alone(self, house: House) -> None:
        first = await published(house)
        change_there(house, markdown="Somebody's better text.")
        integration = await connected(house, "The same blog")
        second = await delivered(house, await asked(house, integration, first.article_id))
        assert (second.status, second.finding) == (PublicationStatus.FAILED, Finding.CHANGED)
        assert len(house.target.posts) == 1

    async def test_another_account_gets_a_post_of_its_own(self, house: House) -> None:
        first = await published(house)
        [(id, post)] = house.target.posts.items()
        house.target.posts[id] = evolve(post, external_key="contentgen-of-somebody-else")  # the same id, not our post
        integration = await connected(house, "Another blog")
        second = await delivered(house, await asked(house, integration, first.article_id))
        assert second.status is PublicationStatus.PUBLISHED
        assert second.remote_id != first.remote_id

    @pytest.mark.parametrize("moment", ["find", "read", "update", "after update"])
    async def test_whatever_fails_meanwhile_there_is_one_post(self, house: House, moment: str) -> None:
        first = await published(house)
        integration = await connected(house, "The same blog")
        house.target.before = failing(moment, error=no_answer)
        second = await delivered(house, await asked(house, integration, first.article_id, title="New"))
        assert (second.status, len(house.target.posts)) == (PublicationStatus.PUBLISHED, 1)


class TestRetries:
    async def test_a_target_that_restarts_is_waited_for(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        back_at = house.clock.now() + timedelta(minutes=9)

        def away(name: str) -> None:
            if house.clock.now() < back_at:
                raise PublishFailed("memory", "HTTP 503", Refusal.TRANSIENT)

        house.target.before = away
        publication = await asked(house, integration, article_id)
        await house.work()
        shown = await house.services.publishing.publications.get(house.caller, publication.id)
        assert (shown.status, shown.retries, shown.error) == (PublicationStatus.PENDING, 1, "memory: HTTP 503")
        assert shown.retry_at == house.clock.now() + timedelta(seconds=2)
        done = await delivered(house, publication, rounds=20)
        assert (done.status, done.retry_at, len(house.target.posts)) == (PublicationStatus.PUBLISHED, None, 1)

    async def test_a_webhook_is_waited_for_as_standard_webhooks_advises(self) -> None:
        target = MemoryTarget(evolve(INFO, retry_delays=WEBHOOK_DELAYS))
        async with open_house(target=target) as house:
            integration, article_id = await connected(house), await an_article(house)
            target.before = failing("create", error=lambda: PublishFailed("m", "away", Refusal.TRANSIENT), times=None)
            publication = await asked(house, integration, article_id)
            started, times = house.clock.now(), []
            for _ in range(20):
                await house.work()
                publication = await house.services.publishing.publications.get(house.caller, publication.id)
                if publication.retry_at is None:
                    break
                times.append((publication.retry_at - started).total_seconds())
                house.clock.advance(seconds=(publication.retry_at - house.clock.now()).total_seconds())
            assert times == list(accumulate(WEBHOOK_DELAYS))
            assert publication.status is PublicationStatus.FAILED
            assert target.calls.count("create") == len(WEBHOOK_DELAYS) + 1

    async def test_what_waits_can_be_cancelled_or_asked_for_again_at_once(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        house.target.before = failing("create", error=lambda: PublishFailed("m", "x", Refusal.LIMITED, retry_after=9e9))
        publication = await asked(house, integration, article_id)
        await house.work()
        waiting = await house.services.publishing.publications.get(house.caller, publication.id)
        assert waiting.retry_at == house.clock.now() + timedelta(hours=1)
        cancelled = await house.services.publishing.publications.cancel(house.caller, publication.id)
        assert (cancelled.status, cancelled.retry_at) == (PublicationStatus.FAILED, None)
        with pytest.raises(IllegalTransition):
            await house.services.publishing.publications.cancel(house.caller, publication.id)
        house.clock.advance(hours=2)
        assert await house.work() == 0
        house.target.before = failing("create", error=lambda: PublishFailed("m", "x", Refusal.LIMITED, retry_after=900))
        assert (await asked(house, integration, article_id)).status is PublicationStatus.PENDING
        await house.work()
        await asked(house, integration, article_id)
        await house.work()
        assert len(house.target.posts) == 1
