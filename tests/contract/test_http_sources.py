"""/sources over HTTP."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from tests.support.house import NICHE
from tests.support.http import Api, faults_of, open_api, problem_of
from tests.support.scripted_web import PAGES

ADDRESS = "https://web.example.org/noise"
NEW = {"kind": "pages", "name": "Rules", "place": ADDRESS, "nicheKey": NICHE}


async def created(api: Api, **changes: Any) -> dict[str, Any]:
    answer = await api.call("POST", "/sources", NEW | changes)
    assert answer.status_code == 200, answer.text
    source: dict[str, Any] = answer.json()
    return source


async def test_from_a_list_of_pages_to_documents_that_follow_it() -> None:
    async with open_api() as api:
        source = await created(api, place=f"{ADDRESS}\nhttps://web.example.org/nothing", graceDays=0)
        assert (source["syncing"], source["paused"], "lastSync" in source) == (True, False, False)
        await api.house.work()
        [found] = (await api.call("GET", "/sources")).json()["sources"]
        assert (found["syncing"], found["lastSync"]["outcome"], found["lastSync"]["added"]) == (False, "done", 1)
        items = (await api.call("GET", f"/sources/{source['id']}/items")).json()
        found = [(item["key"], item["state"], item.get("reason")) for item in items["items"]]
        assert found == [(ADDRESS, "stored", None), ("https://web.example.org/nothing", "skipped", "gone")]
        search = (await api.call("GET", f"/kb/search?nicheKey={NICHE}&query=noise limits terraced houses")).json()
        assert items["items"][0]["documentId"] in {r["parentId"] for r in search["results"]}
        changed = await api.call("PATCH", f"/sources/{source['id']}", {"paused": True, "everyHours": 6})
        assert (changed.json()["paused"], changed.json()["everyHours"]) == (True, 6)
        assert "nextSyncAt" not in changed.json()
        assert (await api.call("POST", f"/sources/{source['id']}/sync")).json()["syncing"] is True
        await api.house.work()
        assert (await api.call("GET", f"/sources/{source['id']}")).json()["lastSync"]["unchanged"] == 1
        assert (await api.call("DELETE", f"/sources/{source['id']}")).status_code == 200
        assert (await api.call("GET", f"/sources/{source['id']}")).status_code == 404
        assert (await api.call("GET", "/sources")).json() == {"sources": []}


async def test_what_is_doubtful_is_taken_over_once_a_person_accepts_it() -> None:
    async with open_api() as api:
        pages = list(PAGES)
        source = await created(api, place="\n".join(pages), graceDays=0)
        await api.house.work()
        path = f"/sources/{source['id']}"
        nothing = await api.call("POST", f"{path}/accept")
        assert (nothing.status_code, problem_of(nothing)["code"]) == (409, "nothing_doubtful")
        note = "All of this is a part of the handbook of the county now, and stands there in one place, page {n}."
        api.house.web.pages = {page: ("Moved", note.format(n=n)) for n, page in enumerate(pages)}
        await api.call("POST", f"{path}/sync")
        await api.house.work()
        last = (await api.call("GET", path)).json()["lastSync"]
        assert (last["outcome"], last["changed"], last["skipped"]) == ("doubtful", 0, {"doubtful": 3})
        assert "accept what the source says now" in last["error"]
        items = (await api.call("GET", f"{path}/items?state=skipped")).json()["items"]
        assert [(item["reason"], "documentId" in item) for item in items] == [("doubtful", True)] * 3
        assert (await api.call("POST", f"{path}/accept")).json()["syncing"] is True
        await api.house.work()
        last = (await api.call("GET", path)).json()["lastSync"]
        assert (last["outcome"], last["changed"]) == ("done", 3)


async def test_items_are_paged_by_their_keys_and_told_apart_by_state() -> None:
    async with open_api() as api:
        pages = [f"https://web.example.org/{n}" for n in range(3)]
        api.house.web.pages |= {page: ("", f"A page on fans and their noise, number {page}.") for page in pages}
        source = await created(api, place="\n".join(pages))
        await api.house.work()
        path = f"/sources/{source['id']}/items"
        first = (await api.call("GET", f"{path}?limit=2")).json()
        rest = (await api.call("GET", f"{path}?limit=2&after={first['after']}")).json()
        assert [item["key"] for item in (*first["items"], *rest["items"])] == pages
        assert "after" not in rest
        assert (await api.call("GET", f"{path}?state=missing")).json() == {"items": []}
        for wrong in ("state=gone", "limit=0", "limit=101", "after="):
            assert (await api.call("GET", f"{path}?{wrong}")).status_code == 400


async def test_what_cannot_be_followed_is_refused_field_by_field() -> None:
    async with open_api() as api:
        bad = {"name": " ", "place": "", "everyHours": 0, "graceDays": 91}
        assert set(faults_of(await api.call("POST", "/sources", NEW | bad))) == set(bad)
        folder = {"kind": "folder", "place": "/etc"}
        assert "CONTENTGEN_SOURCE_FOLDERS" in faults_of(await api.call("POST", "/sources", NEW | folder))["place"]
        private = await api.call("POST", "/sources", NEW | {"place": "\n".join(f"{ADDRESS}/{n}" for n in range(201))})
        assert "place" in faults_of(private)
        assert problem_of(await api.call("POST", "/sources", NEW | {"nicheKey": "none"}))["code"] == "not_found"
        assert (await api.call("POST", "/sources", NEW | {"kind": "ftp"})).status_code == 400
        source = await created(api)
        other = await api.key_of(evolve(await api.house.other_tenant()))
        for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/sync"), ("POST", "/accept"), ("GET", "/items")):
            answer = await api.call(method, f"/sources/{source['id']}{path}", key=other)
            assert answer.status_code == 404, (method, path)


async def test_a_kind_says_what_it_needs_and_no_answer_shows_a_secret() -> None:
    async with open_api() as api:
        kinds = {kind["kind"]: kind for kind in (await api.call("GET", "/sources/kinds")).json()["kinds"]}
        fields = {field["name"]: field for field in kinds["s3"]["fields"]}
        assert (fields["secretAccessKey"]["secret"], fields["accessKeyId"]["required"]) == (True, True)
        assert (kinds["pages"]["fields"], kinds["pages"]["unverified"]) == ([], [])
        new = {"kind": "s3", "place": "s3://handbooks/heat"}
        settings = {"accessKeyId": "AKIA", "secretAccessKey": "a-secret-key"}
        assert "settings.secretAccessKey" in faults_of(await api.call("POST", "/sources", NEW | new))
        for wrong in ({"other": "x"}, {"region": 1}, {"endpoint": "ftp://a.example"}):
            answer = await api.call("POST", "/sources", NEW | new | {"settings": settings | wrong})
            assert set(faults_of(answer)) == {f"settings.{name}" for name in wrong}
        source = await created(api, **new, settings=settings)
        assert (source["settings"], source["secretsSet"]) == ({"accessKeyId": "AKIA"}, ["secretAccessKey"])
        await api.house.work()
        moved = await api.call("PATCH", f"/sources/{source['id']}", {"place": "s3://others"})
        assert set(faults_of(moved)) == {"settings.secretAccessKey"}
        changed = await api.call("PATCH", f"/sources/{source['id']}", {"settings": {"region": "eu-central-1"}})
        assert changed.json()["settings"] == {"accessKeyId": "AKIA", "region": "eu-central-1"}
        for path in ("", f"/{source['id']}", f"/{source['id']}/items"):
            assert "a-secret-key" not in (await api.call("GET", f"/sources{path}")).text
