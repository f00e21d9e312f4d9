"""Settings in the console that are for platform administrators: tenants, plans, and moderation of reviews."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

import pytest

from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.use_cases.reviews.write import NewReview
from tests.support.browser import Browser, signed_in
from tests.support.http import AGENT, Api, open_api
from tests.support.public import a_public_article, a_trend, add_articles, add_trends

MARKUP: Final = "<script>alert(1)</script>\"'&"
TENANTS: Final = "/console/settings/tenants"
REVIEWS: Final = "/console/settings/reviews"
PUBLIC: Final = "/console/settings/public"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def made(api: Api, name: str, *, platform_admin: bool = False) -> Caller:
    new = await api.house.services.people.tenants.create(name, PlanName.STARTER, platform_admin=platform_admin)
    return new.caller


async def administrator(api: Api) -> Browser:
    return await signed_in(api, await api.key_of(await made(api, "Platform", platform_admin=True)))


async def test_tenants_are_searched_page_by_page(api: Api) -> None:
    for number in range(51):
        await made(api, f"Acme {number}")
    await made(api, MARKUP)
    browser = await administrator(api)
    shown = await browser.get(TENANTS, params={"search": "aCME"})
    links = set(re.findall(rf'href="({TENANTS}/[^"?]+)"', shown.text))
    assert len(links) == 50
    older = re.search(r'rel="next" href="([^"]+)"', shown.text)
    assert older
    rest = await browser.get(TENANTS + older.group(1).replace("&amp;", "&"))
    assert len(set(re.findall(rf'href="({TENANTS}/[^"?]+)"', rest.text)) - links) == 1
    assert MARKUP not in (await browser.get(TENANTS, params={"search": MARKUP})).text
    assert "No team has such a name" in (await browser.get(TENANTS, params={"search": "nobody"})).text


async def test_a_tenant_gets_another_plan_is_suspended_and_resumed(api: Api) -> None:
    browser, other = await administrator(api), await made(api, "Acme")
    theirs = await signed_in(api, await api.key_of(other))
    address = f"{TENANTS}/{other.tenant_id}"
    assert "One member. Owners: Acme" in (await browser.get(address)).text
    await browser.follow(await browser.post(f"{address}/plan", plan="business"))
    assert '<option value="business" selected>' in browser.page
    assert "Your plan: Business" in (await theirs.get("/console/settings/plan")).text
    assert "Suspend the team Acme?" in (await browser.get(f"{address}/suspend")).text
    await browser.follow(await browser.post(f"{address}/suspend"))
    assert "Suspended since" in browser.page
    assert "This team is suspended" in (await theirs.get("/console/settings/plan")).text
    await browser.follow(await browser.post(f"{address}/resume"))
    assert (await theirs.get("/console/settings/plan")).status_code == 200


async def test_a_tenants_budget_is_set_by_the_platform_and_an_agents_by_the_tenant(api: Api) -> None:
    browser, other = await administrator(api), await made(api, "Acme")
    await api.house.activate(other)
    theirs = await signed_in(api, await api.key_of(other))
    address = f"{TENANTS}/{other.tenant_id}"
    await browser.get(address)
    await browser.follow(await browser.post(f"{address}/budget", limit="5 000 000", unit="tokens"))
    assert "5,000,000 tokens of 5,000,000 tokens left" in browser.page
    assert "Team" in (await theirs.get("/console/settings/budgets")).text
    await theirs.follow(await theirs.post("/console/settings/budgets", agent=AGENT, limit="300", unit="tokens"))
    assert "300 tokens of 300 tokens left" in theirs.page
    refused = await theirs.post("/console/settings/budgets", agent=AGENT, limit="3", unit="EUR")
    assert (refused.status_code, "no prices in this currency" in refused.text) == (400, True)
    refused = await theirs.post("/console/settings/budgets", agent=AGENT, limit="much", unit="tokens")
    assert (refused.status_code, "a number of 0 or more" in refused.text) == (400, True)
    assert (await theirs.post(f"{address}/budget", limit="1", unit="tokens")).status_code == 403
    await theirs.get("/console/settings/budgets")
    await theirs.follow(await theirs.post("/console/settings/budgets", agent=AGENT, limit="", unit="tokens"))
    assert "300 tokens" not in theirs.page


async def test_nobody_suspends_their_own_team_or_gives_a_plan_that_is_none(api: Api) -> None:
    browser = await administrator(api)
    shown = await browser.get(TENANTS, params={"search": "Platform"})
    own = re.search(rf'href="({TENANTS}/[^"?]+)"', shown.text)
    assert own
    refused = await browser.post(f"{own.group(1)}/suspend")
    assert refused.status_code == 409
    assert "your own team" in refused.text
    assert (await browser.post(f"{own.group(1)}/plan", plan="gold")).status_code == 400
    assert (await browser.get(f"{TENANTS}/nobody")).status_code == 404


async def test_reviews_are_hidden_listed_and_deleted(api: Api) -> None:
    browser, author = await administrator(api), await made(api, "Acme")
    await api.house.services.people.write_reviews.submit(NewReview(author, 5, f"Good {MARKUP}", "It cites sources."))
    await browser.get(f"{REVIEWS}?show=listed")
    if "It cites sources." not in browser.page:  # markup in its title flags it
        await browser.get(REVIEWS)
    assert "Good &lt;script&gt;" in browser.page
    found = re.search(rf'action="({REVIEWS}/[^"]+)"', browser.page)
    assert found
    address = found.group(1)
    await browser.follow(await browser.post(address, do="hide"))
    assert address not in browser.page
    assert address in (await browser.get(REVIEWS)).text
    await browser.follow(await browser.post(address, do="list"))
    assert address not in browser.page
    assert address in (await browser.get(f"{REVIEWS}?show=listed")).text
    assert "permanently?" in (await browser.get(f"{address}/delete")).text
    await browser.follow(await browser.post(f"{address}/delete"))
    assert address not in (await browser.get(f"{REVIEWS}?show=listed")).text


async def test_the_plans_are_shown(api: Api) -> None:
    shown = await (await administrator(api)).get("/console/settings/plans")
    for plan in PlanName:
        assert f">{plan.value.capitalize()}</h2>" in shown.text


async def test_owners_of_tenants_are_refused_in_a_sentence(api: Api) -> None:
    other = await made(api, "Acme")
    browser = await signed_in(api)
    assert TENANTS not in (await browser.get("/console/settings/profile")).text
    address = f"{TENANTS}/{other.tenant_id}"
    for path in (TENANTS, address, f"{address}/suspend", "/console/settings/plans", REVIEWS, f"{REVIEWS}/x/delete"):
        refused = await browser.get(path)
        assert refused.status_code == 403, path
        assert "Your role does not allow this" in refused.text
    for path in (f"{address}/plan", f"{address}/suspend", f"{address}/resume", f"{REVIEWS}/x/delete", f"{REVIEWS}/x"):
        await browser.get("/console/settings/profile")
        refused = await browser.post(path, plan="free", do="hide")
        assert refused.status_code == 403, path
    assert (await api.house.services.people.tenant.overview(other.tenant_id)).tenant.plan is PlanName.STARTER


async def test_a_public_article_is_hidden_and_trends_are_listed(api: Api) -> None:
    browser, writer = await administrator(api), api.house.caller.tenant_id
    article = a_public_article(writer, title=f"Heat {MARKUP}")
    await add_articles(api.house.services.ports.unit_of_work, article)
    await add_trends(api.house.services.ports.unit_of_work, a_trend("heat", 80))
    shown = (await browser.get(PUBLIC, params={"search": "heat"})).text
    assert MARKUP not in shown
    assert "No public articles match." in (await browser.get(PUBLIC, params={"search": "nowhere"})).text
    assert "from everyone?" in (await browser.get(f"{PUBLIC}/{article.slug}/hide")).text
    await browser.follow(await browser.post(f"{PUBLIC}/{article.slug}/hide"))
    assert "No public articles match." in browser.page
    assert (await api.call("GET", f"/public/kb-articles/{article.slug}", key=None)).status_code == 404
    async with api.house.services.ports.unit_of_work() as tx:
        kept = await tx[Articles].get(writer, article.id)
    assert kept is not None
    assert (kept.is_public, kept.content) == (False, article.content)
    assert "The trend heat" in (await browser.get("/console/settings/trends")).text
    other = await signed_in(api, await api.key_of(await made(api, "Acme")))
    for path in (PUBLIC, f"{PUBLIC}/{article.slug}/hide", "/console/settings/trends"):
        assert (await other.get(path)).status_code == 403
    await other.get("/console/")
    assert (await other.post(f"{PUBLIC}/{article.slug}/hide")).status_code == 403
