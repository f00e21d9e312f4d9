"""The pages of agents and niches, without a script."""

from __future__ import annotations

from collections.abc import AsyncIterator
from html import unescape

import pytest

from contentgen_core.model.schedule import Timing
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Processing
from contentgen_http.console.schedules import in_words
from contentgen_http.console.texts import texts_in
from tests.support.browser import signed_in
from tests.support.http import AGENT, NICHE, Api, open_api
from tests.support.runs import articles, execute
from tests.support.scripted_batches import ScriptedBatches
from tests.support.team import joined

PAGE = f"/console/agents/niches/{NICHE}"
MARKUP = "<script>alert(1)</script>\"'&"
WEEKLY = {"day": ["tue"], "time": "09:00", "zone": "Europe/Paris", "articles": "2"}


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def agent_page(api: Api) -> str:
    id = (await api.call("GET", f"/agents/{AGENT}")).json()["id"]
    return f"/console/agents/{id}"


@pytest.mark.parametrize(
    ("days", "english", "french"),
    [
        ({1}, "Every Tuesday at 9:05 AM (local time: Paris)", "Chaque mardi à 09:05 (heure locale : Paris)"),
        ({0, 3}, "Every Monday and Thursday at 9:05 AM (local time: Paris)", "Chaque lundi et jeudi à 09:05"),
        (range(5), "Monday to Friday at 9:05 AM", "Du lundi au vendredi à 09:05"),
        (range(7), "Every day at 9:05 AM (local time: Paris)", "Chaque jour à 09:05"),
    ],
)
def test_a_schedule_is_said_in_words(days: set[int], english: str, french: str) -> None:
    timing = Timing(frozenset(days), 9, 5, "Europe/Paris")
    for language, expected in (("en", english), ("fr", french)):
        words = in_words(timing, texts_in(language)).replace("\u202f", " ").replace("\xa0", " ")
        assert words.startswith(expected)


async def test_the_list_shows_niches_with_their_agents_and_schedules(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(PAGE)
    await browser.follow(await browser.post(f"{PAGE}/schedule", WEEKLY))
    page = (await browser.get("/console/agents")).text
    assert "Every Tuesday at 9:00" in page
    assert f'href="{await agent_page(api)}"' in page
    assert f'href="{PAGE}"' in page


async def test_a_schedule_is_made_paused_taken_up_and_deleted(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(PAGE)
    shown = (await browser.follow(await browser.post(f"{PAGE}/schedule", WEEKLY))).text
    # the clock of the tests stands at Thursday, 2026-03-12; on the 29th the clocks of Paris are put on
    assert [f"Tue, Mar {day}, 9:00" in shown for day in (17, 24, 31)] == [True] * 3
    stored = (await api.call("GET", f"/niches/{NICHE}/article-schedule")).json()
    assert (stored["days"], stored["hour"], stored["articlesPerRun"]) == (["tue"], 9, 2)
    shown = (await browser.follow(await browser.post(f"{PAGE}/schedule", do="pause"))).text
    assert "The schedule is paused." in shown
    shown = (await browser.follow(await browser.post(f"{PAGE}/schedule", do="resume"))).text
    assert "Every Tuesday at 9:00" in shown
    await browser.follow(await browser.post(f"{PAGE}/schedule", do="delete"))
    assert (await api.call("GET", f"/niches/{NICHE}/article-schedule")).json() == {"enabled": False}


async def test_a_schedule_may_be_not_in_a_hurry(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(PAGE)
    shown = (await browser.follow(await browser.post(f"{PAGE}/schedule", WEEKLY, batch="yes"))).text
    assert 'name="batch" value="yes" checked' in shown
    assert (await api.call("GET", f"/niches/{NICHE}/article-schedule")).json()["processing"] == "batch"
    shown = (await browser.follow(await browser.post(f"{PAGE}/schedule", WEEKLY))).text
    assert 'name="batch" value="yes" checked' not in shown
    assert "processing" not in (await api.call("GET", f"/niches/{NICHE}/article-schedule")).json()


async def test_an_article_under_way_says_that_it_waits_for_a_batch() -> None:
    vendor = ScriptedBatches()
    async with open_api(batched=vendor) as api:
        await execute(api.house, 1, processing=Processing.BATCH)
        while await api.house.work():
            pass
        [article] = await articles(api.house)
        browser = await signed_in(api)
        for page in ("", "/progress"):
            shown = (await browser.get(f"/console/articles/{article.id}{page}")).text
            assert "One part is waiting for a batch" in shown
            assert 'hx-trigger="every 30s"' in shown


@pytest.mark.parametrize("wrong", [{"day": []}, {"time": "25:00"}, {"articles": "11"}, {"zone": "Mars/Olympus"}])
async def test_a_schedule_that_cannot_be_is_shown_as_it_was_typed(api: Api, wrong: dict[str, object]) -> None:
    browser = await signed_in(api)
    await browser.get(PAGE)
    answer = await browser.post(f"{PAGE}/schedule", {**WEEKLY, "articles": "7"} | wrong)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    if "articles" not in wrong:
        assert 'name="articles" type="number" min="1" max="10" required value="7"' in answer.text
    assert (await api.call("GET", f"/niches/{NICHE}/article-schedule")).json() == {"enabled": False}


async def test_a_run_is_started_followed_and_stopped(api: Api) -> None:
    browser = await signed_in(api)
    page = await agent_page(api)
    await browser.get(page)
    shown = (await browser.follow(await browser.post(f"{page}/run", articles="2"))).text
    assert 'hx-trigger="every 2s"' in shown
    [run] = (await api.call("GET", f"/agents/{AGENT}/executions")).json()["executions"]
    again = await browser.post(f"{page}/run", articles="2")
    assert again.status_code == 409
    assert "already running" in again.text
    assert '<a href="#runs">See its runs</a>' in again.text
    assert "GET /" not in again.text
    browser.headers["Accept-Language"] = "fr"
    again = await browser.post(f"{page}/run", articles="2")
    assert "Cet agent est déjà en cours d’exécution." in again.text
    assert '<a href="#runs">Voir ses exécutions</a>' in again.text
    del browser.headers["Accept-Language"]
    await browser.follow(await browser.post(f"{page}/runs/{run['id']}/stop"))
    for _ in range(4):
        await api.house.work()
        api.house.clock.advance(seconds=16)
    shown = (await browser.get(page)).text
    assert "Stopped by a person." in shown
    assert "every 2s" not in shown
    part = (await browser.get(f"{page}/runs")).text
    assert "<html" not in part
    assert "Stopped by a person." in part


async def test_runs_are_paged(api: Api) -> None:
    browser = await signed_in(api)
    page = await agent_page(api)
    await browser.get(page)
    for _ in range(11):
        await browser.post(f"{page}/run", articles="1")
        [newest, *_] = (await api.call("GET", f"/agents/{AGENT}/executions")).json()["executions"]
        await browser.get(page)
        await browser.post(f"{page}/runs/{newest['id']}/stop")
        for _ in range(2):
            await api.house.work()
            api.house.clock.advance(seconds=16)
        await browser.get(page)
    shown = (await browser.get(page)).text
    assert shown.count('id="run-') == 10
    older = unescape(shown.partition('rel="next" href="')[2].partition('"')[0])
    assert (await browser.get(older)).text.count('id="run-') == 1


async def test_a_niche_is_activated_used_and_left(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get("/console/agents")
    made = await browser.post("/console/agents/niches", name=MARKUP, description="Bees")
    page = made.headers["location"].partition("?")[0]
    shown = (await browser.follow(made)).text
    assert MARKUP not in shown
    refused = await browser.post(f"{page}/activate", country="NZ", audience="Beekeepers")
    assert refused.status_code == 400
    assert 'value="Beekeepers"' in refused.text
    fields = {"country": "NZ", "tone": ["expert"], "language": ["en", "fr"], "audience": "Beekeepers"}
    shown = (await browser.follow(await browser.post(f"{page}/activate", fields))).text
    assert "New Zealand" in shown
    assert "expert" in shown
    shown = (await browser.follow(await browser.post(f"{page}/countries", country="FR"))).text
    assert "France" in shown
    assert (await browser.post(f"{page}/countries", country="FR")).status_code == 409
    fields = {"tone": ["casual"], "language": ["fr"], "audience": MARKUP}
    shown = (await browser.follow(await browser.post(f"{page}/use", fields))).text
    assert MARKUP not in shown
    assert "The niche is no longer active" in (await browser.follow(await browser.post(f"{page}/deactivate"))).text
    held = await browser.get(f"{page}/delete")
    held = await browser.post(f"{page}/delete")
    assert held.status_code == 409
    assert "while it holds" in held.text


async def test_an_agent_is_renamed_switched_and_deleted(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(PAGE)
    await browser.follow(await browser.post(f"{PAGE}/countries", country="NZ"))
    id = (await api.call("GET", f"/agents/{NICHE}-NZ")).json()["id"]
    page = f"/console/agents/{id}"
    await browser.get(page)
    shown = (await browser.follow(await browser.post(f"{page}/edit", name=MARKUP))).text
    assert MARKUP not in shown
    shown = (await browser.follow(await browser.post(f"{page}/edit", switch="off"))).text
    assert "Enable" in shown
    await browser.get(f"{page}/delete")
    shown = (await browser.follow(await browser.post(f"{page}/delete"))).text
    assert "Its articles are kept" in shown
    assert (await browser.get(page)).status_code == 404


async def test_freshness_and_approval_of_a_niche_are_chosen(api: Api) -> None:
    browser = await signed_in(api)
    assert "Updates are off" in (await browser.get(PAGE)).text
    shown = (await browser.follow(await browser.post(f"{PAGE}/refresh", mode="auto", every="168"))).text
    assert "Every week." in shown
    assert "applied at once" in shown
    await browser.follow(await browser.post(f"{PAGE}/refresh", do="delete"))
    shown = (await browser.follow(await browser.post(f"{PAGE}/approval", required="yes", role="editor"))).text
    assert "Articles must be approved" in shown
    refused = await browser.post(f"{PAGE}/approval", required="yes", role="")
    assert refused.status_code == 400
    assert "somebody has to approve" in refused.text


async def test_a_viewer_sees_and_changes_nothing(api: Api) -> None:
    _, viewer = await joined(api.house, Role.VIEWER)
    browser = await signed_in(api, await api.key_of(viewer))
    page = await agent_page(api)
    for path in ("/console/agents", PAGE, page):
        assert 'method="post" action="/console/agents' not in (await browser.get(path)).text
    answer = await browser.post(f"{PAGE}/schedule", WEEKLY)
    assert answer.status_code == 403
    assert "Your role does not allow this" in answer.text


async def test_other_teams_agents_and_niches_are_not_there(api: Api) -> None:
    browser = await signed_in(api)
    for path in ("/console/agents/unknown", "/console/agents/niches/unknown", "/console/agents/unknown/runs"):
        assert (await browser.get(path)).status_code == 404


EXPORT = (
    b"Query,Clicks,Impressions,Position\n"
    b"heat pump efficiency in winter,2,900,12\n"
    b"vintage tractor gearbox,0,900,12\n"
    b",1,2,3\n"
)


async def test_an_export_fills_the_queues_which_lead_on(api: Api) -> None:
    browser = await signed_in(api)
    page = f"{PAGE}/demand"
    assert "No figures yet" in (await browser.get(page)).text
    fields = {"csrf": browser.token, "start": "2026-02-01", "end": "2026-02-28"}
    sent = await browser._asked("POST", f"{page}/import", data=fields, files={"file": ("Queries.csv", EXPORT)})
    assert sent.status_code == 303, sent.text
    shown = (await browser.follow(sent)).text
    assert "3 rows imported; 1 skipped." in shown
    assert "being analysed" in shown
    await api.house.work()
    shown = (await browser.get(page)).text
    assert "vintage tractor gearbox" in shown
    assert "/console/coverage?agent=home-energy-GB&amp;topic=vintage+tractor+gearbox" in shown
    assert "vintage tractor gearbox" not in (await browser.get(f"{page}?queue=merge")).text
    entry = unescape(shown.partition('name="entry" value="')[2].partition('"')[0])
    rest = (await browser.follow(await browser.post(f"{page}/dismiss", entry=entry, queue="enrich"))).text
    assert "hidden for 30 days" in rest
    assert f'value="{entry}"' not in rest
    assert "Enrich first" in (await browser.get(PAGE)).text
    assert "being analysed" in (await browser.follow(await browser.post(f"{page}/brand", words="acme, tractor"))).text


@pytest.mark.parametrize(
    ("content", "start", "said"),
    [(b"", "", "alert"), (b"%PDF-1.7", "", "alert"), (EXPORT, "soon", "must be a day"), (EXPORT, "", "which days")],
)
async def test_an_export_that_cannot_be_read_is_told(api: Api, content: bytes, start: str, said: str) -> None:
    browser = await signed_in(api)
    await browser.get(f"{PAGE}/demand")
    fields = {"csrf": browser.token, "start": start}
    files = {"file": ("Queries.csv", content)}
    answer = await browser._asked("POST", f"{PAGE}/demand/import", data=fields, files=files)
    assert answer.status_code in (400, 422)
    assert said in answer.text
