"""What an agent with a key can do about articles among each other and about approval, as far as its key's user may."""

from __future__ import annotations

from typing import Any

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from tests.support.http import AGENT, COVERED, NICHE, Api, open_api
from tests.support.mcp import agent, answer_of, refused
from tests.support.team import joined

MEMORY = {"provider": "memory", "name": "Our blog", "credentials": {"token": TOKEN, "blog": "heat"}}


async def key_of(api: Api, role: Role) -> str:
    _, caller = await joined(api.house, role)
    return await api.key_of(caller)


async def on_winter(api: Api) -> str:
    """A written article that names what the other one is on."""
    article = builders.article(
        id=ArticleId("another"),
        tenant_id=api.house.caller.tenant_id,
        brief=builders.brief(topic="Winter"),
        topic_key="winter",
        title="Winter",
        content="# Winter\n\nHeat pump efficiency falls when it is cold.",
        status=ArticleStatus.GENERATED,
        niche_key=NICHE,
    )
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article.id


async def demand_approval(api: Api) -> None:
    assert (await api.call("PATCH", f"/niches/{NICHE}/approval", {"required": True})).status_code == 200


async def posted(api: Api, article: str) -> str:
    [text] = [post.markdown for post in api.house.target.posts.values() if post.article_id == article]
    return text


async def test_what_answers_a_topic_already_is_found() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        assert await answer_of(client, "similar_articles", topic=COVERED) == {"articles": []}
        article = await api.written()
        [found] = (await answer_of(client, "similar_articles", topic=COVERED, agentKey=AGENT))["articles"]
        assert (found["articleId"], found["same"], found["suggestion"]) == (article["id"], True, "update")
        assert "topic" in await refused(client, "similar_articles", topic="")
        other = await api.key_of(await api.house.other_tenant())
        async with agent(api, other) as stranger:
            assert await answer_of(stranger, "similar_articles", topic=COVERED) == {"articles": []}


async def test_links_are_proposed_decided_and_brought_to_the_posts() -> None:
    async with open_api() as api, agent(api, api.key) as client:
        target, article = await api.written(), await on_winter(api)
        assert (await api.call("POST", "/integrations", MEMORY)).status_code == 200
        for each in (target["id"], article):
            await answer_of(client, "publish_article", articleId=each)
            await api.house.work()
        assert await answer_of(client, "article_links", articleId=article) == {"links": []}
        proposed = await answer_of(client, "propose_links", articleId=article)
        assert proposed == await answer_of(client, "article_links", articleId=article)
        [link] = [one for one in proposed["links"] if one["targetId"] == target["id"]]
        assert (link["anchor"], link["state"], link["dormant"]) == ("Heat pump efficiency", "proposed", False)
        assert (await answer_of(client, "accept_link", linkId=link["linkId"]))["state"] == "accepted"
        await answer_of(client, "publish_article", articleId=article)
        await api.house.work()
        assert f"[Heat pump efficiency]({link['url']})" in await posted(api, article)
        api.house.clock.advance(minutes=1)
        assert (await answer_of(client, "reject_link", linkId=link["linkId"]))["state"] == "rejected"
        await answer_of(client, "publish_article", articleId=article)
        await api.house.work()
        assert "](" not in await posted(api, article)


async def test_links_and_reviews_are_of_the_tenant_and_by_role() -> None:
    async with open_api() as api:
        target, article = await api.written(), await on_winter(api)
        assert (await api.call("POST", "/integrations", MEMORY)).status_code == 200
        async with agent(api, api.key) as client:
            await answer_of(client, "publish_article", articleId=target["id"])
            await api.house.work()
            [link] = (await answer_of(client, "propose_links", articleId=article))["links"]
        other = await api.key_of(await api.house.other_tenant())
        for key, fault in ((other, "not_found"), (await key_of(api, Role.VIEWER), "not_permitted")):
            async with agent(api, key) as client:
                for tool in ("propose_links", "submit_article"):
                    assert fault in await refused(client, tool, articleId=article)
                for tool in ("accept_link", "reject_link"):
                    assert fault in await refused(client, tool, linkId=link["linkId"])
                assert fault in await refused(client, "approve_article", articleId=article, textHash="0" * 64)
                assert fault in await refused(client, "send_article_back", articleId=article, reason="No.")
        async with agent(api, other) as client:
            assert "not_found" in await refused(client, "article_links", articleId=article)


async def test_an_agent_publishes_what_a_person_approved_and_nothing_else() -> None:
    async with open_api() as api:
        article = (await api.written())["id"]
        assert (await api.call("POST", "/integrations", MEMORY)).status_code == 200
        await demand_approval(api)
        async with agent(api, await key_of(api, Role.EDITOR)) as client:
            assert "approval_required" in await refused(client, "publish_article", articleId=article)
            chosen = {"tags": ["winter"], "canonicalUrl": "https://example.org/winter"}
            submitted = await answer_of(client, "submit_article", articleId=article, details=chosen)
            assert submitted["state"] == "inReview"
            assert submitted["details"] == {**chosen, "options": {}}
            standing = await answer_of(client, "article_status", articleId=article)
            assert (standing["approval"], standing["textHash"]) == ("inReview", submitted["textHash"])
            wrong = {"articleId": article, "textHash": standing["textHash"]}
            assert "not_permitted" in await refused(client, "approve_article", **wrong)
            assert "approval_required" in await refused(client, "publish_article", articleId=article)
            assert api.house.target.posts == {}
        async with agent(api, await key_of(api, Role.ADMIN)) as client:
            back = await answer_of(client, "send_article_back", articleId=article, reason="Who says so?")
            assert (back["state"], back["reason"]) == ("changesRequested", "Who says so?")
            assert "nothing_to_approve" in await refused(
                client, "approve_article", articleId=article, textHash="0" * 64
            )
            approved = await answer_of(client, "approve_article", **wrong)
            assert (approved["state"], "reason" in approved) == ("approved", False)
        async with agent(api, await key_of(api, Role.EDITOR)) as client:
            assert (await answer_of(client, "article_status", articleId=article))["approval"] == "approved"
            [post] = (await answer_of(client, "publish_article", articleId=article))["posts"]
            assert post["status"] == "pending"
            await api.house.work()
            assert len(api.house.target.posts) == 1
            await api.call("PATCH", f"/writer/{article}", {"title": "Another title"})
            assert "approval_required" in await refused(client, "publish_article", articleId=article)


async def test_links_of_an_approved_article_are_the_approvers() -> None:
    async with open_api() as api:
        target, article = await api.written(), await on_winter(api)
        assert (await api.call("POST", "/integrations", MEMORY)).status_code == 200
        editor, admin = await key_of(api, Role.EDITOR), await key_of(api, Role.ADMIN)

        async def decided(key: str, tool: str, link: dict[str, Any]) -> str:
            async with agent(api, key) as client:
                answer = await client.call_tool(tool, {"linkId": link["linkId"]})
                return "refused" if answer.is_error else "decided"  # type: ignore[union-attr]

        async with agent(api, api.key) as client:
            await answer_of(client, "publish_article", articleId=target["id"])
            await api.house.work()
            [link] = (await answer_of(client, "propose_links", articleId=article))["links"]
        await demand_approval(api)
        assert await decided(editor, "accept_link", link) == "decided"
        assert (await api.call("POST", f"/articles/{article}/approve")).status_code == 200
        assert await decided(editor, "accept_link", link) == "decided", "it is accepted already"
        assert await decided(editor, "reject_link", link) == "refused"
        assert await decided(admin, "reject_link", link) == "decided"
        assert await decided(editor, "accept_link", link) == "refused"
        assert await decided(admin, "accept_link", link) == "decided"
        assert (await api.call("GET", f"/writer/{article}")).json()["approval"]["state"] == "approved"
