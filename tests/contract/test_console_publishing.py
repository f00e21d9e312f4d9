"""Publishing in the console: targets are connected, tried and disconnected; posts are listed."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import INFO, TOKEN
from contentgen_core.model.ids import IntegrationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import PostRequest, PublicationStatus
from contentgen_core.model.publishing_target import Choice, FieldType, SettingField
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.testing import builders
from contentgen_core.use_cases.integrations.manage_integrations import TRIES_PER_MINUTE, NewIntegration
from tests.support.browser import signed_in
from tests.support.http import NICHE, Api, open_api
from tests.support.team import joined

MARKUP = "<script>alert(1)</script>\"'&"
CONNECT = "/console/publishing/connect/memory"
FIELDS = {"name": "Our blog", "credentials.token": TOKEN, "credentials.blog": "heat"}


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def connected(api: Api, name: str = "Our blog") -> Integration:
    command = NewIntegration(api.house.caller, "memory", name, True, {"token": TOKEN, "blog": "heat"}, {})
    return await api.house.services.publishing.integrations.create(command)


async def only(api: Api) -> Integration:
    [found] = await api.house.services.publishing.integrations.list(api.house.caller)
    return found


async def test_a_target_is_connected_by_its_form_and_its_secret_is_never_sent_back(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get("/console/publishing/connect")
    assert CONNECT in browser.page
    await browser.get(CONNECT)
    done = await browser.post(CONNECT, FIELDS)
    assert (await browser.follow(done)).status_code == 200
    assert "Our blog" in browser.page
    target = await only(api)
    assert target.credentials == {"blog": "heat"}
    await browser.get(f"/console/publishing/targets/{target.id}")
    assert TOKEN not in browser.page
    assert 'placeholder="saved"' in browser.page


async def test_what_the_target_refuses_is_told_and_what_was_typed_stays(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(CONNECT)
    refused = await browser.post(CONNECT, FIELDS | {"credentials.token": "wrong-secret", "credentials.blog": MARKUP})
    assert refused.status_code == 400
    assert "the token is wrong" in refused.text
    assert browser.fields()["credentials.blog"] == [MARKUP]
    assert MARKUP not in refused.text
    assert "wrong-secret" not in refused.text
    empty = await browser.post(CONNECT, FIELDS | {"credentials.token": "", "name": ""})
    assert empty.status_code == 400
    assert "This field is required." in empty.text
    assert await api.house.services.publishing.integrations.list(api.house.caller) == []


async def test_what_is_typed_is_tried_and_nothing_is_kept(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(CONNECT)
    tried = await browser.post(f"{CONNECT}/try", FIELDS)
    assert "The connection works." in tried.text
    assert "<html" not in tried.text
    await browser.get(CONNECT)
    assert "Still missing: Token." in (await browser.post(f"{CONNECT}/try", FIELDS | {"credentials.token": ""})).text
    await browser.get(CONNECT)
    assert "the token is wrong" in (await browser.post(CONNECT, FIELDS | {"credentials.token": "x", "do": "test"})).text
    assert await api.house.services.publishing.integrations.list(api.house.caller) == []


async def test_a_minute_has_its_tries(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(CONNECT)
    asked = {**FIELDS, "csrf": browser.token}
    for _ in range(TRIES_PER_MINUTE):
        assert "The connection works." in (await browser.post(f"{CONNECT}/try", asked, token=False)).text
    calls = len(api.house.target.calls)
    assert "Too many requests" in (await browser.post(f"{CONNECT}/try", asked, token=False)).text
    assert len(api.house.target.calls) == calls


async def test_a_kept_secret_stays_where_nothing_is_typed(api: Api) -> None:
    browser, target = await signed_in(api), await connected(api)
    address = f"/console/publishing/targets/{target.id}"
    await browser.get(address)
    tried = await browser.post(f"{address}/try", {"name": "x", "credentials.token": "", "credentials.blog": "cold"})
    assert "The connection works." in tried.text
    await browser.get(address)
    fields = {"name": f"Renamed {MARKUP}", "credentials.token": "", "credentials.blog": "cold"}
    await browser.follow(await browser.post(address, fields))
    changed = await only(api)
    assert (changed.name, changed.credentials) == (f"Renamed {MARKUP}", {"blog": "cold"})
    assert changed.secret_fields == ("token",)
    assert MARKUP not in browser.page
    await browser.get(address)
    refused = await browser.post(address, {"name": "x", "credentials.token": "wrong", "credentials.blog": ""})
    assert refused.status_code == 400
    assert (await only(api)).credentials == {"blog": "cold"}


async def test_a_name_is_changed_although_the_target_is_away(api: Api) -> None:
    browser, target = await signed_in(api), await connected(api)
    calls = len(api.house.target.calls)
    await browser.get(f"/console/publishing/targets/{target.id}")
    fields = {"name": "Renamed", "credentials.token": "", "credentials.blog": "heat"}
    await browser.post(f"/console/publishing/targets/{target.id}", fields)
    assert (await only(api)).name == "Renamed"
    assert len(api.house.target.calls) == calls


async def test_a_target_is_switched_tested_and_disconnected_after_a_question(api: Api) -> None:
    browser, target = await signed_in(api), await connected(api)
    address = f"/console/publishing/targets/{target.id}"
    await browser.get("/console/publishing")
    await browser.follow(await browser.post(f"{address}/switch", enabled="no"))
    assert "disabled" in browser.page
    assert not (await only(api)).enabled
    await browser.follow(await browser.post(f"{address}/switch", enabled="yes"))
    await browser.follow(await browser.post(f"{address}/test"))
    assert "accepted the credentials" in browser.page
    await _publication(api, target.id)
    await browser.get(f"{address}/delete")
    assert "One post stays" in browser.page
    assert "will fail" in browser.page
    await browser.follow(await browser.post(f"{address}/delete"))
    assert await api.house.services.publishing.integrations.list(api.house.caller) == []
    assert "no longer connected" in browser.page


async def test_posts_are_listed_by_state_target_and_niche_a_page_at_a_time(api: Api) -> None:
    browser, target = await signed_in(api), await connected(api)
    article = builders.article(tenant_id=api.house.caller.tenant_id, niche_key=NICHE, title=f"Masts {MARKUP}")
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    await _publication(
        api, target.id, article_id=article.id, status=PublicationStatus.UNKNOWN, url="javascript:alert(1)"
    )
    for number in range(21):
        await _publication(api, target.id, request=PostRequest(title=f"Sail {number:02}"))
    first = await browser.get("/console/publishing")
    assert "Sail 20" in first.text
    assert "Sail 00" not in first.text
    older = await browser.get("/console/publishing", params=_query_of(first.text, "Older"))
    assert "Sail 00" in older.text
    assert "Sail 20" not in older.text
    for asked in ({"status": "unknown"}, {"niche": NICHE, "target": target.id}):
        found = await browser.get("/console/publishing", params=asked)
        assert "Masts &lt;script&gt;" in found.text
        assert "Sail" not in found.text
        assert MARKUP not in found.text
        assert "javascript:" not in found.text
    assert "No posts match" in (await browser.get("/console/publishing", params={"target": "\0" * 9})).text


async def test_editors_see_targets_and_admins_change_them(api: Api) -> None:
    target = await connected(api)
    _, caller = await joined(api.house, Role.EDITOR)
    browser = await signed_in(api, await api.key_of(caller))
    await browser.get("/console/publishing")
    assert "Our blog" in browser.page
    assert f"/targets/{target.id}" not in browser.page
    await browser.get(CONNECT)
    for address, fields in ((CONNECT, FIELDS), (f"{CONNECT}/try", FIELDS)):
        answer = await browser.post(address, {**fields, "csrf": browser.token}, token=False)
        assert answer.status_code == 403, address
        await browser.get(CONNECT)


async def test_another_teams_target_is_not_there(api: Api) -> None:
    target = await connected(api)
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    await stranger.get(CONNECT)
    address = f"/console/publishing/targets/{target.id}"
    assert (await stranger.get(f"{address}/delete")).status_code == 404
    assert (await stranger.get(address)).status_code == 404
    for path in (address, f"{address}/try", f"{address}/test", f"{address}/switch", f"{address}/delete"):
        await stranger.get(CONNECT)
        assert (await stranger.post(path, name="x", enabled="no")).status_code == 404, path
    assert await only(api) == target


async def test_every_kind_of_field_has_its_input(api: Api) -> None:
    declared = (
        SettingField("flag", "Flag", FieldType.BOOLEAN, default=True),
        SettingField("count", "Count", FieldType.NUMBER),
        SettingField("kind", "Kind", FieldType.SELECT, choices=(Choice("a", "A"), Choice("b", "B"))),
        SettingField("lists", "Lists", FieldType.LIST),
        SettingField("names", "Names", FieldType.MAP, help=f"As in {MARKUP}"),
    )
    api.house.target.info = evolve(INFO, setting_fields=declared)
    browser = await signed_in(api)
    await browser.get(CONNECT)
    assert MARKUP not in browser.page
    fields = {
        **FIELDS, "settings.count": "7", "settings.kind": "b", "settings.lists": "one\n\n two ",
        "settings.names": "title = Name\nbody=Text",
    }  # fmt: skip
    await browser.follow(await browser.post(CONNECT, fields))
    target = await only(api)
    assert target.settings == {
        "flag": False, "count": 7, "kind": "b", "lists": ["one", "two"], "names": {"title": "Name", "body": "Text"},
    }  # fmt: skip
    await browser.get(f"/console/publishing/targets/{target.id}")
    assert browser.fields()["settings.names"] == ["title = Name\nbody = Text"]
    for faulty in ({"settings.count": "many"}, {"settings.names": "no sign"}):
        await browser.get(CONNECT)
        answer = await browser.post(CONNECT, {**fields, **faulty})
        assert answer.status_code == 400
        assert 'aria-invalid="true"' in answer.text


async def _publication(api: Api, at: IntegrationId, **changes: object) -> None:
    new = builders.publication(
        **{"tenant_id": api.house.caller.tenant_id, "integration_id": at, "provider": "memory", **changes}
    )
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Publications].add(new)


def _query_of(page: str, words: str) -> dict[str, str]:
    """The query of the link with these words."""
    from html import unescape
    from re import search
    from urllib.parse import parse_qsl

    found = search(rf'href="\?([^"]*)">{words}<', page)
    assert found, page
    return dict(parse_qsl(unescape(found.group(1))))


async def test_a_site_is_told_of_added_and_removed_after_a_question(api: Api) -> None:
    sites = "/console/publishing/index-now"
    browser = await signed_in(api)
    await browser.get(sites)
    refused = await browser.post(sites, site=f"https://blog.example.com/{MARKUP}")
    assert refused.status_code == 400
    assert MARKUP not in refused.text
    assert browser.fields()["site"] == [f"https://blog.example.com/{MARKUP}"]
    await browser.follow(await browser.post(sites, site="https://blog.example.com/"))
    index_now = api.house.services.publishing.index_now
    [site] = await index_now.list(api.house.caller)
    assert site.key_address in browser.page
    await browser.follow(await browser.post(f"{sites}/{site.id}/submit"))
    assert "being notified" in browser.page
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    for path in (f"{sites}/{site.id}/submit", f"{sites}/{site.id}/delete"):
        await stranger.get(sites)
        assert (await stranger.post(path)).status_code == 404
    assert (await stranger.get(f"{sites}/{site.id}/delete")).status_code == 404
    await browser.get(f"{sites}/{site.id}/delete")
    await browser.follow(await browser.post(f"{sites}/{site.id}/delete"))
    assert await index_now.list(api.house.caller) == []
