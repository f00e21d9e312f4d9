"""The way out of an article in the console: targets, times, approval, and files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_adapters.signing import Ed25519Signer
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from tests.support.browser import Browser, signed_in
from tests.support.http import NICHE, Api, open_api
from tests.support.team import joined

MARKUP: Final = "<script>alert(1)</script>\"'&"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def connected(api: Api, name: str = "Our blog", **credentials: str) -> str:
    body = {"provider": "memory", "name": name, "credentials": {"token": TOKEN, "blog": "heat", **credentials}}
    answer = await api.call("POST", "/integrations", body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["integration"]["id"])


async def an_article(api: Api, **fields: Any) -> str:
    """The address of its pages."""
    given = {"status": ArticleStatus.GENERATED, "content": "Heat pumps move heat.\n", "title": "Heat"} | fields
    article = builders.article(tenant_id=api.house.caller.tenant_id, niche_key=NICHE, **given)
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return f"/console/articles/{article.id}"


async def opened(api: Api, address: str) -> Browser:
    browser = await signed_in(api)
    await browser.get(f"{address}/publish")
    return browser


def seen(browser: Browser) -> str:
    return str(browser.fields()["seen"][0])


async def test_chosen_targets_get_the_article_and_say_how_it_went(api: Api) -> None:
    first, second = await connected(api), await connected(api, f"Another {MARKUP}", blog="other")
    address = await an_article(api)
    browser = await opened(api, address)
    assert MARKUP not in browser.page
    assert browser.page.count("not published") == 2
    asked = await browser.post(f"{address}/publish", {"target": [first], "when": "now", "seen": seen(browser)})
    shown = await browser.follow(asked)
    assert "Publishing has started." in shown.text
    assert "in progress" in shown.text
    assert f'hx-get="{address}/publish/posts"' in shown.text
    await api.house.work()
    part = await browser.get(f"{address}/publish/posts")
    assert "hx-get" not in part.text
    assert part.text.count(">published<") == 1
    assert part.text.count("not published") == 1
    await browser.get(f"{address}/publish")
    again = await browser.post(f"{address}/publish", {"target": [first, second], "when": "now", "seen": seen(browser)})
    assert again.status_code == 303
    await api.house.work()
    assert (await browser.get(f"{address}/publish/posts")).text.count(">published<") == 2


async def test_a_time_is_one_of_the_teams_zone_and_lies_ahead(api: Api) -> None:
    target, address = await connected(api), await an_article(api)
    browser = await opened(api, address)
    later = {"target": target, "when": "later", "seen": seen(browser)}
    for at, said in (
        ("", "Enter the date and time"),
        ("tomorrow", "Enter the date and time"),
        ("2001-01-01T10:00", "in the future"),
    ):
        refused = await browser.post(f"{address}/publish", later, at=at)
        assert refused.status_code == 400
        assert said in refused.text
    asked = await browser.post(f"{address}/publish", later, at="2039-05-01T09:30")
    assert "due May 1, 2039, 9:30" in (await browser.follow(asked)).text.replace("\u202f", " ")


async def test_without_a_target_chosen_nothing_is_published(api: Api) -> None:
    await connected(api)
    address = await an_article(api)
    browser = await opened(api, address)
    assert "Choose a target." in (await browser.post(f"{address}/publish", when="now")).text


async def test_a_target_that_vanished_holds_no_other_back(api: Api) -> None:
    target, address = await connected(api), await an_article(api)
    browser = await opened(api, address)
    gone = "019cd79e-460b-7000-8000-0000000000ff"
    answer = await browser.post(f"{address}/publish", {"target": [gone, target], "when": "now", "seen": seen(browser)})
    assert answer.status_code == 404
    assert "It does not exist" in answer.text
    assert "in progress" in answer.text


async def test_a_text_that_somebody_changed_meanwhile_does_not_go_out(api: Api) -> None:
    target, address = await connected(api), await an_article(api)
    browser = await opened(api, address)
    read = seen(browser)
    other = await signed_in(api)
    await other.get(f"{address}/edit")
    await other.post(f"{address}/edit", **{**other.fields(), "content": "Something else."})
    refused = await browser.post(f"{address}/publish", {"target": target, "when": "now", "seen": read})
    assert refused.status_code == 409
    assert "Someone else changed the text" in refused.text
    assert "not published" in refused.text


async def test_what_is_not_approved_stays_and_the_page_says_why(api: Api) -> None:
    target, address = await connected(api), await an_article(api)
    await api.house.services.writing.approval_policies.set(api.house.caller, NICHE, required=True, roles=[Role.ADMIN])
    browser = await opened(api, address)
    assert "the current text must be approved before it is published" in browser.page
    assert "<button disabled>Publish</button>" in browser.page
    refused = await browser.post(f"{address}/publish", {"target": target, "when": "now", "seen": seen(browser)})
    assert refused.status_code == 409
    article = ArticleId(address.rpartition("/")[2])
    await api.house.services.writing.approval.approve(api.house.caller, article)
    await browser.get(f"{address}/publish")
    assert "<button>Publish</button>" in browser.page


async def test_without_a_target_an_article_is_published_by_hand(api: Api) -> None:
    address = await an_article(api)
    browser = await opened(api, address)
    assert "No target is connected." in browser.page
    shown = await browser.follow(await browser.post(f"{address}/publish/by-hand"))
    assert "The article is marked as published." in shown.text


async def test_files_are_named_and_those_for_readers_have_no_receipt(api: Api) -> None:
    address = await an_article(api)
    browser = await opened(api, address)
    for format, kind in (("markdown", "text/markdown"), ("html", "text/html"), ("docx", "application/vnd")):
        file = await browser.get(f"{address}/export/{format}")
        assert file.status_code == 200
        assert file.headers["content-type"].startswith(kind)
        assert file.headers["content-disposition"].startswith("attachment; filename=")
    assert (await browser.get(f"{address}/export/exe")).status_code == 404


async def test_the_evidence_file_is_downloaded_as_it_was_signed(api: Api) -> None:
    address = await an_article(api)
    browser = await opened(api, address)
    assert f'href="{address}/evidence/json"' in browser.page
    file = await browser.get(f"{address}/evidence/json")
    assert file.headers["content-disposition"].startswith('attachment; filename="evidence-')
    keys = await api.house.services.writing.sign.keys()
    found = Ed25519Signer().verified(file.content, {key.id: key.public for key in keys})
    assert address.endswith(found.document["article"]["id"])
    assert (await browser.get(f"{address}/evidence/exe")).status_code == 404


async def test_a_viewer_sees_the_posts_and_publishes_nothing(api: Api) -> None:
    target, address = await connected(api), await an_article(api)
    _, caller = await joined(api.house, Role.VIEWER)
    viewer = await signed_in(api, await api.key_of(caller))
    await viewer.get(f"{address}/publish")
    assert "Only editors can publish." in viewer.page
    refused = await viewer.post(f"{address}/publish", target=target, when="now")
    assert "Your role does not allow this" in refused.text
    assert "not published" in refused.text


async def test_nobody_publishes_another_teams_article(api: Api) -> None:
    target, address = await connected(api), await an_article(api)
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    for page in ("publish", "publish/posts", "export/markdown", "evidence/json"):
        assert (await stranger.get(f"{address}/{page}")).status_code == 404
    await stranger.get("/console/articles")
    assert (await stranger.post(f"{address}/publish", target=target, when="now")).status_code == 404
