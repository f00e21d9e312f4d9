"""An article in the console after its sources changed, its links, and its translations."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html import unescape
from typing import Final

import pytest
from attrs import evolve

from contentgen_core.model.article_link import LinkState
from contentgen_core.model.ids import ArticleLinkId
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.article_links import ArticleLinks
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from tests.support.article_links import article_link
from tests.support.browser import Browser, signed_in
from tests.support.changing_sources import EFFICIENCY, changed
from tests.support.changing_sources import written as written_from_sources
from tests.support.http import NICHE, Api, open_api
from tests.support.team import joined
from tests.support.translations import published, translated

MARKUP: Final = "<script>alert(1)</script>\"'&"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def stale(api: Api) -> tuple[Browser, str]:
    """Somebody at the page of an article, a source of which changed, with its proposed update."""
    article = await written_from_sources(api.house)
    await changed(api.house, 0, EFFICIENCY.replace("3.4", "3.6"))
    browser = await signed_in(api)
    address = f"/console/articles/{article.id}"
    await browser.get(f"{address}/updates")
    assert "Its sources have changed." in browser.page
    await browser.follow(await browser.post(f"{address}/updates/propose"))
    assert "An update is proposed below." in browser.page
    return browser, address


def update_of(browser: Browser) -> str:
    found = re.search(r'action="([^"]+)/accept"', browser.page)
    assert found, browser.page
    return found.group(1)


async def test_an_update_is_shown_as_a_difference_and_accepted(api: Api) -> None:
    browser, address = await stale(api)
    assert re.search(r"<del>[^<]*4", browser.page)
    assert re.search(r"<ins>[^<]*6", browser.page)
    done = await browser.post(f"{update_of(browser)}/accept", browser.fields())
    assert done.status_code == 303, done.text
    await browser.follow(done)
    assert "Every sentence still matches its source." in browser.page
    assert "accepted" in browser.page
    assert "3.6" in (await browser.get(address)).text


async def test_an_update_is_accepted_in_ones_own_words(api: Api) -> None:
    browser, address = await stale(api)
    fields = browser.fields()
    [place] = fields["change"]
    own = f"Its efficiency in winter is 3.6 {MARKUP}."
    await browser.follow(await browser.post(f"{update_of(browser)}/accept", {**fields, f"text-{place}": own}))
    shown = await browser.get(address)
    assert "Its efficiency in winter is 3.6" in shown.text
    assert MARKUP not in shown.text


async def test_an_update_of_which_nothing_was_chosen_is_refused_and_kept(api: Api) -> None:
    browser, _ = await stale(api)
    fields = browser.fields()
    [place] = fields["change"]
    answer = await browser.post(f"{update_of(browser)}/accept", {f"text-{place}": "x", "publish": "yes"})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert " checked> Also update the published posts" in answer.text


async def test_a_rejected_update_changes_nothing(api: Api) -> None:
    browser, address = await stale(api)
    update = update_of(browser)
    await browser.follow(await browser.post(f"{update}/reject"))
    assert "The article is unchanged." in browser.page
    assert "3.4" in (await browser.get(address)).text
    await browser.get(f"{address}/updates")
    again = await browser.post(f"{update}/accept", change="0")
    assert again.status_code == 409


async def test_links_are_accepted_and_rejected(api: Api) -> None:
    article = builders.article(tenant_id=api.house.caller.tenant_id, niche_key=NICHE, content="It moves heat.\n")
    link = article_link(ArticleLinkId(builders.new_id()), article.tenant_id, article.id)
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
        await tx[ArticleLinks].add(evolve(link, state=LinkState.PROPOSED))
    browser = await signed_in(api)
    address = f"/console/articles/{article.id}"
    await browser.get(f"{address}/updates")
    assert "It moves <mark>heat</mark>." in browser.page
    for decision, said in (("accept", ">accepted<"), ("reject", ">rejected<")):
        answer = await browser.post(f"{address}/links/{link.id}/decide", decision=decision)
        assert said in (await browser.follow(answer)).text
    await browser.follow(await browser.post(f"{address}/links/propose"))
    assert "Links to other articles are proposed below." in browser.page


async def test_a_published_article_is_translated_and_read_beside_its_translation(api: Api) -> None:
    original = await published(api.house, title='Heat & "pumps"')
    browser = await signed_in(api)
    address = f"/console/articles/{original.id}"
    await browser.get(f"{address}/translations")
    assert "credits left this month" in browser.page
    begun = await browser.post(f"{address}/translations", language="fr")
    await browser.follow(begun)
    await api.house.work()
    made = begun.headers["location"].partition("?")[0]
    listed = await browser.get(f"{address}/translations")
    assert made in listed.text
    assert "Heat &amp; " in listed.text
    assert '<option value="fr"' not in listed.text
    beside = await browser.get(f"{address}/translations", params={"with": made.rpartition("/")[2]})
    rows = re.findall(r"<tr><td[^>]*>(.*?)</td>\s*<td[^>]*>(.*?)</td></tr>", beside.text, re.DOTALL)
    pairs = [tuple(unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row) for row in rows]
    assert ("It is quiet: 42 dB", "IT IS QUIET: 42 dB") in pairs
    back = await browser.get(f"{made}/translations", params={"with": original.id})
    assert "A translation of" in back.text
    assert "IT IS QUIET: 42 dB" in back.text


async def test_a_plan_without_translations_says_so() -> None:
    async with open_api(PlanName.FREE) as api:
        address = f"/console/articles/{(await published(api.house)).id}/translations"
        browser = await signed_in(api)
        assert "Your plan does not include translations." in (await browser.get(address)).text
        answer = await browser.post(address, language="fr")
        assert answer.status_code == 403
        assert "Your plan does not include this." in answer.text


async def test_into_its_own_language_it_is_not_translated(api: Api) -> None:
    address = f"/console/articles/{(await published(api.house)).id}/translations"
    browser = await signed_in(api)
    await browser.get(address)
    for language in ("en", "tlh"):
        answer = await browser.post(address, language=language)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text


async def test_a_translation_of_another_article_is_not_shown_beside(api: Api) -> None:
    one, other = await published(api.house), await published(api.house)
    begun = await translated(api.house, other, Language.FR)
    browser = await signed_in(api)
    wrong = {"with": str(begun.translation.made_article_id)}
    assert (await browser.get(f"/console/articles/{one.id}/translations", params=wrong)).status_code == 404


async def test_a_viewer_changes_nothing_and_strangers_see_nothing(api: Api) -> None:
    browser, address = await stale(api)
    update = update_of(browser)
    posts = (
        f"{address}/updates/propose",
        f"{update}/accept",
        f"{update}/reject",
        f"{address}/links/propose",
    )
    _, caller = await joined(api.house, Role.VIEWER)
    viewer = await signed_in(api, await api.key_of(caller))
    for page in ("updates", "translations"):
        assert (await viewer.get(f"{address}/{page}")).status_code == 200
        assert f"{address}/{page}" not in re.findall(r'<form method="post" action="([^"]+)"', viewer.page)
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    for page in ("updates", "translations"):
        assert (await stranger.get(f"{address}/{page}")).status_code == 404
    for post in posts:
        for someone, status in ((viewer, 403), (stranger, 404)):
            await someone.get("/console/articles")
            assert (await someone.post(post, change="0")).status_code == status, post
