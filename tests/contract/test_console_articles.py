"""An article's pages in the console: approval, comments, versions and deleting, without a script."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html import unescape
from typing import Final

import pytest

from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Role
from tests.support.browser import Browser, signed_in, written
from tests.support.http import Api, open_api
from tests.support.team import joined

MARKUP: Final = "<script>alert(1)</script>\"'&"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def member(api: Api, role: Role) -> Browser:
    _, caller = await joined(api.house, role)
    return await signed_in(api, await api.key_of(caller))


async def demand_approval(api: Api, address: str) -> None:
    caller, writing = api.house.caller, api.house.services.writing
    article = await writing.articles.one(caller, ArticleId(address.rpartition("/")[2]))
    await writing.approval_policies.set(caller, article.niche_key, required=True, roles=[Role.ADMIN])


def text(page: str) -> str:
    """What a page says, without its markup."""
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def sentence(page: str, position: int) -> str:
    found = re.search(rf'id="sentence-{position}">([^<]+)</a>', page)
    assert found, page
    return unescape(found.group(1))


async def test_a_text_is_submitted_sent_back_and_approved(api: Api) -> None:
    approver = await signed_in(api)
    address = await written(approver)
    await demand_approval(api, address)
    editor = await member(api, Role.EDITOR)
    await editor.get(f"{address}/review")
    assert "not requested" in editor.page
    assert "Approve this article" not in editor.page
    await editor.follow(await editor.post(f"{address}/submit"))
    assert "waiting for approval" in editor.page
    await approver.get(f"{address}/review")
    empty = await approver.post(f"{address}/send-back", reason=" ")
    assert empty.status_code == 400
    assert "1 to 2000 characters" in empty.text
    await approver.follow(await approver.post(f"{address}/send-back", reason=f"Who says so? {MARKUP}"))
    assert "sent back" in approver.page
    shown = await editor.get(f"{address}/review")
    assert "Who says so?" in shown.text
    assert MARKUP not in shown.text
    await approver.follow(await approver.post(f"{address}/approve", **{**approver.fields(), "csrf": approver.token}))
    assert "Approved: this text can be published." in approver.page


async def test_what_goes_out_with_a_text_is_chosen_and_shown_before_its_approval(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/review")
    typed = {"slug": "heat", "tags": f"older houses\r\n {MARKUP} ", "categories": "", "canonical": "no address"}
    refused = await browser.post(f"{address}/details", typed)
    assert refused.status_code == 400
    assert 'value="no address"' in refused.text
    await browser.get(f"{address}/review")
    await browser.follow(await browser.post(f"{address}/details", {**typed, "canonical": "https://example.org/heat"}))
    assert "waiting for approval" in browser.page
    assert MARKUP not in browser.page
    assert f"Tags older houses, {MARKUP} Canonical address https://example.org/heat" in text(browser.page)
    article = await api.house.article(ArticleId(address.rpartition("/")[2]))
    assert article.details.slug == "heat"
    await browser.post(f"{address}/details", {**typed, "tags": "\n".join(article.brief.keywords), "canonical": ""})
    article = await api.house.article(article.id)
    assert (article.details.tags, article.details.canonical_url) == (None, None)


async def test_a_text_that_changed_meanwhile_is_not_approved(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/review")
    seen = browser.fields()["seen"][0]
    await browser.get(f"{address}/edit")
    await browser.post(f"{address}/edit", **{**browser.fields(), "title": "Another title"})
    await browser.get(f"{address}/review")
    refused = await browser.post(f"{address}/approve", seen=seen)
    assert refused.status_code == 409
    assert "changed since you read it" in refused.text


async def test_who_may_not_approve_is_told(api: Api) -> None:
    address = await written(await signed_in(api))
    editor = await member(api, Role.EDITOR)
    await editor.get(f"{address}/review")
    assert "only the people listed above can approve" in editor.page
    assert (await editor.post(f"{address}/approve")).status_code == 403


async def test_a_sentence_is_commented_answered_and_resolved(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    words = sentence((await browser.get(address)).text, 1)
    await browser.get(f"{address}/sentences/1")
    said = await browser.post(f"{address}/comments", **{**browser.fields(), "text": f"Really? {MARKUP}"})
    assert said.status_code == 303, said.text
    shown = await browser.follow(said)
    assert "Really?" in shown.text
    assert MARKUP not in shown.text
    assert words.rstrip(".") in text(shown.text)
    assert "One open comment" in (await browser.get(address)).text
    await browser.get(f"{address}/review")
    comment = re.search(r'action="[^"]*/comments/([^/"]+)/reply"', browser.page)
    assert comment
    of = f"{address}/comments/{comment.group(1)}"
    empty = await browser.post(f"{of}/reply", text="")
    assert empty.status_code == 400
    await browser.follow(await browser.post(f"{of}/reply", text="Yes, see the source."))
    assert "Yes, see the source." in browser.page
    await browser.follow(await browser.post(f"{of}/resolve", resolved="yes"))
    assert "No comments." in browser.page
    await browser.get(f"{address}/review", params={"show": "resolved"})
    assert "Yes, see the source." in browser.page
    await browser.get(f"{of}/delete")
    await browser.follow(await browser.post(f"{of}/delete"))
    await browser.get(f"{address}/review", params={"show": "all"})
    assert "No comments." in browser.page


async def test_a_comment_on_a_sentence_that_is_gone_is_not_lost(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/sentences/1")
    refused = await browser.post(f"{address}/comments", sentence="Nobody wrote this.", text="My long thoughts.")
    assert refused.status_code == 400
    assert "My long thoughts." in refused.text


async def test_sentences_are_marked_as_reviewed_one_by_one_or_all(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(address)
    marked = await browser.post(f"{address}/reviewed", sentence="2")
    assert marked.headers["location"].endswith("?note=note-reviewed#source-2")
    await browser.follow(marked)
    assert "Reviewed by" in browser.page
    count = browser.page.count('class="sentence')
    assert f"1 of {count} sentences were reviewed" in text(browser.page)
    await browser.follow(await browser.post(f"{address}/reviewed", all="yes"))
    assert f"{count} of {count} sentences were reviewed" in text(browser.page)
    assert (await browser.post(f"{address}/reviewed", sentence="999999")).status_code == 409


async def test_a_sentence_is_edited_on_its_own(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/sentences/2")
    fields = browser.fields()
    assert fields["new"][0].endswith("].")
    saved = await browser.post(f"{address}/sentences/2", {**fields, "new": f"It is made of cheese {MARKUP} [1]."})
    assert saved.headers["location"].endswith("note=note-saved#sentence-2")
    shown = await browser.follow(saved)
    assert MARKUP not in shown.text
    assert "made of cheese" in sentence(shown.text, 2)
    assert "One sentence to check" in shown.text


async def test_the_second_editor_of_a_sentence_is_told_and_loses_nothing(api: Api) -> None:
    first, second = await signed_in(api), await signed_in(api)
    address = await written(first)
    for browser in (first, second):
        await browser.get(f"{address}/sentences/1")
    await first.post(f"{address}/sentences/1", {**first.fields(), "new": "Mine is first [1]."})
    told = await second.post(f"{address}/sentences/1", {**second.fields(), "new": "Mine is second [1]."})
    assert told.status_code == 409
    assert "Someone else changed the text" in told.text
    assert "Mine is second [1]." in told.text
    assert "Mine is first [1]." in told.text
    again = await second.post(f"{address}/sentences/1", second.fields())
    assert again.status_code == 303, again.text
    assert "Mine is second" in (await second.get(address)).text


async def test_in_place_a_fault_is_put_where_the_form_was(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/sentences/1", headers={"HX-Request": "true"})
    assert 'hx-target="#reading"' in browser.page
    answer = await browser.post(
        f"{address}/sentences/1", {**browser.fields(), "seen": "Something else."}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 200
    assert answer.headers["hx-retarget"] == "#slot-1"
    assert "Someone else changed the text" in answer.text


async def test_versions_are_compared_by_words_and_restored(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/edit")
    before = browser.fields()["content"][0]
    changed = f"{before}\n\nA heat pump needs no chimney. {MARKUP}"
    await browser.post(f"{address}/edit", **{**browser.fields(), "content": changed})
    listed = await browser.get(f"{address}/versions")
    assert "Version 2" in listed.text
    assert "edited" in listed.text
    compared = await browser.get(f"{address}/versions", params={"from": "1", "to": "2"})
    assert re.search(r"<ins>[^<]*chimney", compared.text)
    assert MARKUP not in compared.text
    read = await browser.get(f"{address}/versions/1")
    assert "chimney" not in read.text
    await browser.follow(await browser.post(f"{address}/versions/1/restore"))
    assert "chimney" not in browser.page
    assert "restored from an earlier version" in (await browser.get(f"{address}/versions")).text
    for nowhere in ("99", "x", "-1"):
        assert (await browser.get(f"{address}/versions/{nowhere}")).status_code == 404


async def test_versions_name_who_made_them_to_each_member(api: Api) -> None:
    house = await signed_in(api)
    address = await written(house)
    ada = await member(api, Role.EDITOR)
    await ada.get(f"{address}/edit")
    await ada.post(f"{address}/edit", **{**ada.fields(), "content": "Ada wrote this."})
    for browser in (house, ada):
        listed = text((await browser.get(f"{address}/versions")).text)
        assert "Version 2 edited by Ada" in listed
        assert "by House" in listed
        assert "Ada ·" in text((await browser.get(f"{address}/versions/2")).text)


async def test_an_article_is_written_anew_from_its_plan(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/edit")
    await browser.post(f"{address}/edit", **{**browser.fields(), "content": "Nothing of this was in the plan."})
    await browser.get(f"{address}/again")
    back = await browser.post(f"{address}/again")
    assert back.headers["location"] == f"{address}/plan"
    assert "Nothing of this" in (await browser.get(address)).text, "the text is still read until it is written anew"
    await browser.get(f"{address}/plan")
    await browser.post(f"{address}/plan", **{**browser.fields(), "do": "approve"})
    progress = await browser.get(address)
    assert "% written" in progress.text
    assert f'href="{address}/delete">Stop writing and delete' in progress.text
    await api.house.work()
    assert "Nothing of this" not in (await browser.get(address)).text
    assert "Version 3" in (await browser.get(f"{address}/versions")).text


async def test_an_article_is_deleted_after_it_was_asked(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/delete")
    assert "This cannot be undone." in browser.page
    assert "The article is deleted." in (await browser.follow(await browser.post(f"{address}/delete"))).text
    assert (await browser.get(address)).status_code == 404


async def test_a_viewer_reads_all_pages_and_changes_nothing(api: Api) -> None:
    address = await written(await signed_in(api))
    viewer = await member(api, Role.VIEWER)
    for page in ("", "/review", "/versions", "/versions/1", "/sentences/1"):
        assert (await viewer.get(f"{address}{page}")).status_code == 200, page
    for page, fields in (
        ("submit", {}),
        ("approve", {}),
        ("send-back", {"reason": "No."}),
        ("reviewed", {"sentence": "1"}),
        ("comments", {"sentence": "x", "text": "y"}),
        ("versions/1/restore", {}),
        ("sentences/1", {"sentence": "x", "new": "y"}),
        ("again", {}),
        ("delete", {}),
    ):
        await viewer.get("/console/articles")
        assert (await viewer.post(f"{address}/{page}", fields)).status_code == 403, page


async def test_the_list_is_narrowed_by_state_approval_language_and_sources(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/review")
    await browser.post(f"{address}/submit")
    for asked, there in (
        ({"approval": "inReview", "language": "en"}, True),
        ({"approval": "approved"}, False),
        ({"language": "fr"}, False),
        ({"status": "generated", "language": "en"}, True),
        ({"status": "nonsense", "approval": MARKUP, "language": "xx"}, True),
    ):
        shown = await browser.get("/console/articles", params=asked)
        assert (f'href="{address}"' in shown.text) == there, asked
        assert MARKUP not in shown.text
    changed = await browser.get("/console/articles/changed")
    assert "No article has sources that changed." in changed.text
    assert (await browser.get("/console/articles/changed", params={"before": "nope"})).status_code == 404


async def test_nobody_reaches_another_teams_article(api: Api) -> None:
    address = await written(await signed_in(api))
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    for page in ("/review", "/versions", "/versions/1", "/sentences/1", "/delete"):
        assert (await stranger.get(f"{address}{page}")).status_code == 404, page
    for page in ("submit", "approve", "reviewed", "comments", "versions/1/restore", "sentences/1", "delete"):
        await stranger.get("/console/articles")
        answer = await stranger.post(f"{address}/{page}", sentence="1", text="x", reason="y")
        assert answer.status_code == 404, page
