"""The console's pages on documents: the list, one document, and adding some."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx
import pytest

from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Role
from contentgen_core.ports.documents import SourceText
from contentgen_http.console.pages.knowledge.adding import MAX_REQUEST, MAX_SENT
from tests.support.browser import Browser, signed_in, written
from tests.support.http import NICHE, Api, open_api
from tests.support.team import joined

MARKUP: Final = "<script>alert(1)</script>\"'&"
TEXT: Final = b"# Noise of heat pumps\n\nA heat pump makes 40 dB at a distance of three metres. It is quieter at night."


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


@pytest.fixture
async def browser(api: Api) -> Browser:
    return await signed_in(api)


async def send(browser: Browser, *files: tuple[str, bytes], **more: Any) -> httpx.Response:
    """Files by the form of the page, as a browser without scripts sends them."""
    await browser.get("/console/knowledge/add")
    parts = [("file", (name, content, "application/octet-stream")) for name, content in files]
    sent = {"csrf": browser.token, **more}
    answer = await browser._asked("POST", "/console/knowledge/add/files", data=sent, files=parts)
    return browser._kept(answer)


async def added(browser: Browser, name: str = "noise.md", content: bytes = TEXT) -> str:
    """The address of the page of a document that was uploaded and read."""
    assert (await send(browser, (name, content))).status_code == 303
    await browser.api.house.work()
    await browser.get("/console/knowledge", params={"niche": "@private"})
    return re.findall(r'"(/console/knowledge/documents/[^"]+)"', browser.page)[0]


async def test_documents_are_listed_searched_and_filtered(api: Api, browser: Browser) -> None:
    await browser.get("/console/knowledge")
    for name in ("Heat pump efficiency", "Solar panels", "5 documents"):
        assert name in browser.page
    assert "home energy" in browser.page.lower()
    for asked, there in (
        ({"search": "solar PANELS"}, True),
        ({"search": "heat"}, False),
        ({"niche": NICHE, "origin": "import", "language": "en"}, True),
        ({"origin": "web"}, False),
        ({"language": "fr"}, False),
        ({"niche": "@private"}, False),
        ({"page": "2"}, False),
        ({"page": "x", "niche": "no-such", "origin": MARKUP, "language": "xx"}, True),
    ):
        answer = await browser.get("/console/knowledge", params=asked)
        assert answer.status_code == 200
        assert ("Solar panels" in answer.text) is there, asked
        assert MARKUP not in answer.text


async def test_a_document_says_which_articles_rest_on_it(api: Api, browser: Browser) -> None:
    article = await written(browser)
    await browser.get("/console/knowledge")
    used = [row for row in re.findall(r"<tr>.*?</tr>", browser.page, re.DOTALL) if 'label="Articles">1<' in row]
    assert used
    [address] = re.findall(r'href="([^"]+/documents/[^"]+)"', used[0])
    await browser.get(address)
    assert article in browser.page
    assert "https://kb.example.org/" in browser.page
    assert "Versions" in browser.page


async def test_a_file_is_added_without_a_script_and_deleted_after_a_question(api: Api, browser: Browser) -> None:
    assert (await send(browser, ("noise.md", TEXT))).status_code == 303
    waiting = await browser.get("/console/knowledge/preparing")
    assert "being read" in waiting.text
    await api.house.work()
    assert "All documents have been read." in (await browser.get("/console/knowledge/preparing")).text
    await browser.get("/console/knowledge", params={"search": "noise"})
    [address] = re.findall(r'"(/console/knowledge/documents/[^"]+)"', browser.page)
    await browser.get(address)
    for shown in ("Noise of heat pumps", "noise.md", "40 dB", "No article cites"):
        assert shown in browser.page
    await browser.get(f"{address}/delete")
    assert "cannot be undone" in browser.page
    deleted = await browser.post(f"{address}/delete")
    assert "The document is deleted." in (await browser.follow(deleted)).text
    assert (await browser.get(address)).status_code == 404


async def test_a_page_that_an_enrichment_found_is_removed_and_what_everybody_reads_is_not(
    api: Api, browser: Browser
) -> None:
    scope = KbScope(NICHE, api.house.caller.tenant_id)
    await api.house.services.knowledge.import_sources(scope, [SourceText("mine", "Mine alone", TEXT.decode())])
    await api.house.services.knowledge.import_sources(KbScope(NICHE), [SourceText("all", "For all", TEXT.decode())])
    for title, removable in (("Mine alone", True), ("For all", False)):
        await browser.get("/console/knowledge", params={"search": title})
        [address] = re.findall(r'"(/console/knowledge/documents/[^"]+)"', browser.page)
        assert ("/delete" in (await browser.get(address)).text) is removable
        asked = await browser.get(f"{address}/delete")
        assert asked.status_code == (200 if removable else 404)
        await browser.get("/console/knowledge/add")
        assert (await browser.post(f"{address}/delete")).status_code == (303 if removable else 404)
        assert (await browser.get(address)).status_code == (404 if removable else 200)


async def test_several_files_are_added_each_by_itself(api: Api, browser: Browser) -> None:
    await added(browser)
    answer = await send(
        browser, ("again.md", TEXT), ("empty.md", b""), (f"{MARKUP}.exe", b"MZ\0\0"), ("good.md", TEXT + b" More.")
    )
    assert answer.status_code >= 400
    assert "again.md: This document already exists" in answer.text
    assert "empty.md: This file is empty." in answer.text
    assert MARKUP not in answer.text
    assert "good.md:" not in answer.text
    assert "One document is being read." in answer.text


async def test_a_script_is_answered_with_a_sentence(api: Api, browser: Browser) -> None:
    browser.headers = {"HX-Request": "true"}
    answers = [await send(browser, ("noise.md", TEXT)) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 409]
    assert answers[0].text == "was added and is being read."
    assert answers[1].text.startswith("noise.md: This document already exists")


async def test_what_is_too_large_gets_a_sentence_and_a_text_is_not_lost(api: Api, browser: Browser) -> None:
    large = await send(browser, ("large.md", b"a" * MAX_SENT))
    assert large.status_code == 400
    assert (
        f"less than 10 MB. Split it, or send it through the API, which accepts up to {MAX_BYTES >> 20} MB" in large.text
    )
    text = "A long text." * (MAX_SENT // 12 + 1)
    parts = {"csrf": (None, browser.token), "title": (None, "Mine"), "text": (None, text)}
    refused = browser._kept(await browser._asked("POST", "/console/knowledge/add/text", files=parts))
    assert refused.status_code == 413
    assert "less than 10 MB" in refused.text
    assert text in refused.text
    assert 'value="Mine"' in refused.text
    parts["text"] = (None, "a" * (MAX_REQUEST + 1))
    unread = await browser._asked("POST", "/console/knowledge/add/text", files=parts)
    assert unread.status_code == 413
    assert f"more than {MAX_REQUEST >> 20} MB in all, and none was added" in unread.text
    beyond = await send(browser, *((f"{n}.md", b"a" * (MAX_SENT - 1)) for n in range(MAX_REQUEST // MAX_SENT + 1)))
    assert beyond.status_code == 413
    assert "none was added" in beyond.text
    assert (await send(browser)).status_code == 400
    assert "Choose a file first." in browser.page


async def test_a_text_is_pasted(api: Api, browser: Browser) -> None:
    await browser.get("/console/knowledge/add")
    empty = await browser.post("/console/knowledge/add/text", title="Kept", text=" ")
    assert empty.status_code == 400
    assert 'value="Kept"' in empty.text
    done = await browser.post("/console/knowledge/add/text", title="On noise/at night", text=TEXT.decode())
    await browser.follow(done)
    assert "can be searched once they have been read" in browser.page
    await api.house.work()
    assert "On noise/at night" in (await browser.get("/console/knowledge", params={"search": "night"})).text


async def test_a_page_is_added_by_its_address_and_a_wrong_one_is_shown_again(api: Api, browser: Browser) -> None:
    await browser.get("/console/knowledge/add")
    refused = await browser.post("/console/knowledge/add/address", address="ftp://example.org/x")
    assert refused.status_code == 400
    assert 'value="ftp://example.org/x"' in refused.text
    await browser.follow(await browser.post("/console/knowledge/add/address", address="https://example.org/page"))
    assert "https://example.org/page" in browser.page


async def test_a_document_that_cannot_be_read_says_why(api: Api, browser: Browser) -> None:
    assert (await send(browser, ("broken.pdf", b"%PDF-1.7\nnothing"))).status_code == 303
    for _ in range(4):
        await api.house.work()
        api.house.clock.advance(seconds=600)
    await browser.get("/console/knowledge")
    assert "could not be read" in browser.page
    [address] = re.findall(r'"(/console/knowledge/documents/[^"]+)"', browser.page.partition("<table")[0])
    assert "unreadable" in (await browser.get(address)).text


async def test_a_viewer_sees_and_changes_nothing(api: Api, browser: Browser) -> None:
    address = await added(browser)
    _, caller = await joined(api.house, Role.VIEWER)
    viewer = await signed_in(api, await api.key_of(caller))
    assert "Delete" not in (await viewer.get(address)).text
    shown = await viewer.get("/console/knowledge/add")
    assert "<textarea" not in shown.text
    for path, fields in (
        ("add/text", {"text": "A text."}),
        ("add/address", {"address": "https://example.org/"}),
        (f"documents/{address.rpartition('/')[2]}/delete", {}),
    ):
        answer = await viewer.post(f"/console/knowledge/{path}", fields)
        assert answer.status_code == 403
        assert "Your role does not allow this" in answer.text
    assert (await browser.get(address)).status_code == 200


async def test_another_tenants_document_is_not_there(api: Api, browser: Browser) -> None:
    address = await added(browser)
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    for path in (address, f"{address}/delete"):
        assert (await stranger.get(path)).status_code == 404
    await stranger.get("/console/knowledge")
    assert (await stranger.post(f"{address}/delete")).status_code == 404
    assert "noise.md" not in (await stranger.get("/console/knowledge")).text


async def test_a_form_with_files_proves_that_our_page_sent_it(api: Api, browser: Browser) -> None:
    for token in ("", "wrong"):
        assert (await send(browser, ("noise.md", TEXT), csrf=token)).status_code == 403
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = await browser._asked("POST", "/console/knowledge/add/files", content=b"--x\r\nnonsense", headers=broken)
    assert answer.status_code == 400
    browser.cookies.clear()
    parts = {"title": (None, "Mine"), "text": (None, "A text that took an hour.")}
    kept = await browser._asked("POST", "/console/knowledge/add/text", files=parts)
    assert kept.status_code == 401
    assert "A text that took an hour." in kept.text


async def test_a_former_version_is_shown_as_of_its_time(api: Api, browser: Browser) -> None:
    address = await added(browser)
    for wrong in ("1999-01-01T00:00:00+00:00",):
        assert (await browser.get(address, params={"asOf": wrong})).status_code == 400
    for ignored in ("x", "2026-01-01"):
        assert (await browser.get(address, params={"asOf": ignored, "from": "-3"})).status_code == 200
