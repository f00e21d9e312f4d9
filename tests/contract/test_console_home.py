"""The first page of the console: how to begin, what waits for a person, and what happened."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Final

import pytest
from attrs import evolve

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.approval import Approval, ApprovalState
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import SyncedSourceId
from contentgen_core.model.publication import Publication, PublicationStatus
from contentgen_core.model.synced_source import SourceKind, SyncedSource, SyncOutcome, SyncReport
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.circuits import Circuits
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from tests.support.browser import signed_in, written
from tests.support.http import AGENT, COVERED, NICHE, Api, open_api
from tests.support.team import joined

MARKUP: Final = "<script>alert(1)</script>\"'&"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def test_an_empty_team_sees_how_to_begin_and_is_led_to_an_article(api: Api) -> None:
    browser = await signed_in(api)
    assert "Your first article in three steps" in browser.page
    assert "Nothing to do." in browser.page
    assert "Nothing yet." in browser.page
    assert "/console/coverage?agent=" in browser.page, "topics of its sources"
    await written(browser)
    await browser.get("/console/")
    assert "Your first article" not in browser.page
    assert "Nothing yet." not in browser.page


async def test_all_that_waits_for_a_person_is_named_and_led_to(api: Api) -> None:
    tenant, house = api.house.caller.tenant_id, api.house
    review = builders.article(
        tenant_id=tenant,
        niche_key=NICHE,
        title=f"Approve me {MARKUP}",
        content="Heat.",
        approval=Approval(ApprovalState.IN_REVIEW, MOMENT),
    )
    failed = builders.article(tenant_id=tenant, niche_key=NICHE, title="Failed", status=ArticleStatus.FAILED)
    published = builders.article(
        tenant_id=tenant, niche_key=NICHE, title="Lost on its way", status=ArticleStatus.GENERATED, content="Heat."
    )
    integration = builders.integration(tenant_id=tenant)
    post: Publication = builders.publication(tenant_id=tenant, integration_id=integration.id, article_id=published.id)
    lost = evolve(post, status=PublicationStatus.UNKNOWN, updated_at=MOMENT + timedelta(hours=1))
    doubtful = SyncedSource(
        SyncedSourceId(builders.new_id()),
        tenant,
        NICHE,
        SourceKind.FOLDER,
        "Handbook",
        "/srv/handbook",
        created_at=MOMENT,
        updated_at=MOMENT,
        last=SyncReport(MOMENT, MOMENT, SyncOutcome.DOUBTFUL),
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[SyncedSources].add(doubtful)
        for article in (review, failed, published):
            await tx[Articles].add(article)
        await tx[Integrations].add(integration)
        await tx[Publications].add(lost)
    browser = await signed_in(api)
    shown = (await browser.get("/console/")).text
    assert f'href="/console/articles/{review.id}/review"' in shown
    assert MARKUP not in shown
    assert f'href="/console/articles/{failed.id}"' in shown
    assert f'href="/console/articles/{published.id}/publish"' in shown
    assert "Posts with a failed or unknown status" in shown
    assert f'href="/console/knowledge/sources/{doubtful.id}"' in shown
    assert "Nothing to do." not in shown


async def test_a_plan_waits_until_it_was_reviewed(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    assert f"{address}/plan" not in (await browser.get("/console/")).text
    await browser.get("/console/coverage", params={"agent": AGENT, "topic": COVERED})
    planned = await browser.post("/console/coverage/plan", **browser.fields())
    assert planned.status_code == 303, planned.text
    where = planned.headers["location"].partition("?")[0]
    assert f'href="{where}"' in (await browser.get("/console/")).text


async def test_another_teams_things_wait_for_that_team(api: Api) -> None:
    await written(await signed_in(api))
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    assert "Nothing to do." in stranger.page
    assert "Nothing yet." in stranger.page


async def test_a_text_that_others_approve_does_not_wait_for_the_person(api: Api) -> None:
    house, tenant = api.house, api.house.caller.tenant_id
    article = builders.article(
        tenant_id=tenant,
        niche_key=NICHE,
        status=ArticleStatus.GENERATED,
        title="Read me",
        content="Heat.",
        approval=Approval(ApprovalState.IN_REVIEW, MOMENT),
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    _, caller = await joined(house, Role.EDITOR)
    owner, editor = await signed_in(api), await signed_in(api, await api.key_of(caller))
    for browser, there, not_there in (
        (owner, "Articles to approve", "Waiting for approval by others"),
        (editor, "Waiting for approval by others", "Articles to approve"),
    ):
        shown = (await browser.get("/console")).text
        assert f'href="/console/articles/{article.id}/review"' in shown
        assert there in shown
        assert not_there not in shown


async def test_an_outage_of_the_model_is_one_notice_and_its_articles_show_how_long_they_wait(api: Api) -> None:
    house = api.house

    def fail(method: str, position: int) -> None:
        raise ProviderFailed("OpenAI", "HTTP 500", retryable=True, away=True)

    house.model.before = fail
    for n in range(5):
        command = GenerateArticleCommand(house.caller, NICHE, f"{COVERED} {n}", language=Language.EN)
        id = await house.services.writing.generate(command)
    await house.work()
    browser = await signed_in(api)
    assert browser.page.count("The model is not answering.") == 1
    await browser.get(f"/console/articles/{id}")
    assert "The model is not answering. Writing resumes by itself" in browser.page
    assert "OpenAI: HTTP 500" in browser.page
    told = await house.services.upkeep.notice_outages()
    assert [(circuit.provider, circuit.is_open) for circuit in told] == [("OpenAI", True)]
    assert await house.services.upkeep.notice_outages() == []
    async with house.services.ports.unit_of_work() as tx:
        circuit = await tx[Circuits].hold("a model of before")
        await tx[Circuits].save(evolve(circuit, failures=9, since=house.clock.now(), noticed=True))
    house.model.before = lambda method, position: None
    for _ in range(40):
        house.clock.advance(seconds=1)
        await house.work()
    assert [circuit.is_open for circuit in await house.services.upkeep.notice_outages()] == [False]
    await browser.get("/console/")
    assert "The model is not answering." not in browser.page
