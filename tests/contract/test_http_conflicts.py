"""GET /kb/{nicheKey}/conflicts and what goes with it."""

from __future__ import annotations

from datetime import date
from typing import Any

from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from tests.support.changing_sources import GRANT, written
from tests.support.house import NICHE, findable
from tests.support.http import Api, open_api, problem_of

PATH = f"/kb/{NICHE}/conflicts"
OLD = "The grant pays 4,000 pounds for each efficient heat pump in winter."
NEW = "The grant pays 2,500 pounds for each efficient heat pump in winter."


async def told(api: Api, key: str, text: str, published: date | None = None, title: str = "Heat pump grants") -> None:
    source = SourceText(f"https://{key}/a", title, text, f"https://{key}/a", Language.EN, published=published)
    await api.house.services.knowledge.import_sources(KbScope(NICHE, api.house.caller.tenant_id), [source])
    await findable(api.house.services)


async def listed(api: Api, query: str = "") -> dict[str, Any]:
    answer = await api.call("GET", f"{PATH}{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_conflicts_are_found_listed_and_decided() -> None:
    async with open_api() as api:
        assert await listed(api) == {"conflicts": [], "counts": {}}
        await told(api, "old.example", OLD, date(2023, 5, 1))
        await told(api, "new.example", NEW, date(2026, 2, 1))
        begun = (await api.call("POST", f"{PATH}/run")).json()
        assert begun == {"running": True}
        assert (await api.call("POST", f"{PATH}/run")).json() == begun
        await api.house.work()
        page = await listed(api)
        [conflict] = page["conflicts"]
        assert (page["counts"], page["search"]["running"]) == ({"open": 1}, False)
        assert (page["search"]["last"]["found"], page["search"]["last"]["waiting"]) == (1, 0)
        sides = {conflict[name]["sentence"]: (name, conflict[name]) for name in ("one", "other")}
        (new, side), (_, former) = sides[NEW], sides[OLD]
        assert (conflict["kind"], conflict["state"], conflict["newer"]) == ("figure", "open", new)
        assert (side["value"], side["published"], side["dated"]) == ("2,500 pounds", "2026-02-01", "2026-02-01")
        assert (side["url"], side["origin"], side["independent"]) == ("https://new.example/a", "import", 1)
        assert (former["value"], former["articles"]) == ("4,000 pounds", [])
        assert "moreIndependent" not in conflict
        path = f"{PATH}/{conflict['id']}/decide"
        decided = (await api.call("POST", path, {"decision": "prefer", "prefer": new})).json()
        assert (decided["state"], decided["decision"], decided["prefer"]) == ("decided", "prefer", new)
        assert decided["decidedBy"] == api.house.caller.user_id
        assert (await listed(api, "?state=open"))["conflicts"] == []
        assert (await listed(api, "?state=decided&limit=1"))["conflicts"] == [decided]
        assert (await listed(api, f"?before={conflict['id']}"))["conflicts"] == []
        again = (await api.call("POST", path, {"decision": "dismiss"})).json()
        assert (again["decision"], "prefer" in again) == ("dismiss", False)


async def test_what_cannot_be_is_refused() -> None:
    async with open_api() as api:
        await told(api, "old.example", OLD)
        await told(api, "new.example", NEW)
        await api.call("POST", f"{PATH}/run")
        await api.house.work()
        [conflict] = (await listed(api))["conflicts"]
        path = f"{PATH}/{conflict['id']}/decide"
        for body in ({"decision": "prefer"}, {"decision": "both", "prefer": "one"}, {"decision": "maybe"}, {}):
            assert (await api.call("POST", path, body)).status_code == 400, body
        for query in ("?limit=0", "?limit=51", "?state=new"):
            assert (await api.call("GET", f"{PATH}{query}")).status_code == 400, query
        assert (await api.call("GET", "/kb/nowhere/conflicts")).status_code == 404
        assert (await api.call("POST", "/kb/nowhere/conflicts/run")).status_code == 404
        assert (await api.call("POST", f"{PATH}/nothing/decide", {"decision": "both"})).status_code == 404
        await told(api, "old.example", "Nothing is paid for heat pumps that are not efficient.")
        await api.call("POST", f"{PATH}/run")
        await api.house.work()
        answer = await api.call("POST", path, {"decision": "both"})
        assert (answer.status_code, problem_of(answer)["code"]) == (409, "conflict_outdated")


async def test_an_article_knows_that_a_newer_source_contradicts_it() -> None:
    async with open_api() as api:
        article = await written(api.house)
        cheaper = GRANT.replace("4,000", "2,500")
        await told(api, "new.example", cheaper, date(2030, 2, 1), title="Heat pump efficiency in winter 1")
        await api.call("POST", f"{PATH}/run")
        await api.house.work()
        [conflict] = (await listed(api))["conflicts"]
        [found] = (await api.call("GET", "/articles/freshness")).json()["articles"]
        assert (found["id"], found["level"]) == (article.id, "stale")
        assert (found["stale"], found["contradicted"], found["reworded"]) == (1, 1, 0)
        [stale] = (await api.call("GET", f"/articles/{article.id}/freshness")).json()["stale"]
        assert (stale["state"], stale["was"], stale["now"], stale["proposal"]) == (
            "contradicted",
            GRANT,
            cheaper,
            cheaper,
        )
        contradiction = {"conflictId": conflict["id"], "decided": False, "title": "Heat pump efficiency in winter 1"}
        assert stale["contradiction"] == contradiction | {"url": "https://new.example/a", "published": "2030-02-01"}
        decision = {"decision": "prefer", "prefer": conflict["newer"]}
        await api.call("POST", f"{PATH}/{conflict['id']}/decide", decision)
        update = (await api.call("POST", "/article-updates", {"articleId": article.id})).json()["update"]
        [change] = update["changes"]
        assert (change["contradiction"]["decided"], change["proposedBy"]) == (True, "rules")
        applied = (await api.call("POST", f"/article-updates/{update['id']}/accept", {})).json()
        assert applied["state"] == "applied"
        assert (await api.call("GET", "/articles/freshness")).json() == {"articles": []}
