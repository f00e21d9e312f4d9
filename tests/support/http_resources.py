"""Create over HTTP one of each kind of thing that an operation names by an id."""

from __future__ import annotations

from itertools import count
from typing import Any

from contentgen_core.model.article_comment import ArticleComment
from contentgen_core.model.article_update import ArticleUpdate
from contentgen_core.model.freshness import SentenceState, StaleSentence
from contentgen_core.model.ids import (
    ArticleCommentId,
    ArticleId,
    ArticleLinkId,
    ArticleUpdateId,
    TenantId,
    UserId,
)
from contentgen_core.ports.repositories.article_comments import ArticleComments
from contentgen_core.ports.repositories.article_links import ArticleLinks
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.testing.runtime import MOMENT
from tests.support.article_links import article_link
from tests.support.http import Api

_numbers = count()


async def made_invitation(api: Api, **more: Any) -> dict[str, Any]:
    """An invitation that was made just now."""
    body = {"email": f"guest-{next(_numbers)}@example.org", "role": "viewer"}
    answer = await api.call("POST", "/team/invite", body, **more)
    assert answer.status_code == 200, answer.text
    invitation: dict[str, Any] = answer.json()
    return invitation


async def made_review(api: Api, **more: Any) -> str:
    """The id of a review that was written just now."""
    review = {"rating": 5, "title": "Sound", "comment": "It cites its sources."}
    answer = await api.call("POST", "/reviews", review, **more)
    assert answer.status_code == 200, answer.text
    id: str = answer.json()["id"]
    return id


async def made_document(api: Api, **more: Any) -> str:
    """The id of a document that was uploaded just now."""
    upload = {"file": ("notes.md", f"# Notes\n\nNote number {next(_numbers)}.".encode())}
    answer = await api.call("POST", "/documents/upload", files=upload, **more)
    assert answer.status_code == 200, answer.text
    id: str = answer.json()["id"]
    return id


async def made_update(api: Api, article: str, *, key: str) -> str:
    """The id of an update that waits for a decision."""
    tenant = TenantId((await api.call("GET", "/tenant", key=key)).json()["id"])
    changes = (StaleSentence(0, "It pays 4.", SentenceState.GONE, 1, "It pays 4.", proposal=""),)
    id, of = ArticleUpdateId(api.house.services.ports.ids.new()), ArticleId(article)
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[ArticleUpdates].add(ArticleUpdate(id, tenant, of, "home-energy", "Heat", 9, changes, MOMENT))
    return id


async def made_link(api: Api, article: str, *, key: str) -> str:
    """The id of a link."""
    tenant = TenantId((await api.call("GET", "/tenant", key=key)).json()["id"])
    id = ArticleLinkId(api.house.services.ports.ids.new())
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[ArticleLinks].add(article_link(id, tenant, ArticleId(article)))
    return id


async def made_comment(api: Api, article: str, *, key: str) -> str:
    """The id of a comment on an article."""
    tenant = TenantId((await api.call("GET", "/tenant", key=key)).json()["id"])
    id, by = ArticleCommentId(api.house.services.ports.ids.new()), UserId("a user")
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[ArticleComments].add(ArticleComment(id, tenant, ArticleId(article), "It moves.", "Who?", by, MOMENT))
    return id


async def made_source(api: Api, **more: Any) -> str:
    source = {"kind": "pages", "name": "Rules", "place": "https://web.example.org/noise", "nicheKey": "home-energy"}
    return str((await api.call("POST", "/sources", source, **more)).json()["id"])


async def made_webhook(api: Api, **more: Any) -> str:
    webhook = {"name": "Our receiver", "url": "https://hooks.example.org/contentgen"}
    return str((await api.call("POST", "/webhooks", webhook, **more)).json()["id"])


async def made_index_now_site(api: Api, **more: Any) -> str:
    return str((await api.call("POST", "/index-now", {"site": "https://blog.example.org"}, **more)).json()["id"])


async def made_search_entry(api: Api, **more: Any) -> str:
    csv = b"Query,Clicks,Impressions,Position\nvintage tractor gearbox,0,900,12\n"
    form = {"nicheKey": (None, "home-energy"), "start": (None, "2025-10-01"), "end": (None, "2025-10-28")}
    answer = await api.call("POST", "/search-queries/import", files={"file": ("q.csv", csv), **form}, **more)
    assert answer.status_code == 200, answer.text
    await api.house.work()
    found = await api.call("GET", "/search-queries/queues?nicheKey=home-energy", **more)
    return str(found.json()["entries"][0]["id"])


async def made_voice(api: Api, **more: Any) -> str:
    voice = {"name": "House style", "language": "en", "avoid": ["leverage"]}
    return str((await api.call("POST", "/voices", voice, **more)).json()["id"])
