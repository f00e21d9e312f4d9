"""Targets that fail, and workers that die, while a post is made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import INFO, MemoryTarget
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.integration import IntegrationHealth
from contentgen_core.model.publication import (
    PublicationStatus,
)
from contentgen_core.model.publishing_target import Feature
from contentgen_core.ports.publishing import PublishFailed
from tests.support.house import House, open_house
from tests.support.mortal import died_after
from tests.support.publishing import (
    an_article,
    asked,
    connected,
    delivered,
    failing,
    invalid,
    no_answer,
    overloaded,
    refused,
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


class TestFaults:
    @pytest.mark.parametrize("moment", ["create", "after create"])
    async def test_after_a_lost_answer_the_target_is_asked_before_anything_is_repeated(
        self, house: House, moment: str
    ) -> None:
        integration, article_id = await connected(house), await an_article(house)
        house.target.before = failing(moment, error=no_answer)
        publication = await delivered(house, await asked(house, integration, article_id))
        assert publication.status is PublicationStatus.PUBLISHED
        assert len(house.target.posts) == 1
        after = house.target.calls[house.target.calls.index("create") + 1 :]
        assert "find" in after
        assert after.index("find") < (after.index("create") if "create" in after else len(after))

    async def test_what_cannot_be_asked_for_is_unknown_and_a_person_decides(self) -> None:
        target = MemoryTarget(evolve(INFO, features=(Feature.PUBLISH, Feature.UPDATE)))
        async with open_house(target=target) as house:
            integration, article_id = await connected(house), await an_article(house)
            target.before = failing("after create", error=no_answer)
            publication = await delivered(house, await asked(house, integration, article_id))
            assert publication.status is PublicationStatus.UNKNOWN
            assert publication.error is not None
            assert target.calls.count("create") == 1
            manage = house.services.publishing.publications
            url = "https://memory.example/seen"
            marked = await manage.mark(house.caller, publication.id, PublicationStatus.PUBLISHED, url)
            assert (marked.status, marked.url) == (PublicationStatus.PUBLISHED, url)
            assert await house.status(article_id) is ArticleStatus.PUBLISHED

    async def test_trying_again_what_is_unknown_makes_the_post_that_the_person_missed(self) -> None:
        target = MemoryTarget(evolve(INFO, features=(Feature.PUBLISH, Feature.UPDATE)))
        async with open_house(target=target) as house:
            integration, article_id = await connected(house), await an_article(house)
            target.before = failing("create", error=no_answer)
            publication = await delivered(house, await asked(house, integration, article_id))
            assert publication.status is PublicationStatus.UNKNOWN
            await house.services.publishing.publications.retry(house.caller, publication.id)
            assert (await delivered(house, publication)).status is PublicationStatus.PUBLISHED
            assert len(target.posts) == 1

    async def test_a_target_that_knows_repetitions_is_simply_sent_the_post_again(self) -> None:
        target = MemoryTarget(evolve(INFO, features=(Feature.PUBLISH, Feature.UPDATE, Feature.IDEMPOTENT)))
        async with open_house(target=target) as house:
            integration, article_id = await connected(house), await an_article(house)
            target.before = failing("create", error=no_answer)
            publication = await delivered(house, await asked(house, integration, article_id))
            assert publication.status is PublicationStatus.PUBLISHED
            assert target.calls.count("create") == 2

    async def test_a_busy_target_is_given_the_time_it_asks_for(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        house.target.before = failing("create", error=overloaded)
        publication = await asked(house, integration, article_id)
        await house.work()
        house.clock.advance(seconds=6)
        assert await house.work() == 0
        house.clock.advance(seconds=1.1)
        await house.work()
        assert (await delivered(house, publication)).status is PublicationStatus.PUBLISHED
        assert "find" not in house.target.calls

    async def test_a_permanent_refusal_is_not_repeated(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        house.target.before = failing("create", error=invalid, times=None)
        publication = await delivered(house, await asked(house, integration, article_id))
        assert publication.status is PublicationStatus.FAILED
        assert publication.error == "memory: title is too long"
        assert house.target.calls.count("create") == 1
        assert await house.status(article_id) is ArticleStatus.GENERATED

    async def test_credentials_that_stopped_working_show_on_the_integration_until_they_work_again(
        self, house: House
    ) -> None:
        integration, article_id = await connected(house), await an_article(house)
        house.target.before = failing("create", error=refused)
        publication = await delivered(house, await asked(house, integration, article_id))
        assert publication.status is PublicationStatus.FAILED
        shown = await house.services.publishing.integrations.get(house.caller, integration.id)
        assert (shown.health, shown.last_error) == (IntegrationHealth.FAILING, "memory: refused the key")
        await delivered(house, await asked(house, integration, article_id))
        shown = await house.services.publishing.integrations.get(house.caller, integration.id)
        assert (shown.health, shown.last_error) == (IntegrationHealth.CONNECTED, None)

    async def test_a_post_removed_at_the_target_is_said_to_be_gone_and_not_made_anew(self, house: House) -> None:
        integration, article_id = await connected(house), await an_article(house)
        await delivered(house, await asked(house, integration, article_id))
        house.target.posts.clear()
        publication = await delivered(house, await asked(house, integration, article_id))
        assert publication.status is PublicationStatus.FAILED
        assert "no longer has the post" in (publication.error or "")
        assert house.target.posts == {}

    async def test_one_target_that_fails_holds_no_other_back(self, house: House) -> None:
        first, second, article_id = await connected(house, "A"), await connected(house, "B"), await an_article(house)
        house.target.before = failing("create", error=invalid)
        publications = await house.services.publishing.publish.article(house.caller, article_id, None)
        assert {p.integration_id for p in publications} == {first.id, second.id}
        ended = [await delivered(house, publication) for publication in publications]
        assert {p.status for p in ended} == {PublicationStatus.PUBLISHED, PublicationStatus.FAILED}
        assert await house.status(article_id) is ArticleStatus.PUBLISHED

    @pytest.mark.parametrize(
        ("moment", "error"),
        [
            *((moment, no_answer) for moment in ("create", "after create", "update", "after update", "read", "find")),
            *((moment, overloaded) for moment in ("create", "update", "read", "find")),
        ],
    )
    @pytest.mark.parametrize("times", [1, 2])
    async def test_whatever_fails_for_a_while_there_is_one_post_in_the_end(
        self, house: House, moment: str, error: Callable[[], PublishFailed], times: int
    ) -> None:
        integration, article_id = await connected(house), await an_article(house)
        house.target.before = failing(moment, error=error, times=times)
        publication = await delivered(house, await asked(house, integration, article_id))
        assert publication.status is PublicationStatus.PUBLISHED
        again = await delivered(house, await asked(house, integration, article_id, title="Changed"))
        assert again.status is PublicationStatus.PUBLISHED
        assert [post.title for post in house.target.posts.values()] == ["Changed"]


class TestDeaths:
    async def test_a_worker_that_dies_at_any_moment_makes_no_second_post(self) -> None:
        for transactions in range(1, 12):
            async with open_house() as house:
                integration, article_id = await connected(house), await an_article(house)
                publication = await asked(house, integration, article_id)
                [job] = await house.claim("dying")
                died = await died_after(house, transactions, job)
                house.clock.advance(minutes=1)
                assert (await delivered(house, publication)).status is PublicationStatus.PUBLISHED
                assert len(house.target.posts) == 1
                if not died:
                    return
        raise AssertionError("a publishing takes fewer transactions than this")
