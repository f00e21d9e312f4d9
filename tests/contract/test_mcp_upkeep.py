"""What an agent with a key can do with what its tenant has: list it, compare it with its sources, publish it."""

from __future__ import annotations

from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.knowledge import KbScope
from tests.support.house import NICHE, SOURCES
from tests.support.http import AGENT, Api, open_api
from tests.support.mcp import agent, answer_of, refused


async def change(api: Api, title: str, text: str) -> None:
    [known] = [s for s in SOURCES if s.title == title]
    scope = KbScope(NICHE, api.house.caller.tenant_id)
    await api.house.services.knowledge.import_sources(scope, [evolve(known, text=text)])


async def test_agents_and_articles_are_those_of_the_tenant() -> None:
    async with open_api() as api:
        article = await api.written()
        other = await api.key_of(await api.house.other_tenant())
        async with agent(api, api.key) as client:
            found = await answer_of(client, "list_agents")
            assert AGENT in [one["agentKey"] for one in found["agents"]]
            assert found["total"] == len(found["agents"])
            mine = await answer_of(client, "my_articles")
            assert [(a["articleId"], a["title"], a["status"]) for a in mine["articles"]] == [
                (article["id"], article["title"], "generated")
            ]
            assert mine["total"] == 1
            assert (await answer_of(client, "my_articles", search="nothing of it"))["articles"] == []
            assert (await answer_of(client, "my_articles", page=2))["articles"] == []
        async with agent(api, other) as client:
            assert (await answer_of(client, "my_articles"))["articles"] == []
            for tool in ("freshness", "publish_article"):
                assert "not_found" in await refused(client, tool, articleId=article["id"])


async def test_stale_sentences_are_named_and_changed() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        article = await api.written()
        assert (await answer_of(client, "freshness", articleId=article["id"]))["level"] == "fresh"
        await change(api, article["sources"][0]["title"], "This page says something else now, at some length as well.")
        found = await answer_of(client, "freshness", articleId=article["id"])
        assert (found["level"], found["truncated"]) == ("stale", False)
        assert {one["state"] for one in found["stale"]} == {"gone"}
        assert {one["proposal"] for one in found["stale"]} == {""}
        sentences = [{"position": one["position"]} for one in found["stale"]]
        left = await answer_of(client, "patch_article", articleId=article["id"], sentences=sentences)
        assert (left["level"], left["stale"]) == ("fresh", [])
        odd = [{"position": 0, "text": "a\x00b"}]
        assert "NUL" in await refused(client, "patch_article", articleId=article["id"], sentences=odd)
        assert "says what it said" in await refused(
            client, "patch_article", articleId=article["id"], sentences=sentences
        )


async def test_an_article_is_published_once_for_a_text_however_often_an_agent_asks() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        article = await api.written()
        assert "Connect one first" in await refused(client, "publish_article", articleId=article["id"])
        connection = {"provider": "memory", "name": "A blog", "credentials": {"token": TOKEN, "blog": "heat"}}
        assert (await api.call("POST", "/integrations", connection)).status_code == 200
        for _ in range(2):
            found = await answer_of(client, "publish_article", articleId=article["id"])
        assert [(post["provider"], post["status"]) for post in found["posts"]] == [("memory", "pending")]
        await api.house.work()
        found = await answer_of(client, "publish_article", articleId=article["id"])
        assert [post["status"] for post in found["posts"]] == ["published"]
        assert len((await api.call("GET", f"/writer/{article['id']}")).json()["publications"]) == 1
