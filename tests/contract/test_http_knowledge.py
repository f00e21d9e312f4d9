"""GET /kb/search, and /kb/{nicheKey}/stats, /entities and /graph."""

from __future__ import annotations

import asyncio
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from attrs import evolve

from contentgen_core.model.knowledge import KbScope, Origin
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_http.routes import understanding
from tests.support.house import SOURCES, findable
from tests.support.http import AGENT, NICHE, Api, faults_of, open_api, problem_of

TEXT = "Many ask Ofgem about SCOP. The rules of Ofgem and the SCOP matter in France."
HOSTILE = "Many ask X1<script>alert(1)</script> about Evil&Co. So X1 and Evil&Co hide."


async def add(api: Api, key: str, text: str = TEXT, origin: Origin = Origin.WEB) -> None:
    scope = KbScope(NICHE, api.house.caller.tenant_id)
    await api.house.services.knowledge.import_sources(scope, [SourceText(key, key, text, None, Language.EN)], origin)


@asynccontextmanager
async def streaming(api: Api) -> AsyncIterator[httpx.AsyncClient]:
    """A client whose requests overlap; that of the house waits for the end of each."""
    headers, transport = {"X-API-Key": api.key}, httpx.ASGITransport(api.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers) as client:
        yield client


async def test_a_search_says_why_it_found_a_passage_and_where_to_look() -> None:
    async with open_api() as api:
        await add(api, "page")
        await findable(api.house.services)
        for where in ("", f"&nicheKey={NICHE}", f"&agentKey={AGENT}", f"&nicheKey={NICHE}&agentKey={AGENT}"):
            [found] = (await api.call("GET", f"/kb/search?query=SCOP%20France&limit=1{where}")).json()["results"]
            nearest = found["nearestSentence"]
            assert (found["parentTitle"], found["foundBy"]) == ("page", "words")
            assert found["content"][nearest["start"] : nearest["end"]].startswith("The rules of Ofgem")
            assert len(found["highlights"]) == 3
        everywhere = (await api.call("POST", "/documents/search", {"query": "SCOP France", "limit": 1})).json()
        assert everywhere["results"] == [found]


@pytest.mark.parametrize(
    ("query", "status", "field"),
    [
        ("", 400, "query"),
        ("query=%20", 400, "query"),
        ("query=" + "x" * 501, 400, "query"),
        ("query=x&limit=51", 400, "limit"),
        ("query=x&nicheKey=unknown", 404, None),
        ("query=x&agentKey=home-energy-JP", 404, None),
        ("query=x&agentKey=home-energy-GB&nicheKey=unknown", 404, None),
    ],
)
async def test_a_search_that_cannot_be_made_says_why(query: str, status: int, field: str | None) -> None:
    async with open_api() as api:
        answer = await api.call("GET", f"/kb/search?{query}")
        assert answer.status_code == status
        assert field is None or set(faults_of(answer)) == {field}


async def test_the_statistics_have_the_fields_of_the_specification() -> None:
    async with open_api() as api:
        await add(api, "page")
        await add(api, "insight", "Ofgem says so.", Origin.AI)
        api.house.clock.advance(days=3)
        answer = (await api.call("GET", f"/kb/{NICHE}/stats")).json()
    assert {name: answer[name] for name in ("nicheKey", "total", "webSourced", "aiGenerated", "avgAgeInDays")} == {
        "nicheKey": NICHE,
        "total": 7,
        "webSourced": 1,
        "aiGenerated": 1,
        "avgAgeInDays": 3.0,
    }
    assert answer["documents"] == 7
    assert answer["byLanguage"] == {"en": 7}
    assert "agentKey" not in answer


async def test_what_is_found_by_meaning_is_counted_and_followed() -> None:
    async with open_api() as api:
        assert (await api.call("GET", f"/kb/{NICHE}/stats")).json()["understood"] == 5
        await add(api, "page")
        assert (await api.call("GET", f"/kb/{NICHE}/stats")).json()["understood"] == 5
        async with streaming(api) as client:
            following = asyncio.create_task(client.get(f"/kb/{NICHE}/understanding"))
            await asyncio.sleep(0.1)
            await findable(api.house.services)
            answer = await following
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.text == (
            'event: understanding\ndata: {"understood":5,"total":6}\n\n'
            'event: understood\ndata: {"understood":6,"total":6}\n\n'
        )
        assert (await api.call("GET", f"/kb/{NICHE}/stats")).json()["understood"] == 6


async def test_who_follows_is_bounded_in_time_and_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(understanding, "STREAM_SECONDS", 0.0)
    async with open_api() as api:
        await add(api, "page")
        answer = await api.call("GET", f"/kb/{NICHE}/understanding")
        assert answer.text.count("event:") == 1
        monkeypatch.setattr(understanding, "STREAM_SECONDS", 60.0)
        monkeypatch.setattr(understanding, "MOST_STREAMS", 1)
        async with streaming(api) as client:
            first = asyncio.create_task(client.get(f"/kb/{NICHE}/understanding"))
            await asyncio.sleep(0.1)
            refused = await client.get(f"/kb/{NICHE}/understanding")
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
            await findable(api.house.services)
            assert "understood" in (await first).text
        assert (await api.call("GET", f"/kb/{NICHE}/understanding")).status_code == 200


async def test_an_agents_key_is_told_back() -> None:
    async with open_api() as api:
        for path in ("stats", "entities", "graph"):
            answer = (await api.call("GET", f"/kb/{AGENT}/{path}")).json()
            assert (answer["nicheKey"], answer["agentKey"]) == (NICHE, AGENT)


async def test_entities_come_strongest_first() -> None:
    async with open_api() as api:
        await add(api, "page")
        answer = (await api.call("GET", f"/kb/{NICHE}/entities?limit=2")).json()
        everything = (await api.call("GET", f"/kb/{NICHE}/entities")).json()
    assert len(answer["entities"]) == 2
    assert answer["entities"] == everything["entities"][:2]
    assert answer["total"] == everything["total"] == len(everything["entities"])
    assert answer["madeBy"] == "rules"
    found = {entity["name"]: entity for entity in everything["entities"]}
    assert found["France"] == {
        "id": "france", "name": "France", "type": "place", "mentions": 1, "passages": 1, "documents": 1, "aliases": [],
    }  # fmt: skip


async def test_a_graph_names_its_nodes_edges_and_communities() -> None:
    async with open_api() as api:
        for n in range(2):
            await add(api, f"page {n}", f"{TEXT} Number {n}.")
        answer = (await api.call("GET", f"/kb/{NICHE}/graph")).json()
    ids = {node["id"] for node in answer["nodes"]}
    assert {"ofgem", "scop"} <= ids
    assert {"source", "target", "weight", "passages", "strength", "joinedBy"} == set(answer["edges"][0])
    assert {edge["joinedBy"] for edge in answer["edges"]} == {"passages"}
    assert {edge[end] for edge in answer["edges"] for end in ("source", "target")} <= ids
    assert {node["community"] for node in answer["nodes"]} == {c["id"] for c in answer["communities"]}
    assert sum(c["size"] for c in answer["communities"]) == len(ids)


async def test_a_graph_comes_as_a_picture_in_which_nothing_can_run() -> None:
    async with open_api() as api:
        await add(api, "page", HOSTILE)
        answer = await api.call("GET", f"/kb/{NICHE}/graph?format=svg&limit=20")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "ratelimit-remaining" in answer.headers
    root = ET.fromstring(answer.text)
    assert "Evil&Co" in {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    assert "<script" not in answer.text


@pytest.mark.parametrize(
    ("path", "field"),
    [("entities?limit=0", "limit"), ("entities?limit=201", "limit"), ("graph?limit=101", "limit"),
     ("graph?limit=x", "limit"), ("graph?format=png", "format")],
)  # fmt: skip
async def test_what_the_query_cannot_be_is_said(path: str, field: str) -> None:
    async with open_api() as api:
        assert set(faults_of(await api.call("GET", f"/kb/{NICHE}/{path}"))) == {field}


@pytest.mark.parametrize("path", ["stats", "entities", "graph", "graph?format=svg", "understanding"])
async def test_what_is_not_the_tenants_is_not_found(path: str) -> None:
    async with open_api() as api:
        for key in ("home-energy-FR", "unknown", "@private", "%00"):
            assert problem_of(await api.call("GET", f"/kb/{key}/{path}"))["code"] == "not_found"
        assert problem_of(await api.call("GET", f"/kb/{NICHE}/{path}", key=None))["status"] == 401


@pytest.mark.parametrize("path", ["stats", "entities", "graph", "graph?format=svg", "understanding"])
async def test_a_niche_that_is_not_activated_is_not_found(path: str) -> None:
    async with open_api() as api:
        await api.house.services.agents.niches.deactivate(api.house.caller, NICHE)
        problem = problem_of(await api.call("GET", f"/kb/{NICHE}/{path}"))
    assert problem["code"] == "not_found"
    assert "activated niche" in problem["detail"]


async def test_another_tenant_sees_nothing_of_it() -> None:
    async with open_api() as api:
        await add(api, "page")
        theirs = await api.key_of(await api.house.other_tenant())
        assert (await api.call("GET", f"/kb/{NICHE}/stats", key=theirs)).json()["total"] == 0
        assert (await api.call("GET", f"/kb/{NICHE}/entities", key=theirs)).json()["entities"] == []
        graph = (await api.call("GET", f"/kb/{NICHE}/graph", key=theirs)).json()
        assert (graph["nodes"], graph["edges"], graph["communities"], graph["passages"]) == ([], [], [], 0)


async def test_a_document_is_read_as_it_stood_at_a_time() -> None:
    async with open_api() as api:
        [source] = [s for s in SOURCES if s.title == "Solar panels"]
        scope = KbScope(NICHE, api.house.caller.tenant_id)
        async with api.house.services.ports.unit_of_work() as tx:
            id = (await tx[Knowledge].known(scope, [source.source_key]))[source.source_key].id
        path = f"/kb/documents/{id}"
        first = (await api.call("GET", f"{path}/text")).json()
        assert (first["documentId"], first["title"], "until" in first) == (id, "Solar panels", False)
        assert first["total"] == len(first["passages"]) == 1
        api.house.clock.advance(hours=1)
        changed = evolve(source, text="Solar panels turn light into electricity, at every roof that has some sun.")
        await api.house.services.knowledge.import_sources(scope, [changed])
        found = (await api.call("GET", f"{path}/versions")).json()
        assert [version["title"] for version in found["versions"]] == ["Solar panels"] * 2
        assert found["keptSince"] == found["createdAt"] == first["since"]
        assert found["versions"][1]["until"] == found["versions"][0]["since"]
        former = (await api.call("GET", f"{path}/text?asOf={first['since']}")).json()
        assert (former["passages"], former["until"]) == (first["passages"], found["versions"][0]["since"])
        present = (await api.call("GET", f"{path}/text")).json()
        assert present["passages"][0]["text"] != first["passages"][0]["text"]
        for wrong in (
            "asOf=2020-01-01T00:00:00Z",
            "asOf=yesterday",
            "asOf=2026-11-01T00:00:00",
            "limit=0",
            "offset=-1",
        ):
            assert (await api.call("GET", f"{path}/text?{wrong}")).status_code == 400, wrong
        other = await api.key_of(await api.house.other_tenant())
        for operation in ("versions", "text"):
            assert (await api.call("GET", f"{path}/{operation}", key=other)).status_code == 404
