"""Settings in the console: voices, webhooks with their deliveries, and the plan."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

import pytest

from contentgen_core.model.tenant import Role
from tests.contract.test_http_webhooks import delivered, happened
from tests.support.browser import Browser, signed_in
from tests.support.http import Api, open_api
from tests.support.team import joined

MARKUP: Final = "<script>alert(1)</script>\"'&"
VOICES: Final = "/console/settings/voices"
WEBHOOKS: Final = "/console/settings/webhooks"
SAMPLE: Final = "We keep it short. We say what we know. We do not shout, and we do not sell. " * 4


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def _voice(browser: Browser, **fields: str) -> str:
    """The address of a new voice."""
    await browser.get(VOICES)
    fields = {"name": "House style", "language": "en", "avoid": "leverage\nsynergy", **fields}
    answer = await browser.post(VOICES, fields)
    await browser.follow(answer)
    return str(answer.headers["location"].partition("?")[0])


async def test_a_voice_is_made_changed_tried_and_deleted(api: Api) -> None:
    browser = await signed_in(api)
    address = await _voice(browser, sample=SAMPLE, default="yes")
    assert "Measured in" in browser.page
    assert "used when an article names none" in browser.page
    assert browser.fields()["avoid"] == ["leverage\nsynergy"]
    deviates = await browser.post(f"{address}/try", text="We leverage our synergies every day.")
    assert "avoided term “leverage” in sentence 1" in deviates.text
    assert "avoided term “synergy” in sentence 1" in deviates.text
    changed = await browser.post(address, {**browser.fields(), "name": MARKUP, "avoid": "", "forget": "yes"})
    assert changed.status_code == 400  # nothing would be left of it
    assert MARKUP not in changed.text
    assert browser.fields()["name"] == [MARKUP]
    await browser.follow(await browser.post(address, name="Plain", avoid="", guide="Plain words.", forget="yes"))
    assert "Not measured" in browser.page
    fits = await browser.post(f"{address}/try", text="We leverage our synergies every day.")
    assert "matches this voice" in fits.text
    assert "Delete the voice Plain?" in (await browser.get(f"{address}/delete")).text
    await browser.follow(await browser.post(f"{address}/delete"))
    assert address not in browser.page


async def test_what_was_measured_stays_without_a_new_sample(api: Api) -> None:
    browser = await signed_in(api)
    address = await _voice(browser, sample=SAMPLE)
    await browser.follow(await browser.post(address, name="House style", use="heat pump"))
    assert "Measured in" in browser.page


@pytest.mark.parametrize("text", ["", "x" * 50_001])
async def test_a_text_that_is_tried_has_bounds(api: Api, text: str) -> None:
    browser = await signed_in(api)
    address = await _voice(browser)
    refused = await browser.post(f"{address}/try", text=text)
    assert refused.status_code == 400
    assert "between 1 and 50,000 characters" in refused.text


async def test_a_viewer_tries_voices_and_makes_none(api: Api) -> None:
    address = await _voice(await signed_in(api))
    _, viewer = await joined(api.house, Role.VIEWER)
    browser = await signed_in(api, await api.key_of(viewer))
    await browser.get(address)
    assert (await browser.post(f"{address}/try", text="Plain words.")).status_code == 200
    for path in (VOICES, address, f"{address}/delete"):
        assert (await browser.post(path, name="Mine", guide="Mine.")).status_code == 403


async def _webhook(browser: Browser) -> str:
    """The address of a new webhook."""
    await browser.get(WEBHOOKS)
    sent = await browser.post(WEBHOOKS, name=f"Receiver {MARKUP}", url="https://hooks.example.org/a")
    made = await browser.follow(sent)
    assert MARKUP not in made.text
    secret = re.search(r'<code class="secret">(whsec_[^<]+)</code>', made.text)
    assert secret
    found = re.search(rf'action="({WEBHOOKS}/[^/"]+)"', made.text)
    assert found
    assert secret.group(1) not in (await browser.get(found.group(1))).text
    return found.group(1)


async def test_a_webhook_is_made_changed_and_deleted(api: Api) -> None:
    browser = await signed_in(api)
    address = await _webhook(browser)
    answer = await browser.post(
        address, name="Other", url="https://hooks.example.org/b", event=["sync.failed", "invented"]
    )
    shown = await browser.follow(answer)
    assert re.findall(r'value="([^"]+)" checked', shown.text) == ["sync.failed"]  # neither other events nor enabled
    rotated = await browser.follow(await browser.post(f"{address}/rotate"))
    assert 'class="secret">whsec_' in rotated.text
    assert "whsec_" not in (await browser.get(address)).text
    assert "messages also carry the former signature until" in rotated.text
    assert "Delete the webhook Other?" in (await browser.get(f"{address}/delete")).text
    await browser.follow(await browser.post(f"{address}/delete"))
    assert address not in browser.page


async def test_an_address_that_is_none_is_told_and_kept(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(WEBHOOKS)
    refused = await browser.post(WEBHOOKS, name="Ours", url="ftp://example.org", event="sync.failed")
    assert refused.status_code == 400
    assert "cannot send to this address" in refused.text
    assert browser.fields()["url"] == ["ftp://example.org"]
    assert browser.fields()["event"] == ["sync.failed"]


async def test_deliveries_are_shown_with_their_attempts_and_sent_again(api: Api) -> None:
    browser = await signed_in(api)
    address = await _webhook(browser)
    api.house.webhooks.answer = lambda *_: 410
    for _ in range(21):
        await happened(api)
    await delivered(api)
    first = await browser.get(address)
    assert "Disabled because:" in first.text
    links = re.findall(rf'href="({address}/deliveries/[^"]+)"', first.text)
    assert len(links) == 20
    older = re.search(r'rel="next" href="([^"]+)"', first.text)
    assert older
    rest = await browser.get(f"{address}{older.group(1).removeprefix(address).replace('&amp;', '&')}")
    assert len(set(re.findall(rf'href="({address}/deliveries/[^"]+)"', rest.text)) - set(links)) == 1
    assert f"{address}/deliveries/" not in (await browser.get(f"{address}?state=delivered")).text
    failed = re.findall(rf'href="({address}/deliveries/[^"]+)"', (await browser.get(f"{address}?state=failed")).text)
    one = await browser.get(failed[0])
    assert "articleId" in one.text
    assert "refused: 410" in one.text
    assert "The event is being sent again." in (await browser.follow(await browser.post(failed[0]))).text
    assert "sent again." in (await browser.follow(await browser.post(f"{address}/replay"))).text
    assert "There are no failed events." in (await browser.follow(await browser.post(f"{address}/replay"))).text


async def test_a_test_says_what_came_of_it(api: Api) -> None:
    browser = await signed_in(api)
    address = await _webhook(browser)
    await browser.get(address)
    assert "accepted: 204" in (await browser.follow(await browser.post(f"{address}/test"))).text
    api.house.webhooks.answer = lambda *_: "connection refused"
    assert "connection refused" in (await browser.follow(await browser.post(f"{address}/test"))).text


async def test_webhooks_are_for_admins(api: Api) -> None:
    address = await _webhook(await signed_in(api))
    _, editor = await joined(api.house, Role.EDITOR)
    browser = await signed_in(api, await api.key_of(editor))
    assert WEBHOOKS not in (await browser.get(VOICES)).text
    for path in (WEBHOOKS, address, f"{address}/delete"):
        refused = await browser.get(path)
        assert refused.status_code == 403
        assert "Your role does not allow this" in refused.text


async def test_nothing_of_another_team_is_there(api: Api) -> None:
    owner = await signed_in(api)
    voice, webhook = await _voice(owner), await _webhook(owner)
    await happened(api)
    await delivered(api)
    link = re.search(rf'href="({webhook}/deliveries/[^"]+)"', (await owner.get(webhook)).text)
    assert link
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    for path in (voice, f"{voice}/delete", webhook, f"{webhook}/delete", link.group(1)):
        assert (await stranger.get(path)).status_code == 404
        await stranger.get(VOICES)
        answer = await stranger.post(path, name="Mine", guide="Mine.", url="https://hooks.example.org/c")
        assert answer.status_code == 404
    await stranger.get(VOICES)
    for path in (f"{voice}/try", f"{webhook}/rotate", f"{webhook}/test", f"{webhook}/replay"):
        assert (await stranger.post(path, text="Mine.")).status_code == 404
        await stranger.get(VOICES)


async def test_the_plan_says_what_it_includes(api: Api) -> None:
    browser = await signed_in(api)
    shown = await browser.get("/console/settings/plan")
    assert "Your plan: Pro" in shown.text
    assert "of 100" in shown.text
    assert ">500<" in shown.text
    assert "Short, Standard, Long, Very long" in shown.text


async def test_on_french_pages_what_deviates_from_a_voice_is_french(api: Api) -> None:
    browser = await signed_in(api)
    browser.headers["Accept-Language"] = "fr"
    address = await _voice(browser, sample=SAMPLE)
    deviates = await browser.post(f"{address}/try", text="We leverage our synergies every day.")
    assert '<li lang="fr">terme à éviter « leverage » dans la phrase 1</li>' in deviates.text
    assert '<li lang="en">' not in deviates.text


async def test_on_french_pages_why_a_receiver_did_not_answer_is_french(api: Api) -> None:
    browser = await signed_in(api)
    address = await _webhook(browser)
    browser.headers["Accept-Language"] = "fr"
    api.house.webhooks.answer = lambda _url, _message: "no answer in time (ReadTimeout)"
    await browser.follow(await browser.post(f"{address}/test"))
    assert "pas de réponse à temps (ReadTimeout)" in browser.page


async def test_a_test_that_is_shown_is_not_repeated_by_loading_its_page_again(api: Api) -> None:
    browser = await signed_in(api)
    address = await _webhook(browser)
    await browser.get(address)
    sent = await browser.post(f"{address}/test")
    assert sent.headers["location"] == address
    assert "accepted: 204" in (await browser.follow(sent)).text
    assert "accepted: 204" not in (await browser.get(address)).text
    assert len(api.house.webhooks.sent) == 1
