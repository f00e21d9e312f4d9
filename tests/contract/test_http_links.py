"""Links between articles over HTTP, and in the posts that are published."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, PublicationId
from contentgen_core.model.publication import PublicationStatus
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.testing import builders
from tests.support.http import COVERED, NICHE, Api, open_api

MEMORY = {"provider": "memory", "name": "Our blog", "credentials": {"token": TOKEN, "blog": "heat"}}
TEXT = "# Winter\n\nHeat pump efficiency falls when it is cold."


async def another(api: Api) -> dict[str, Any]:
    """A second article, on another topic."""
    article = builders.article(
        id=ArticleId("another"),
        tenant_id=api.house.caller.tenant_id,
        brief=builders.brief(topic="Winter"),
        topic_key="winter",
        title="Winter",
        content=TEXT,
        status=ArticleStatus.GENERATED,
    )
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return dict((await api.call("GET", f"/writer/{article.id}")).json())


async def published(api: Api, article_id: str) -> dict[str, Any]:
    answer = await api.call("POST", f"/writer/{article_id}/publish")
    assert answer.status_code == 200, answer.text
    await api.house.work()
    [publication] = (await api.call("GET", f"/writer/{article_id}")).json()["publications"]
    assert publication["status"] == "published", publication
    return dict(publication)


async def test_an_accepted_link_stands_in_posts_where_its_target_has_one_and_never_in_the_article() -> None:
    async with open_api() as api:
        target, article = await api.written(), await another(api)
        assert (await api.call("POST", "/integrations", MEMORY)).status_code == 200
        assert (await api.call("GET", f"/articles/{article['id']}/links")).json() == {"links": []}
        await published(api, target["id"])
        proposed = (await api.call("POST", f"/articles/{article['id']}/links/propose")).json()["links"]
        [link] = [each for each in proposed if each["targetId"] == target["id"]]
        assert (link["anchor"], link["state"], link["dormant"]) == ("Heat pump efficiency", "proposed", False)
        assert COVERED in link["reason"]
        await published(api, article["id"])
        assert "](" not in await posted(api, article["id"])
        accepted = await api.call("POST", f"/article-links/{link['id']}/accept")
        assert accepted.json()["state"] == "accepted"
        await published(api, article["id"])
        assert f"[Heat pump efficiency]({link['url']})" in await posted(api, article["id"])
        shown = (await api.call("GET", f"/writer/{article['id']}")).json()
        assert {name: shown[name] for name in ("content", "wordCount", "updatedAt")} == {
            name: article[name] for name in ("content", "wordCount", "updatedAt")
        }
        rejected = await api.call("POST", f"/article-links/{link['id']}/reject")
        assert rejected.json()["state"] == "rejected"
        await published(api, article["id"])
        assert "](" not in await posted(api, article["id"])


async def posted(api: Api, article_id: str) -> str:
    """The text of its post at the target."""
    posts = [post for post in api.house.target.posts.values() if post.article_id == article_id]
    assert len(posts) == 1
    return str(posts[0].markdown)


async def test_an_address_that_a_person_entered_is_not_followed_where_approval_is_demanded() -> None:
    async with open_api() as api:
        target, article = await api.written(), await another(api)
        assert (await api.call("POST", "/integrations", MEMORY)).status_code == 200
        out = await published(api, target["id"])
        proposed = (await api.call("POST", f"/articles/{article['id']}/links/propose")).json()["links"]
        [link] = [each for each in proposed if each["targetId"] == target["id"]]
        assert (await api.call("POST", f"/article-links/{link['id']}/accept")).status_code == 200
        assert (await api.call("PATCH", f"/niches/{NICHE}/approval", {"required": True})).status_code == 200
        assert (await api.call("POST", f"/articles/{article['id']}/approve")).status_code == 200
        await published(api, article["id"])
        assert f"]({link['url']})" in await posted(api, article["id"])
        async with api.house.services.ports.unit_of_work() as tx:
            publication = await tx[Publications].get(api.house.caller.tenant_id, PublicationId(out["id"]))
            await tx[Publications].save(evolve(publication, status=PublicationStatus.UNKNOWN))
        by_hand = {"status": "published", "url": "https://evil.example/"}
        assert (await api.call("POST", f"/publications/{out['id']}/mark", by_hand)).status_code == 200
        await published(api, article["id"])
        assert "](" not in await posted(api, article["id"])
