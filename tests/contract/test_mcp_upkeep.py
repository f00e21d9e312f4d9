"""What an agent with a key can do with what its tenant has: list it, compare it with its sources, publish it."""

from __future__ import annotations

from datetime import date

from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.ids import PublicationId
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.publication import PublicationStatus
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.testing import builders
from tests.support.changing_sources import GRANT, written
from tests.support.house import NICHE, SOURCES, findable
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


async def test_agents_are_told_what_contradicts_a_sentence_and_whether_that_is_decided() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        article = await written(api.house)
        title, cheaper = "Heat pump efficiency in winter 1", GRANT.replace("4,000", "2,500")
        newer = SourceText("newer", title, cheaper, None, Language.EN, published=date(2030, 1, 1))
        await api.house.services.knowledge.import_sources(KbScope(NICHE), [newer])
        await findable(api.house.services)
        await api.call("POST", f"/kb/{NICHE}/conflicts/run")
        await api.house.work()
        [stale] = (await answer_of(client, "freshness", articleId=article.id))["stale"]
        assert (stale["state"], stale["contradictedBy"], stale["undecided"]) == ("contradicted", title, True)
        assert (stale["was"], stale["now"], stale["proposal"]) == (GRANT, cheaper, cheaper)
        [conflict] = (await api.call("GET", f"/kb/{NICHE}/conflicts")).json()["conflicts"]
        decision = {"decision": "prefer", "prefer": conflict["newer"]}
        await api.call("POST", f"/kb/{NICHE}/conflicts/{conflict['id']}/decide", decision)
        update = (await answer_of(client, "propose_update", articleId=article.id))["update"]
        assert [(c["contradictedBy"], c["undecided"]) for c in update["changes"]] == [(title, False)]


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
        for title in ("Another title", article["title"]):  # what comes back as it was is published again
            api.house.clock.advance(minutes=1)
            assert (await api.call("PATCH", f"/writer/{article['id']}", {"title": title})).status_code == 200
            await answer_of(client, "publish_article", articleId=article["id"])
            await api.house.work()
            assert [post.title for post in api.house.target.posts.values()] == [title]


async def test_an_update_is_proposed_listed_and_decided() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        article = await api.written()
        assert await answer_of(client, "propose_update", articleId=article["id"]) == {}
        assert (await answer_of(client, "updates"))["updates"] == []
        await change(api, article["sources"][0]["title"], "This page says something else now, at some length as well.")
        proposed = (await answer_of(client, "propose_update", articleId=article["id"]))["update"]
        assert (proposed["state"], proposed["articleId"], proposed["truncated"]) == ("proposed", article["id"], False)
        assert {(one["state"], one["proposal"], one["proposedBy"]) for one in proposed["changes"]} == {
            ("gone", "", "rules")
        }
        [listed] = (await answer_of(client, "updates", limit=1))["updates"]
        assert listed == proposed
        assert (await answer_of(client, "updates", before=proposed["updateId"]))["updates"] == []
        assert "invalid_input" in await refused(client, "updates", state="open")
        rejected = await answer_of(client, "reject_update", updateId=proposed["updateId"])
        assert rejected["state"] == "rejected"
        assert "update_decided" in await refused(client, "accept_update", updateId=proposed["updateId"])
        again = (await answer_of(client, "propose_update", articleId=article["id"]))["update"]
        some = [{"position": again["changes"][0]["position"]}]
        applied = await answer_of(client, "accept_update", updateId=again["updateId"], sentences=some)
        assert (applied["state"], applied["applied"], applied["translations"]) == (
            "applied",
            [again["changes"][0]["position"]],
            [],
        )
        [done] = (await answer_of(client, "updates", state="applied"))["updates"]
        assert done["updateId"] == again["updateId"]


async def test_updates_are_decided_by_editors_of_their_tenant_alone() -> None:
    async with open_api() as api:
        article = await api.written()
        other = await api.key_of(await api.house.other_tenant())
        user = builders.user(tenant_id=api.house.caller.tenant_id, role=Role.VIEWER)
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Users].add(user)
        viewer = await api.key_of(evolve(api.house.caller, user_id=user.id))
        await change(api, article["sources"][0]["title"], "This page says something else now, at some length as well.")
        async with agent(api, api.key) as client:
            update = (await answer_of(client, "propose_update", articleId=article["id"]))["update"]
        for key, fault in ((other, "not_found"), (viewer, "not_permitted")):
            async with agent(api, key) as client:
                assert fault in await refused(client, "propose_update", articleId=article["id"])
                for tool in ("accept_update", "reject_update"):
                    assert fault in await refused(client, tool, updateId=update["updateId"])
        async with agent(api, other) as client:
            assert (await answer_of(client, "updates"))["updates"] == []


async def test_a_plan_is_edited_and_its_article_written_from_it() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        planned = await api.planned()
        plan, id = planned["plan"], planned["articleId"]
        sections = [
            {"keeps": 1},
            {"keeps": 0, "heading": "What it costs to run"},
            {"heading": "Night tariffs for a heat pump", "keyPoints": ["Night tariffs make it cheaper to run"]},
            {"heading": "Zeppelins over Zanzibar"},
        ]
        edited = await answer_of(client, "edit_plan", articleId=id, title="Pumps", sections=sections, questions=[])
        assert (edited["title"], edited["status"], edited["questions"]) == ("Pumps", "draft", [])
        assert [section["heading"] for section in edited["sections"]] == [
            plan["sections"][1]["heading"],
            *(section["heading"] for section in sections[1:]),
        ]
        assert [section["sources"] > 0 for section in edited["sections"]] == [True, True, True, False]
        assert [gap["path"] for gap in edited["gaps"]] == ["sections[3]"]
        kept = (await api.call("GET", f"/writer/{id}")).json()
        assert (kept["status"], kept["title"], len(kept["plan"]["sections"])) == ("draft", "Pumps", 4)
        for wrong, named in (
            ({"sections": [{"keeps": 9}]}, "sections[0].keeps"),
            ({"sections": [{"goal": "None"}]}, "sections[0].heading"),
            ({"questions": [{}]}, "questions[0].question"),
        ):
            assert named in await refused(client, "edit_plan", articleId=id, **wrong)
        assert (await answer_of(client, "edit_plan", articleId=id, angle="Plainly"))["angle"] == "Plainly"
        await answer_of(client, "write_article", articleId=id)
        assert "no_plan_awaiting_review" in await refused(client, "edit_plan", articleId=id, title="Late")


async def test_publishing_that_failed_is_tried_again_by_the_next_call() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        article = await api.written()
        connection = {"provider": "memory", "name": "A blog", "credentials": {"token": TOKEN, "blog": "heat"}}
        assert (await api.call("POST", "/integrations", connection)).status_code == 200
        await answer_of(client, "publish_article", articleId=article["id"])
        await api.house.work()
        [publication] = (await api.call("GET", f"/writer/{article['id']}")).json()["publications"]
        async with api.house.services.ports.unit_of_work() as tx:
            stored = await tx[Publications].get(api.house.caller.tenant_id, PublicationId(publication["id"]))
            await tx[Publications].save(evolve(stored, status=PublicationStatus.FAILED))
        for _ in range(2):
            [post] = (await answer_of(client, "publish_article", articleId=article["id"]))["posts"]
            assert post["status"] == "pending"
