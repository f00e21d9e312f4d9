"""What an agent with a key can do: the same as over HTTP, with the same limits, and nothing of another tenant's."""

from __future__ import annotations

import pytest
from attrs import evolve

from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import PlanName, Quota, Role
from contentgen_core.policies.tenancy.quotas import limit_of
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.tenants import Users
from tests.support.http import AGENT, COVERED, NICHE, Api, open_api
from tests.support.mcp import add_article, agent, answer_of, refused

WRITE = {"agentKey": AGENT, "topic": COVERED, "language": "en", "articleLength": "short"}


async def articles_of(api: Api) -> int:
    total: int = (await api.call("GET", "/articles")).json()["total"]
    return total


async def test_from_a_topic_to_an_article_with_its_sources() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        found = await answer_of(client, "check_coverage", agentKey=AGENT, topic=COVERED)
        assert (found["canGenerate"], found["level"]) == (True, "excellent")
        assert len(found["topSources"]) == found["sourcesFound"]
        asked = {"agentKey": AGENT, "topic": COVERED}
        checked = (await api.call("POST", "/writer/check-kb-coverage", asked)).json()["coverage"]
        assert [s["title"] for s in found["topSources"]] == [s["title"] for s in checked["topSources"]]
        plan = await answer_of(client, "plan_article", **WRITE)
        assert plan["status"] == "draft"
        assert plan["sections"]
        assert len(plan["forecast"]["sections"]) == len(plan["sections"])
        assert plan["documents"]
        waiting = await answer_of(client, "article_status", articleId=plan["articleId"])
        assert (waiting["status"], waiting["progress"], waiting["content"]) == ("draft", 0, "")
        started = await answer_of(client, "write_article", articleId=plan["articleId"])
        assert started == {"articleId": plan["articleId"], "status": "generating", "progress": 0}
        await api.house.work()
        done = await answer_of(client, "article_status", articleId=plan["articleId"])
        stored = (await api.call("GET", f"/writer/{plan['articleId']}")).json()
    assert (done["status"], done["progress"]) == ("generated", 100)
    assert done["content"] == stored["content"]
    assert [s["number"] for s in done["sources"]] == [s["number"] for s in stored["sources"]]
    assert done["grounding"]["level"] == stored["grounding"]["level"]
    assert done["grounding"]["sentences"] == stored["grounding"]["totals"]["sentences"]
    assert done["grounding"]["supported"] + len(done["grounding"]["unsupported"]) <= done["grounding"]["sentences"]


async def test_writing_the_same_again_gives_the_same_article_and_spends_nothing() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        first = await answer_of(client, "write_article", **WRITE)
        again = await answer_of(client, "write_article", **{**WRITE, "topic": f"  {COVERED.upper()} "})
        assert again["articleId"] == first["articleId"]
        await api.house.work()
        later = await answer_of(client, "write_article", **WRITE)
        assert (later["articleId"], later["status"], later["progress"]) == (first["articleId"], "generated", 100)
        assert await articles_of(api) == 1
        assert await api.house.articles_used() == 1


async def test_a_topic_that_is_being_written_is_not_written_twice() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        await answer_of(client, "write_article", **WRITE)
        assert "topic_already_generating" in await refused(client, "write_article", **WRITE, tone="casual")


async def test_planning_the_same_again_gives_the_same_plan_until_it_is_used() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        first = await answer_of(client, "plan_article", **WRITE)
        assert await answer_of(client, "plan_article", **WRITE) == first
        assert await api.house.articles_used() == 1
        await answer_of(client, "write_article", articleId=first["articleId"])
        await answer_of(client, "write_article", articleId=first["articleId"])
        await api.house.work()
        assert (await answer_of(client, "plan_article", **WRITE))["articleId"] != first["articleId"]


async def test_an_article_that_failed_or_was_deleted_can_be_written_again() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        first = (await answer_of(client, "write_article", **WRITE))["articleId"]
        assert (await api.call("DELETE", f"/writer/{first}")).status_code == 200
        second = (await answer_of(client, "write_article", **WRITE))["articleId"]
        assert second != first
        async with api.house.services.ports.unit_of_work() as tx:
            article = await tx[Articles].get(api.house.caller.tenant_id, ArticleId(second))
            failed = article.moved_to(ArticleStatus.FAILED, api.house.clock.now())
            await tx[Articles].save(evolve(failed, error="The model was away."))
        status = await answer_of(client, "article_status", articleId=second)
        assert (status["status"], status["error"]) == ("failed", "The model was away.")
        third = await answer_of(client, "write_article", **WRITE)
        assert third["articleId"] not in (first, second)
        assert third["status"] == "generating"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "agentKey: send articleId, or all of"),
        ({"topic": COVERED}, "agentKey: send articleId, or all of"),
        ({"articleId": "nothing"}, "There is no article 'nothing'."),
        ({"articleId": "nothing", "topic": COVERED}, "goes without agentKey and topic"),
        ({**WRITE, "agentKey": "home-energy-FR"}, f"Yours are: {AGENT}"),
        ({**WRITE, "agentKey": "no agent"}, "agentKey: must match"),
        ({**WRITE, "topic": "<script>alert(1)</script>"}, "topic"),
        ({**WRITE, "topic": "Quantum chromodynamics on a lattice"}, "coverage_too_low"),
        ({**WRITE, "language": "xx"}, "language: must be one of"),
        ({**WRITE, "keywords": ["k"] * 21}, "keywords: at most 20"),
        ({**WRITE, "articleLength": "very_long"}, "plan_restriction"),
    ],
)
async def test_what_cannot_be_written_is_said(arguments: dict[str, object], said: str) -> None:
    async with open_api(PlanName.STARTER) as api, agent(api, api.key) as client:
        assert said in await refused(client, "write_article", **arguments)
        assert await api.house.articles_used() == 0


async def test_the_knowledge_base_is_searched() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        found = await answer_of(client, "search_kb", query="efficiency in winter", limit=2)
        assert found["total"] == len(found["results"]) == 2
        assert found["results"][0]["document"]["url"].startswith("https://kb.example.org/")
        assert found["results"][0]["score"] >= found["results"][1]["score"]
        for result in found["results"]:
            assert result["foundBy"] == "words"
            assert result["nearestSentence"] in result["content"]


async def test_another_tenants_articles_do_not_exist() -> None:
    async with open_api() as api:
        other = await api.house.other_tenant()
        async with agent(api, api.key) as mine, agent(api, await api.key_of(other)) as theirs:
            article = (await answer_of(mine, "plan_article", **WRITE))["articleId"]
            missing = await refused(theirs, "article_status", articleId="00000000-0000-0000-0000-000000000000")
            said = await refused(theirs, "article_status", articleId=article)
            assert said == missing.replace("00000000-0000-0000-0000-000000000000", article)
            assert "not_found" in await refused(theirs, "write_article", articleId=article)
            assert (await answer_of(mine, "article_status", articleId=article))["status"] == "draft"
            own = (await answer_of(theirs, "write_article", **WRITE, allowLowCoverage=True))["articleId"]
            assert own != article
            assert (await answer_of(theirs, "search_kb", query=COVERED))["total"] >= 0
        async with agent(api) as nobody:
            assert "X-API-Key" in await refused(nobody, "article_status", articleId=article)


async def test_a_private_article_is_no_public_one() -> None:
    async with open_api() as api:
        await add_article(api, slug="mine", is_public=False, title="Mine")
        async with agent(api, api.key) as client:
            assert (await answer_of(client, "search_articles", query="mine"))["total"] == 0
            assert "not_found" in await refused(client, "get_article", slug="mine")


async def test_the_months_articles_run_out_as_over_http() -> None:
    async with open_api(PlanName.FREE) as api:
        limit = limit_of(PlanName.FREE, Quota.ARTICLES)
        assert limit is not None
        async with agent(api, api.key) as client:
            for number in range(limit):
                await answer_of(
                    client, "plan_article", **{**WRITE, "topic": f"{COVERED}, part {number}"}, allowLowCoverage=True
                )
            said = await refused(client, "plan_article", **WRITE, allowLowCoverage=True)
    assert "quota_exceeded" in said
    assert "Available again at" in said


async def test_a_plan_without_checks_has_none_here_either() -> None:
    async with open_api(PlanName.FREE) as api, agent(api, api.key) as client:
        assert "plan_restriction" in await refused(client, "check_coverage", agentKey=AGENT, topic=COVERED)


async def test_the_days_checks_run_out() -> None:
    async with open_api(PlanName.STARTER) as api, agent(api, api.key) as client:
        for _ in range(5):
            await answer_of(client, "check_coverage", agentKey=AGENT, topic=COVERED)
        assert "daily_quota_exceeded" in await refused(client, "check_coverage", agentKey=AGENT, topic=COVERED)


async def test_a_viewer_reads_and_writes_nothing() -> None:
    async with open_api() as api:
        async with api.house.services.ports.unit_of_work() as tx:
            user = await tx[Users].get(api.house.caller.tenant_id, api.house.caller.user_id)
            await tx[Users].save(evolve(user, role=Role.VIEWER))
        async with agent(api, await api.key_of(api.house.caller)) as client:
            assert "not_permitted" in await refused(client, "plan_article", **WRITE)
            assert "not_permitted" in await refused(client, "write_article", **WRITE)
            await answer_of(client, "search_kb", query=COVERED)


async def test_a_text_is_checked_against_sources_that_an_agent_sends_or_a_niche() -> None:
    sources = [{"title": "Sheet", "text": "The heat pump Aero weighs 82 kg.", "url": "https://aero.example/"}]
    text = "The heat pump Aero weighs 82 kg. The moon is made of cheese."
    async with open_api() as api, agent(api, api.key) as client:
        found = await answer_of(client, "verify_text", text=text, sources=sources)
        assert (found["level"], found["sentencesChecked"], found["supported"]) == ("partial", 2, 1)
        assert [(s["text"], s.get("source")) for s in found["sentences"]] == [
            ("The moon is made of cheese.", None),
            ("The heat pump Aero weighs 82 kg.", 1),
        ]
        [cited] = found["sources"]
        assert (cited["number"], cited["title"], cited["url"]) == (1, "Sheet", "https://aero.example/")
        of_niche = await answer_of(client, "verify_text", text="Defrosting costs some efficiency.", nicheKey=NICHE)
        assert of_niche["level"] == "full"
        assert "exactly one of" in await refused(client, "verify_text", text=text)
        assert "NUL" in await refused(client, "verify_text", text=text, sources=[{"text": "a\x00b"}])
        assert await api.house.articles_used() == 0


async def test_the_check_of_a_long_text_fits_into_an_answer() -> None:
    text = " ".join(f"Sentence number {n} says nothing that a source has, and says it at length." for n in range(240))
    async with open_api() as api, agent(api, api.key) as client:
        found = await answer_of(client, "verify_text", text=text, sources=[{"text": "Heat."}], language="en")
        assert found["sentencesChecked"] == 240
        assert found["truncated"]
        assert len(found["sentences"]) < 240
