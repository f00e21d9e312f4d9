"""What must hold for posts at a real WordPress."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from difflib import unified_diff
from typing import Any, Final

import httpx
from attrs import evolve, frozen

from tests.live.faults import Place, one_post_though_a_call_is_held_up
from tests.live.faulty_proxy import Fault, FaultyProxy
from tests.live.product import Product, now
from tests.live.small_http import Request
from tests.live.wordpress import WordPress

BODY: Final = """Heat pumps move heat. *Winter* matters & costs < money.

## Sizes

| Size | Price |
|------|-------|
| 5 kW | 9,000 |

```python
print("42 < 43 & true", "C:\\\\temp")
```

Read [more](https://example.com/more) about „Wärme“ 🌡.
"""


@frozen
class Site:
    """`ids`: integrations by the name of their user. `picture`: the address of one."""

    product: Product
    wordpress: WordPress
    proxy: FaultyProxy
    ids: dict[str, str]
    picture: str

    def place(self) -> Place:
        return Place("WordPress", self.product, self.proxy, self.ids["editor"], _creates, self.count)

    @property
    def address(self) -> str:
        """As the product knows it."""
        return self.proxy.address

    def credentials(self, user: str, password: str | None = None) -> dict[str, str]:
        given = password or self.wordpress.passwords[user]
        return {"siteUrl": self.address, "username": user, "applicationPassword": given}

    async def connect(self, user: str, **settings: Any) -> str:
        return await self.product.connect("wordpress", self.credentials(user), settings)

    async def publish(self, title: str, user: str = "editor", **fields: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The publication, and the post as WordPress has it."""
        publication = await self.product.published(self.ids[user], title=title, content=BODY, **fields)
        return publication, await self.post(publication["remoteId"])

    async def post(self, id: str) -> dict[str, Any]:
        post: dict[str, Any] = (await self.get(f"/posts/{id}", context="edit")).json()
        return post

    async def get(self, path: str, **params: Any) -> httpx.Response:
        async with self.wordpress.client() as client:
            answer = await client.get(path, params=params)
        assert answer.status_code == 200, answer.text
        return answer

    async def named(self, taxonomy: str, ids: list[int]) -> list[str]:
        return [(await self.get(f"/{taxonomy}/{id}")).json()["name"] for id in ids]

    async def count(self, title: str) -> int:
        """Posts of this title in any state."""
        return await self._count(title, "any,trash")

    async def count_outside_the_trash(self, title: str) -> int:
        return await self._count(title, "any")

    async def _count(self, title: str, states: str) -> int:
        found = (await self.get("/posts", status=states, per_page=100, context="edit")).json()
        assert len(found) < 100
        return sum(post["title"]["raw"] == title for post in found)


async def the_connection_is_tested(site: Site) -> None:
    said = await site.product.tested(site.ids["editor"])
    assert said == "127.0.0.1, as Editor & Co", said


async def wrong_credentials_are_refused_with_the_reason(site: Site) -> None:
    wrong = await site.product.refused("wordpress", site.credentials("editor", "abcd efgh ijkl mnop qrst uvwx"))
    assert "application password is wrong" in wrong, wrong
    assert "You are not currently logged in." in wrong, wrong
    nobody = await site.product.refused("wordpress", site.credentials("nobody", "abcd efgh ijkl mnop qrst uvwx"))
    assert nobody == wrong, nobody
    elsewhere = {**site.credentials("editor"), "siteUrl": f"{site.address}/elsewhere"}
    assert "no WordPress API at this address" in await site.product.refused("wordpress", elsewhere)


async def a_contributor_is_told_what_is_missing(site: Site) -> None:
    said = await site.product.tested(site.ids["contributor"])
    assert "may not publish posts (drafts only) or upload featured images" in said, said
    reason = await site.product.failed(site.ids["contributor"], title="Not allowed", content=BODY)
    assert "not allowed" in reason, reason
    assert await site.count("Not allowed") == 0
    publication, post = await site.publish("Allowed as a draft", "contributor", status="draft")
    assert (publication["postStatus"], post["status"]) == ("draft", "draft")


async def what_can_be_chosen_is_found(site: Site) -> None:
    await site.publish("With a term", categories=["R&D"], tags=["Snow & ice"])
    options = await site.product.options("wordpress", site.ids["editor"])
    authors = {label: value for value, label in options["author"]}
    assert "Author & Co" in authors, options["author"]
    assert {value for value, _ in options["categories"]} >= {"Uncategorized", "R&D"}
    assert ("Snow & ice", "Snow & ice") in options["tags"]


async def a_post_has_all_that_was_asked_for(site: Site) -> None:
    authors = {label: value for value, label in (await site.product.options("wordpress", site.ids["editor"]))["author"]}
    publication, post = await site.publish(
        "Heat <pumps> & „Wärme“ C:\\temp", slug="all-of-it", excerpt="Short & <good>.",
        tags=["Winter", "R&D", "winter"], categories=["Energy", "energy", "Uncategorized"], featuredImage=site.picture,
        sticky=True, comments="closed", author=authors["Author & Co"],
    )  # fmt: skip
    assert publication["url"] == post["link"] == f"{site.address}/{now().year}/all-of-it/"
    assert post["status"] == "publish"
    assert post["title"]["rendered"] == "Heat &lt;pumps> &#038; „Wärme“ C:\\temp", post["title"]
    assert "Short &#038; &lt;good>." in post["excerpt"]["rendered"], post["excerpt"]
    assert sorted(await site.named("categories", post["categories"])) == ["Energy", "Uncategorized"]
    assert sorted(await site.named("tags", post["tags"])) == ["R&amp;D", "Winter"]
    assert (post["sticky"], post["comment_status"]) == (True, "closed")
    assert str(post["author"]) == authors["Author & Co"]
    media = (await site.get(f"/media/{post['featured_media']}")).json()
    # WordPress takes tags and backslashes out of alternative texts.
    assert (media["mime_type"], media["alt_text"]) == ("image/png", "Heat & „Wärme“ C:temp"), media["alt_text"]


async def the_text_survives(site: Site) -> None:
    _, post = await site.publish("With a text", status="draft")
    text = post["content"]["raw"]
    for part in (
        '<h2 class="wp-block-heading">Sizes</h2>', "<td>9,000</td>", "<!-- wp:table ",
        "42 &lt; 43 &amp; true", "C:\\\\temp", "„Wärme“ 🌡", "costs &lt; money",
        '<a href="https://example.com/more"', "<em>Winter</em>",
    ):  # fmt: skip
        assert part in text, f"{part} is not in {text}"


async def nothing_is_removed_from_the_text_of_a_user_without_the_right_to_unfiltered_html(site: Site) -> None:
    """With sources, a picture and everything else that our HTML is made of; editors have that right, authors do not."""
    article = await site.product.article()
    text = (await site.product.http.get(f"/writer/{article}")).json()["content"]
    more = f"\n\n{BODY}\n![A heat pump]({site.picture})\n\n> Quoted\n\n1. one\n   - two\n\n~~no~~ **yes** `code`\n"
    await site.product.change(article, content=text + more)
    texts = []
    for user in ("editor", "author"):
        made = await site.product.published(site.ids[user], articleId=article, status="draft", tags=[])
        raw = (await site.post(made["remoteId"]))["content"]["raw"]
        kept, marker, rest = raw.partition("<!-- contentgen-")
        assert marker, raw
        assert rest.endswith("-->"), raw
        texts.append(kept)
    assert texts[0] == texts[1], "\n".join(unified_diff(texts[0].splitlines(), texts[1].splitlines(), n=0))
    for tag in ("<img", "<ol", '<blockquote class="wp-block-quote">', '<span id="source-1">'):
        assert tag in texts[0], texts[0]


async def an_author_without_the_right_to_categories_is_told_so(site: Site) -> None:
    reason = await site.product.failed(
        site.ids["author"], title="Unknown category", content=BODY, categories=["Never seen"]
    )
    assert "its categories: refused the credentials (HTTP 403): Sorry, you are not allowed to create" in reason, reason
    assert await site.count("Unknown category") == 0
    _, post = await site.publish("Known category", "author", categories=["Energy"], tags=["Made by the author"])
    assert await site.named("tags", post["tags"]) == ["Made by the author"]


async def publishing_an_article_again_changes_its_post(site: Site) -> None:
    article = await site.product.article()
    await site.product.change(article, featuredImage=site.picture)
    first = await site.product.published(site.ids["editor"], articleId=article, status="draft")
    assert (await site.post(first["remoteId"]))["status"] == "draft"
    again = await site.product.published(site.ids["editor"], articleId=article)
    assert (again["remoteId"], again["postStatus"]) == (first["remoteId"], "published")
    await site.product.change(article, title="Another title altogether")
    third = await site.product.published(site.ids["editor"], articleId=article)
    post = await site.post(third["remoteId"])
    assert (third["remoteId"], post["title"]["raw"]) == (first["remoteId"], "Another title altogether")
    assert third["url"] == post["link"]
    images = (await site.get("/media", search=post["slug"][:20], per_page=100)).json()
    assert len(images) == 1, f"{len(images)} copies of one image"
    assert (await site.product.http.get(f"/writer/{article}")).json()["status"] == "published"


async def a_post_in_the_trash_is_gone_and_stays_there(site: Site) -> None:
    article = await site.product.article()
    made = await site.product.published(site.ids["editor"], articleId=article)
    async with site.wordpress.client() as client:
        assert (await client.delete(f"/posts/{made['remoteId']}")).status_code == 200
    reason = await site.product.failed(site.ids["editor"], articleId=article)
    assert "removed there" in reason, reason
    assert (await site.post(made["remoteId"]))["status"] == "trash"


async def a_strangers_address_stays_the_strangers(site: Site) -> None:
    async with site.wordpress.client() as client:
        theirs = (await client.post("/posts", json={"title": "Theirs", "slug": "taken", "status": "publish"})).json()
    publication, post = await site.publish("Ours", slug="taken")
    assert post["slug"] == "taken-2"
    assert publication["url"].endswith("/taken-2/")
    assert (await site.post(theirs["id"]))["title"]["raw"] == "Theirs"


async def a_site_with_plain_permalinks_works(site: Site) -> None:
    plain = await site.connect("editor", plainPermalinks=True)
    publication = await site.product.published(plain, title="Plain", content=BODY, tags=["Winter"])
    assert (await site.post(publication["remoteId"]))["status"] == "publish"


async def a_post_for_later_is_published_by_wordpress_itself(site: Site) -> None:
    """Its cron is called as a visit to the site would do it. New York's clock shows another hour than ours."""
    due = now() + timedelta(seconds=64)
    publication, post = await site.publish("For later", status="scheduled", scheduledFor=due.isoformat())
    assert (publication["postStatus"], post["status"]) == ("scheduled", "future"), (publication, post["status"])
    assert post["date_gmt"] == due.strftime("%Y-%m-%dT%H:%M:%S")
    await asyncio.sleep((due - now()).total_seconds() + 1)
    async with httpx.AsyncClient(timeout=30, trust_env=False) as client:
        assert (await client.get(f"{site.wordpress.address}/wp-cron.php")).status_code == 200
    assert (await site.post(publication["remoteId"]))["status"] == "publish"


async def a_post_for_later_can_be_taken_forward(site: Site) -> None:
    article = await site.product.article()
    due = (now() + timedelta(days=3)).isoformat()
    later = await site.product.published(site.ids["editor"], articleId=article, status="scheduled", scheduledFor=due)
    assert later["postStatus"] == "scheduled"
    soon = await site.product.published(site.ids["editor"], articleId=article)
    assert (soon["remoteId"], soon["postStatus"]) == (later["remoteId"], "published")


async def a_post_due_within_the_minute_is_there(site: Site) -> None:
    """WordPress publishes at once what is due so soon."""
    due = (now() + timedelta(seconds=40)).isoformat()
    publication, post = await site.publish("Due very soon", status="scheduled", scheduledFor=due)
    assert (publication["postStatus"], post["status"]) == ("published", "publish"), (publication, post["status"])


async def a_withdrawn_password_is_told_and_the_post_is_found_with_another(site: Site) -> None:
    """The answer to the creation is lost, and before the product can ask for the post its password is withdrawn."""
    title = "With a withdrawn password"
    async with site.wordpress.client() as client:
        made = (await client.post("/users/me/application-passwords", json={"name": "short-lived"})).json()
        integration = await site.product.connect("wordpress", site.credentials("editor", made["password"]))
        place = evolve(site.place(), integration=integration)
        spoiling = site.proxy.spoil(Fault.ANSWER_CUT, lambda r: place.creates(r) and title.encode() in r.body)
        begun = asyncio.create_task(site.product.publish(integration, title=title, content=BODY))
        async with asyncio.timeout(20):
            while not spoiling.spoilt or not await site.count(title):
                await asyncio.sleep(0.05)
        gone = await client.delete(f"/users/me/application-passwords/{made['uuid']}")
        assert gone.status_code == 200, gone.text
    publication = await begun
    assert publication["status"] == "unknown", publication
    path = f"/integrations/{integration}"
    assert (await site.product.http.get(path)).json()["health"] == "failing"
    password = {"credentials": {"applicationPassword": site.wordpress.passwords["editor"]}}
    answer = await site.product.http.patch(path, json=password)
    assert answer.status_code == 200, answer.text
    retried = await site.product.http.post(f"/publications/{publication['id']}/retry")
    assert (await site.product.ended(retried.json()))["status"] == "published"
    assert (await site.product.http.get(path)).json()["health"] == "connected"
    assert await site.count(title) == 1


async def a_post_of_an_author_is_found_again(site: Site) -> None:
    await evolve(site.place(), integration=site.ids["author"]).survives(Fault.ANSWER_CUT, "Found for the author")


async def a_post_is_taken_back_and_deleted(site: Site) -> None:
    publication, _ = await site.publish("Taken back")
    path = f"/publications/{publication['id']}"
    drafted = (await site.product.http.post(f"{path}/unpublish")).json()
    assert (drafted["postStatus"], drafted["finding"]) == ("draft", "intact"), drafted
    assert (await site.post(publication["remoteId"]))["status"] == "draft"
    removed = (await site.product.http.delete(f"{path}/post")).json()
    assert (removed["status"], removed["finding"]) == ("removed", "deleted"), removed
    assert (await site.count_outside_the_trash("Taken back"), await site.count("Taken back")) == (0, 1)


async def one_of_two_posts_stays_after_a_call_that_was_held_up(site: Site) -> None:
    await one_post_though_a_call_is_held_up(evolve(site.place(), count=site.count_outside_the_trash))


def _creates(request: Request) -> bool:
    return request.method == "POST" and request.path.endswith("/wp/v2/posts")


WORDPRESS: Final = (
    the_connection_is_tested,
    wrong_credentials_are_refused_with_the_reason,
    a_contributor_is_told_what_is_missing,
    what_can_be_chosen_is_found,
    a_post_has_all_that_was_asked_for,
    the_text_survives,
    nothing_is_removed_from_the_text_of_a_user_without_the_right_to_unfiltered_html,
    an_author_without_the_right_to_categories_is_told_so,
    publishing_an_article_again_changes_its_post,
    a_post_in_the_trash_is_gone_and_stays_there,
    a_strangers_address_stays_the_strangers,
    a_site_with_plain_permalinks_works,
    a_post_for_later_can_be_taken_forward,
    a_post_due_within_the_minute_is_there,
    a_post_of_an_author_is_found_again,
    a_withdrawn_password_is_told_and_the_post_is_found_with_another,
    a_post_is_taken_back_and_deleted,
    one_of_two_posts_stays_after_a_call_that_was_held_up,
)
SLOW: Final = (a_post_for_later_is_published_by_wordpress_itself,)
