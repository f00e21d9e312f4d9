"""What must hold for entries of a real Strapi 5."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any, Final

from attrs import evolve, frozen

from tests.live.faults import Place
from tests.live.faulty_proxy import Fault, FaultyProxy
from tests.live.product import Product, now
from tests.live.publishing_wordpress import BODY
from tests.live.small_http import Request
from tests.live.strapi import Strapi

FIELDS: Final = {
    "title": "title", "body": "content", "slug": "slug", "excerpt": "excerpt", "featuredImage": "cover", "tags": "tags",
    "categories": "topics", "canonicalUrl": "canonical", "metaTitle": "metaTitle",
    "metaDescription": "metaDescription", "key": "contentgenKey",
}  # fmt: skip
SETTINGS: Final[dict[str, Any]] = {
    "pluralApiId": "articles", "fieldMap": FIELDS, "tagsCollection": "tags",
    "urlTemplate": "https://www.example.com/blog/{slug}",
}  # fmt: skip


@frozen
class Cms:
    """`ids`: integrations by the type of their token."""

    product: Product
    strapi: Strapi
    proxy: FaultyProxy
    ids: dict[str, str]
    picture: str

    def place(self) -> Place:
        return Place("Strapi", self.product, self.proxy, self.ids["full-access"], _creates, self.count)

    def credentials(self, token: str = "full-access") -> dict[str, str]:
        return {"baseUrl": self.proxy.address, "apiToken": self.strapi.tokens.get(token, token)}

    async def connect(self, token: str = "full-access", **settings: Any) -> str:
        return await self.product.connect("strapi", self.credentials(token), {**SETTINGS, **settings})

    async def publish(self, title: str, **fields: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The publication, and the entry as it is published."""
        publication = await self.product.published(self.ids["full-access"], title=title, content=BODY, **fields)
        entry = await self.entry(publication["remoteId"])
        assert entry is not None
        return publication, entry

    async def entry(self, id: str, status: str = "published") -> dict[str, Any] | None:
        async with self.strapi.client() as client:
            answer = await client.get(f"/articles/{id}", params={"status": status, "populate": "*"})
        if answer.status_code == 404:
            return None
        assert answer.status_code == 200, answer.text
        entry: dict[str, Any] = answer.json()["data"]
        return entry

    async def count(self, title: str, status: str = "draft", locale: str = "en") -> int:
        """Documents of this title; each has a draft, published or not."""
        params = {"filters[title][$eq]": title, "status": status, "locale": locale}
        async with self.strapi.client() as client:
            answer = await client.get("/articles", params=params)
        assert answer.status_code == 200, answer.text
        total: int = answer.json()["meta"]["pagination"]["total"]
        return total

    def count_in(self, locale: str) -> Callable[[str], Awaitable[int]]:
        return partial(self.count, locale=locale)


async def the_connection_is_tested(cms: Cms) -> None:
    said = await cms.product.tested(cms.ids["full-access"])
    assert said == "127.0.0.1: the collection type articles", said


async def wrong_credentials_are_refused_with_the_reason(cms: Cms) -> None:
    wrong = await cms.product.refused("strapi", cms.credentials("f00d" * 64), SETTINGS)
    assert "Missing or invalid credentials" in wrong, wrong
    unknown = await cms.product.refused("strapi", cms.credentials(), {**SETTINGS, "pluralApiId": "artikel"})
    assert "artikel" in unknown or "404" in unknown, unknown


async def a_token_that_may_only_read_is_not_connected(cms: Cms) -> None:
    reason = await cms.product.refused("strapi", cms.credentials("read-only"), SETTINGS)
    assert "may not create" in reason, reason


async def an_entry_has_all_that_was_asked_for(cms: Cms) -> None:
    publication, entry = await cms.publish(
        "Heat <pumps> & „Wärme“", slug="all-of-it", excerpt="Short & good.", tags=["Winter", "R&D", "Winter"],
        categories=["Energy"], featuredImage=cms.picture, canonicalUrl="https://www.example.com/home",
    )  # fmt: skip
    assert publication["url"] == "https://www.example.com/blog/all-of-it"
    assert publication["postStatus"] == "published"
    assert (entry["title"], entry["slug"]) == ("Heat <pumps> & „Wärme“", "all-of-it")
    assert (entry["excerpt"], entry["topics"]) == ("Short & good.", ["Energy"])
    assert sorted(tag["name"] for tag in entry["tags"]) == ["R&D", "Winter"]
    assert entry["canonical"] == "https://www.example.com/home"
    assert (entry["cover"]["mime"], entry["cover"]["alternativeText"]) == ("image/png", "Heat <pumps> & „Wärme“")
    assert "## Sizes" in entry["content"]
    assert 'print("42 < 43 & true"' in entry["content"]
    assert await cms.product.tested(cms.ids["full-access"]) == "127.0.0.1: the collection type articles"


async def tags_are_made_once_and_can_be_chosen(cms: Cms) -> None:
    await cms.publish("First with the tag", tags=["Only once"])
    _, entry = await cms.publish("Second with the tag", tags=["Only once", "Winter"])
    assert sorted(tag["name"] for tag in entry["tags"]) == ["Only once", "Winter"]
    options = await cms.product.options("strapi", cms.ids["full-access"])
    assert [value for value, _ in options["tags"]].count("Only once") == 1


async def blocks_and_html_are_taken(cms: Cms) -> None:
    for kind, theirs in (("blocks", "blocks"), ("html", "content")):
        integration = await cms.connect(bodyKind=kind, fieldMap={**FIELDS, "body": theirs})
        made = await cms.product.published(integration, title=f"As {kind}", content=BODY)
        entry = await cms.entry(made["remoteId"])
        assert entry is not None
        text = entry[theirs]
        assert text[1]["type"] == "heading" if kind == "blocks" else "<h2>Sizes</h2>" in text, text


async def publishing_an_article_again_changes_its_entry(cms: Cms) -> None:
    article = await cms.product.article()
    integration = cms.ids["full-access"]
    await cms.product.change(article, featuredImage=cms.picture)
    first = await cms.product.published(integration, articleId=article, status="draft")
    assert (first["postStatus"], await cms.entry(first["remoteId"])) == ("draft", None)
    again = await cms.product.published(integration, articleId=article)
    assert (again["remoteId"], again["postStatus"]) == (first["remoteId"], "published")
    before = await cms.entry(first["remoteId"])
    await cms.product.change(article, title="Another title altogether")
    third = await cms.product.published(integration, articleId=article)
    entry = await cms.entry(third["remoteId"])
    assert before is not None
    assert entry is not None
    assert (third["remoteId"], entry["title"]) == (first["remoteId"], "Another title altogether")
    assert (entry["slug"], entry["cover"]["id"]) == (before["slug"], before["cover"]["id"])
    assert await cms.count("Another title altogether") == 1


async def a_published_entry_stays_public_beside_a_draft(cms: Cms) -> None:
    """As the constraints say: Strapi has no way back by its API."""
    article = await cms.product.article()
    integration = cms.ids["full-access"]
    first = await cms.product.published(integration, articleId=article)
    await cms.product.change(article, title="Only the draft has this")
    again = await cms.product.published(integration, articleId=article, status="draft")
    draft, public = await cms.entry(first["remoteId"], "draft"), await cms.entry(first["remoteId"])
    assert draft is not None
    assert public is not None
    assert draft["title"] == "Only the draft has this" != public["title"]
    assert (again["remoteId"], again["postStatus"]) == (first["remoteId"], "published")


async def an_entry_that_was_deleted_is_not_made_again(cms: Cms) -> None:
    article = await cms.product.article()
    made = await cms.product.published(cms.ids["full-access"], articleId=article)
    async with cms.strapi.client() as client:
        assert (await client.delete(f"/articles/{made['remoteId']}")).status_code == 204
    assert "removed there" in await cms.product.failed(cms.ids["full-access"], articleId=article)


async def an_address_that_is_taken_is_told(cms: Cms) -> None:
    await cms.publish("Theirs", slug="taken")
    reason = await cms.product.failed(cms.ids["full-access"], title="Ours", content=BODY, slug="taken")
    assert "unique" in reason, reason
    assert await cms.count("Ours") == 0


async def without_a_field_for_the_key_an_entry_is_found_by_its_address(cms: Cms) -> None:
    fields = {ours: theirs for ours, theirs in FIELDS.items() if ours != "key"}
    integration = await cms.connect(fieldMap=fields)
    await evolve(cms.place(), integration=integration).survives(Fault.ANSWER_CUT, "Found by its address")


async def an_entry_in_another_language_is_found_and_changed_there(cms: Cms) -> None:
    integration = await cms.connect(locale="fr")
    place = evolve(cms.place(), integration=integration, count=cms.count_in("fr"))
    await place.survives(Fault.ANSWER_CUT, "En français")
    assert await cms.count("En français") == 0, "it is in English, too"
    article = await cms.product.article()
    first = await cms.product.published(integration, articleId=article)
    await cms.product.change(article, title="Changé")
    again = await cms.product.published(integration, articleId=article)
    assert (again["remoteId"], await cms.count_in("fr")("Changé")) == (first["remoteId"], 1)


async def a_post_for_later_is_sent_when_its_time_has_come(cms: Cms) -> None:
    due = (now() + timedelta(seconds=4)).isoformat()
    begun = await cms.product.begin(
        cms.ids["full-access"], title="For later", content=BODY, status="scheduled", scheduledFor=due
    )
    assert begun["status"] == "pending"
    assert await cms.count("For later") == 0
    ended = await cms.product.ended(begun, 30)
    assert (ended["status"], ended["postStatus"]) == ("published", "published")
    assert now().isoformat() >= due
    assert await cms.count("For later", "published") == 1


def _creates(request: Request) -> bool:
    return request.method == "POST" and request.path.partition("?")[0] == "/api/articles"


STRAPI: Final = (
    the_connection_is_tested,
    wrong_credentials_are_refused_with_the_reason,
    a_token_that_may_only_read_is_not_connected,
    an_entry_has_all_that_was_asked_for,
    tags_are_made_once_and_can_be_chosen,
    blocks_and_html_are_taken,
    publishing_an_article_again_changes_its_entry,
    a_published_entry_stays_public_beside_a_draft,
    an_entry_that_was_deleted_is_not_made_again,
    an_address_that_is_taken_is_told,
    without_a_field_for_the_key_an_entry_is_found_by_its_address,
    an_entry_in_another_language_is_found_and_changed_there,
    a_post_for_later_is_sent_when_its_time_has_come,
)
