"""/index-now over HTTP, and what publishing makes of it."""

from __future__ import annotations

from typing import Any

from contentgen_adapters.memory.publishing import TOKEN
from tests.support.http import faults_of, open_api, problem_of

SITE = {"site": "https://blog.example.org"}


async def test_a_post_that_is_published_changed_or_withdrawn_is_told() -> None:
    async with open_api() as api:
        memory = {"provider": "memory", "name": "Blog", "credentials": {"token": TOKEN}}
        integration = (await api.call("POST", "/integrations", memory)).json()["integration"]["id"]
        post = {"title": "Heat", "content": "Heat moves."}
        path = f"/integrations/{integration}/publish"
        publication = (await api.call("POST", path, post)).json()["publication"]["id"]
        await api.house.work()
        address = (await api.call("GET", f"/publications/{publication}")).json()["url"]
        site = {"site": "/".join(address.split("/")[:3])}
        assert (await api.call("POST", "/index-now", site)).status_code == 200
        told = await _told(api)
        assert told == []
        assert (await api.call("DELETE", f"/publications/{publication}/post")).status_code == 200
        assert await _told(api) == [address]
        again = (await api.call("POST", path, post | {"title": "Cold"})).json()["publication"]["id"]
        await api.house.work()
        second = (await api.call("GET", f"/publications/{again}")).json()["url"]
        assert await _told(api) == [address, second]


async def test_sites_over_http() -> None:
    async with open_api() as api:
        made = (await api.call("POST", "/index-now", SITE)).json()
        assert made["keyAddress"] == f"https://blog.example.org/{made['key']}.txt"
        assert (made["submitting"], "last" in made) == (False, False)
        assert (await api.call("GET", "/index-now")).json() == {"sites": [made]}
        assert problem_of(await api.call("POST", "/index-now", SITE))["code"] == "already_exists"
        assert set(faults_of(await api.call("POST", "/index-now", {"site": "x"}))) == {"site"}
        assert (await api.call("POST", f"/index-now/{made['id']}/submit")).json()["submitting"] is True
        assert (await api.call("DELETE", f"/index-now/{made['id']}")).status_code == 200
        assert (await api.call("DELETE", f"/index-now/{made['id']}")).status_code == 404


async def test_only_keys_of_this_very_host_are_served() -> None:
    async with open_api() as api:
        made = (await api.call("POST", "/index-now", SITE)).json()
        for path in (f"/{made['key']}.txt", f"/{made['key']}", f"/{'0' * 32}.txt", "/x.txt", "/nothing"):
            assert problem_of(await api.call("GET", path, key=None))["code"] == "not_found", path
        assert (await api.call("POST", "/nothing", {}, key=None)).status_code in (404, 405)


async def _told(api: Any) -> list[str]:
    await api.house.services.upkeep.index_now.fire_due()
    await api.house.work()
    told = api.house.services.ports.index_now._port.told
    return [address for addresses in told.values() for address in addresses]
