"""A post's page in the console: what happened, what it means, and what can be done about it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import INFO, TOKEN
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, PublicationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import Attempt, CallKind, PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature
from contentgen_core.model.tenant import Role
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_http.console.times import moment_of, typed
from tests.support.browser import Browser, signed_in
from tests.support.http import NICHE, Api, open_api
from tests.support.team import joined

MARKUP = "<script>alert(1)</script>"
POSTS = "/console/publishing/posts"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def connected(api: Api) -> Integration:
    command = NewIntegration(api.house.caller, "memory", f"Blog {MARKUP}", True, {"token": TOKEN}, {})
    return await api.house.services.publishing.integrations.create(command)


async def an_article(api: Api) -> ArticleId:
    article = builders.article(
        tenant_id=api.house.caller.tenant_id, niche_key=NICHE, status=ArticleStatus.GENERATED, content="Heat [1].\n",
        title=f"Heat {MARKUP}",
    )  # fmt: skip
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article.id


async def published(api: Api, browser: Browser) -> str:
    """The address of the page of a post that was asked for by clicks."""
    target, article_id = await connected(api), await an_article(api)
    address = f"/console/articles/{article_id}/publish"
    await browser.get(address)
    await browser.follow(await browser.post(address, {"target": target.id, "when": "now"}))
    found = re.search(rf"{POSTS}/[\w-]+", browser.page)
    assert found, browser.page
    await browser.get(found.group())
    return found.group()


async def stored(api: Api, address: str) -> Publication:
    id = PublicationId(address.rpartition("/")[2])
    return await api.house.services.publishing.publications.get(api.house.caller, id)


async def change(api: Api, address: str, **changes: object) -> None:
    async with api.house.services.ports.unit_of_work() as tx:
        present = await tx[Publications].get(api.house.caller.tenant_id, PublicationId(address.rpartition("/")[2]))
        await tx[Publications].save(evolve(present, **changes))


async def test_a_post_is_followed_from_the_request_until_it_was_read_back(api: Api) -> None:
    browser = await signed_in(api)
    address = await published(api, browser)
    assert "It is being published." in browser.page
    assert f'hx-get="{address}/now"' in browser.page
    await api.house.work()
    part = await browser.get(f"{address}/now")
    assert "<html" not in part.text
    for words in (
        "The post is public",
        "The post was sent.",
        "Checked at the target: public",
        "https://memory.example/1",
    ):
        assert words in part.text
    assert "hx-get" not in part.text
    assert MARKUP not in (await browser.get(address)).text
    listed = await browser.get("/console/publishing")
    assert address in listed.text
    assert MARKUP not in listed.text


async def test_what_was_changed_at_the_target_is_replaced_after_a_question_alone(api: Api) -> None:
    browser = await signed_in(api)
    address = await published(api, browser)
    await api.house.work()
    api.house.target.posts["1"] = evolve(api.house.target.posts["1"], markdown="Theirs")
    await browser.get(address)
    await browser.follow(await browser.post(address, do="check"))
    assert "Someone edited the post" in browser.page
    assert "Checked: edited at the target." in browser.page
    await browser.get(f"{address}/ask?do=overwrite")
    assert "cannot be undone" in browser.page
    await browser.follow(await browser.post(address, do="overwrite"))
    await api.house.work()
    assert "Theirs" not in api.house.target.posts["1"].markdown
    assert (await browser.get(f"{address}/ask?do=check")).headers["location"] == address


async def test_a_post_is_taken_back_deleted_and_made_anew(api: Api) -> None:
    browser = await signed_in(api)
    address = await published(api, browser)
    await api.house.work()
    await browser.get(address)
    await browser.follow(await browser.post(address, do="draft"))
    assert api.house.target.posts["1"].status is PostStatus.DRAFT
    await browser.get(f"{address}/ask?do=delete")
    await browser.follow(await browser.post(address, do="delete"))
    assert api.house.target.posts == {}
    assert "deleted at the target, as requested" in browser.page
    await browser.follow(await browser.post(address, do="anew"))
    await api.house.work()
    assert (await stored(api, address)).status is PublicationStatus.PUBLISHED


async def test_unknown_is_explained_and_settled_by_what_a_person_saw(api: Api) -> None:
    browser = await signed_in(api)
    address = await published(api, browser)
    doubt = {"status": PublicationStatus.UNKNOWN, "attempt": Attempt(CallKind.CREATE, MOMENT, "hash")}
    await change(api, address, **doubt)
    await browser.get(address)
    assert "It is unknown whether the post is there" in browser.page
    assert "Check the target." in browser.page
    wrong = await browser.post(address, do="published", url="javascript:alert(1)")
    assert wrong.status_code == 400
    await browser.follow(await browser.post(address, do="published", url="https://blog.example/heat"))
    assert (await stored(api, address)).url == "https://blog.example/heat"
    assert "Someone saw it there." in browser.page
    await change(api, address, **doubt)
    await browser.get(address)
    await browser.follow(await browser.post(address, do="failed"))
    assert "Someone saw that it is not there." in browser.page
    api.house.target.info = evolve(INFO, features=(Feature.PUBLISH,))
    await change(api, address, **doubt)
    assert "This target cannot be checked" in (await browser.get(address)).text


async def test_of_a_target_that_cannot_be_asked_nothing_is_said_to_be_read_back(api: Api) -> None:
    browser = await signed_in(api)
    api.house.target.info = evolve(INFO, features=(Feature.PUBLISH,))
    address = await published(api, browser)
    await api.house.work()
    shown = await browser.get(address)
    assert "The target accepted the post." in shown.text
    assert "Checked at the target" not in shown.text.lower()


async def test_a_target_that_is_away_is_told_with_the_next_attempt_and_can_be_stopped(api: Api) -> None:
    def away(name: str) -> None:
        if name == "create":
            raise PublishFailed("memory", f"is away {MARKUP}", Refusal.TRANSIENT)

    browser = await signed_in(api)
    api.house.target.before = away
    address = await published(api, browser)
    for _ in range(6):
        await api.house.work()
        api.house.clock.advance(minutes=5)
    await api.house.work()
    shown = await browser.get(address)
    assert "Next attempt" in shown.text
    assert MARKUP not in shown.text
    await browser.follow(await browser.post(address, do="cancel"))
    assert "The post was not published." in browser.page
    again = await browser.post(address, do="cancel")
    assert again.status_code == 409
    assert "There is nothing to cancel" in again.text


async def test_a_vanished_target_gets_a_sentence_and_loses_nothing(api: Api) -> None:
    browser = await signed_in(api)
    address = await published(api, browser)
    await api.house.work()
    publication = await stored(api, address)
    await api.house.services.publishing.integrations.delete(api.house.caller, publication.integration_id)
    shown = await browser.get(address)
    assert "no longer connected" in shown.text
    assert 'name="do"' not in shown.text
    browser.page = (await browser.get("/console/publishing")).text
    refused = await browser.post(address, do="again")
    assert refused.status_code == 404
    assert "https://memory.example/1" in refused.text


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2027-03-28T01:59", "2027-03-28T00:59"),
        ("2027-03-28T02:30", "2027-03-28T01:30"),
        ("2027-03-28T03:00", "2027-03-28T01:00"),
        ("2027-10-31T02:30", "2027-10-31T00:30"),
        ("2027-10-31T03:00", "2027-10-31T02:00"),
    ],
)
def test_the_days_on_which_clocks_change_are_right(text: str, utc: str) -> None:
    assert typed(moment_of(text, "Europe/Paris"), None) == utc


async def test_viewers_see_and_change_nothing_and_other_teams_see_nothing(api: Api) -> None:
    browser = await signed_in(api)
    address = await published(api, browser)
    await api.house.work()
    _, caller = await joined(api.house, Role.VIEWER)
    viewer = await signed_in(api, await api.key_of(caller))
    assert 'name="do"' not in (await viewer.get(address)).text
    assert (await viewer.post(address, do="delete")).status_code == 403
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    for path in (address, f"{address}/now", f"{address}/ask"):
        assert (await stranger.get(path)).status_code == 404, path
    await stranger.get("/console/publishing")
    assert (await stranger.post(address, do="delete")).status_code == 404
    assert api.house.target.posts
