"""A HubSpot account as its CMS API answers, and what is particular to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

import httpx
import msgspec
import pytest

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.hubspot import PROVIDER
from contentgen_adapters.publishing.testing import (
    Fault,
    ProviderContract,
    VendorPost,
    Wire,
    a_post,
    broken_after,
    connect,
    refused_connection,
    silent_after,
    silent_before,
)
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.pictures_support import form_of

TOKEN = "pat-eu1-1234567890-abcdef"
POSTS = "/cms/blogs/2026-09/posts"
_FIELDS = {"name", "htmlTitle", "contentGroupId", "slug", "blogAuthorId", "postBody", "postSummary", "metaDescription",
           "featuredImage", "featuredImageAltText", "useFeaturedImage", "tagIds", "linkRelCanonicalUrl", "language",
           "publishDate"}  # fmt: skip


def problem(status: int, category: str, message: str, **more: Any) -> httpx.Response:
    body = {"status": "error", "category": category, "message": message, "correlationId": "c0ffee", **more}
    return httpx.Response(status, json=body)


class HubSpot:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"accessToken": TOKEN, "authorId": "71"}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {"accessToken": "pat-eu1-of-nobody-at-all"}
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {"authorId": "72"}

    def __init__(self) -> None:
        self.live: dict[str, dict[str, Any]] = {}
        self.drafts: dict[str, dict[str, Any]] = {}
        """What each post is to become; the live one is what it is."""
        self.tags = {"900": "Winter"}
        self.blogs = {"31": "News"}
        self.files: dict[str, bytes] = {}
        self.may_upload = True

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return problem(401, "INVALID_AUTHENTICATION", "Authentication credentials not found.")
        path = request.url.path
        if path == "/files/2026-03/files":
            return self._upload(request)
        sent: Any = msgspec.json.decode(request.content) if request.content else None
        if sent is not None and request.headers["content-type"] != "application/json":
            return problem(415, "VALIDATION_ERROR", "Unsupported media type")
        if path == "/cms/blog-settings/2026-09/settings":
            return self._page(request, [{"id": id, "name": name, "slug": "blog"} for id, name in self.blogs.items()])
        if path == "/cms/blogs/2026-09/authors":
            return self._page(request, [{"id": "71", "fullName": "Ada L."}, {"id": "72", "displayName": "Bob"}])
        if path == "/cms/blogs/2026-09/tags":
            return self._tag(sent) if request.method == "POST" else self._page(request, self._tags())
        if not path.startswith(POSTS):
            return problem(404, "OBJECT_NOT_FOUND", "resource not found")
        return self._posts(request, path.removeprefix(POSTS).strip("/"), sent)

    def _upload(self, request: httpx.Request) -> httpx.Response:
        if not self.may_upload:
            return problem(403, "MISSING_SCOPES", "This app hasn't been granted all required scopes: files")
        form = form_of(request)
        assert form["folderPath"].content == b"/contentgen"
        assert msgspec.json.decode(form["options"].content)["access"] == "PUBLIC_INDEXABLE"
        name = form["fileName"].content.decode()
        self.files[name] = form["file"].content
        return httpx.Response(201, json={"id": "1", "url": f"https://1.fs1.hubspotusercontent.example/hub/{name}"})

    def _page(self, request: httpx.Request, items: list[dict[str, Any]]) -> httpx.Response:
        begin, limit = int(request.url.params.get("after", 0)), int(request.url.params.get("limit", 20))
        assert 1 <= limit <= 100
        body: dict[str, Any] = {"total": len(items), "results": items[begin : begin + limit]}
        if begin + limit < len(items):
            body["paging"] = {"next": {"after": str(begin + limit), "link": "…"}}
        return httpx.Response(200, json=body)

    def _tags(self) -> list[dict[str, Any]]:
        return [{"id": id, "name": name, "slug": name.lower()} for id, name in self.tags.items()]

    def _tag(self, sent: dict[str, Any]) -> httpx.Response:
        if sent["name"].casefold() in {name.casefold() for name in self.tags.values()}:
            return problem(409, "CONFLICT", "A tag of this name exists")
        id = str(900 + len(self.tags))
        self.tags[id] = sent["name"]
        return httpx.Response(201, json={"id": id, **sent})

    def _posts(self, request: httpx.Request, rest: str, sent: Any) -> httpx.Response:
        id, _, what = rest.partition("/")
        match request.method, id, what:
            case "GET", "", _:
                assert request.url.params.get("sort", "-createdAt") == "-createdAt"
                return self._page(request, [self._shown(id) for id in reversed(self.live)])
            case "POST", "", _:
                return self._create(sent)
            case "POST", "schedule", _:
                self.live[sent["id"]] |= self.drafts[sent["id"]] | {"state": "SCHEDULED", "at": sent["publishDate"]}
                return httpx.Response(204)
        if id not in self.live:
            return problem(404, "OBJECT_NOT_FOUND", f"No blog post found with id {id}")
        match request.method, what:
            case "GET", "":
                return httpx.Response(200, json=self._shown(id))
            case "DELETE", "":
                del self.live[id]
                return httpx.Response(204)
            case "PATCH", "draft":
                if (fault := self._fault(sent)) is not None:
                    return fault
                self.drafts[id] |= sent
                return httpx.Response(200, json=self._shown(id))
            case "POST", "draft/push-live":
                return self._push_live(id)
        return problem(405, "VALIDATION_ERROR", "method not allowed")

    def _create(self, sent: dict[str, Any]) -> httpx.Response:
        if (fault := self._fault(sent)) is not None:
            return fault
        if not sent.get("name") or sent.get("contentGroupId") not in self.blogs:
            return problem(400, "VALIDATION_ERROR", "name and contentGroupId are required")
        slug = f"blog/{sent['slug']}"
        if any(post["slug"] == slug for post in self.live.values()):
            return problem(409, "CONFLICT", "A post with this slug exists")
        id = str(5001 + len(self.live))
        self.live[id] = {**sent, "slug": slug, "state": "DRAFT"}
        self.drafts[id] = {**self.live[id]}
        return httpx.Response(201, json=self._shown(id))

    def _fault(self, sent: dict[str, Any]) -> httpx.Response | None:
        unknown = set(sent) - _FIELDS
        if unknown:
            return problem(400, "VALIDATION_ERROR", f"Invalid input JSON: unknown {unknown}")
        if any(not isinstance(tag, int) or str(tag) not in self.tags for tag in sent["tagIds"]):
            return problem(400, "VALIDATION_ERROR", "tagIds must be tags")
        return None

    def _push_live(self, id: str) -> httpx.Response:
        draft = self.drafts[id]
        if not draft.get("blogAuthorId") or not draft.get("metaDescription"):
            return problem(400, "VALIDATION_ERROR", "an author and a meta description are needed to publish")
        self.live[id] |= {**draft, "state": "PUBLISHED"}
        return httpx.Response(204)

    def _shown(self, id: str) -> dict[str, Any]:
        post = self.live[id]
        body = {name: post.get(name) for name in ("name", "slug", "contentGroupId", "state", "postBody")}
        at = post.get("at", "1970-01-01T00:00:00Z")
        return {**body, "id": id, "url": f"https://www.heat.example/{post['slug']}", "publishDate": at}

    def makes_a_post(self, request: httpx.Request) -> bool:
        return request.method == "POST" and request.url.path == POSTS

    def posts(self) -> list[VendorPost]:
        return [self._as_post(id, post) for id, post in self.live.items()]

    def _as_post(self, id: str, post: dict[str, Any]) -> VendorPost:
        tags = tuple(self.tags[str(tag)] for tag in post["tagIds"])
        return VendorPost(id, post["name"], post["postBody"], PostStatus(post["state"].lower()), post["slug"], tags)

    def remove(self, id: str) -> None:
        del self.live[id]

    def edit(self, id: str) -> None:
        self.live[id]["postBody"] += "<p>By hand.</p>"

    def invalid(self) -> httpx.Response:
        return problem(400, "VALIDATION_ERROR", "name is too long", errors=[{"message": "too long", "in": "name"}])

    def busy(self) -> httpx.Response:
        message = "You have reached your ten_secondly_rolling limit."
        return problem(429, "RATE_LIMITS", message, policyName="TEN_SECONDLY_ROLLING")


class TestHubSpot(ProviderContract):
    @pytest.fixture
    def vendor(self) -> HubSpot:
        return HubSpot()

    async def test_a_post_has_all_that_hubspot_takes(self, vendor: HubSpot, publisher: Publisher) -> None:
        made = await publisher.create(a_post(options=vendor.options, excerpt="5 < 6"))
        [held] = vendor.live.values()
        assert held["blogAuthorId"] == "72"
        assert (held["htmlTitle"], held["metaDescription"]) == ("Heat pumps", "Heat pumps in winter")
        assert held["postSummary"] == "<p>5 &lt; 6</p>"
        assert held["linkRelCanonicalUrl"] == "https://example.com/heat-pumps"
        assert (held["featuredImage"], held["useFeaturedImage"]) == ("https://example.com/hero.jpg", True)
        assert made.url == "https://www.heat.example/blog/heat-pumps-in-winter"

    async def test_tags_are_made_when_they_are_missing_and_used_when_not(
        self, vendor: HubSpot, publisher: Publisher
    ) -> None:
        vendor.tags |= {str(n): f"tag {n}" for n in range(901, 1050)} | {"1050": "Heat Pumps"}
        await publisher.create(a_post(tags=("heat pumps", "winter", "new", "New")))
        [held] = vendor.posts()
        assert held.tags == ("Heat Pumps", "Winter", "New")
        assert list(vendor.tags.values()).count("New") == 1

    async def test_a_description_is_made_where_there_is_none(self, vendor: HubSpot, publisher: Publisher) -> None:
        post = a_post(meta_description=None, meta_title=None, excerpt=None, markdown="word " * 100)
        assert (await publisher.create(post)).status is PostStatus.PUBLISHED
        [held] = vendor.live.values()
        assert len(held["metaDescription"]) <= 155
        assert held["htmlTitle"] == post.title

    @pytest.mark.parametrize("fault", [silent_after, silent_before, broken_after, refused_connection])
    @pytest.mark.parametrize("status", [PostStatus.PUBLISHED, PostStatus.SCHEDULED])
    async def test_a_post_that_was_made_and_not_made_public_is_perhaps_done(
        self, vendor: HubSpot, wire: Wire, publisher: Publisher, fault: Fault, status: PostStatus
    ) -> None:
        post = a_post(status=status, scheduled_for=MOMENT + timedelta(days=1))
        vendor.makes_a_post = lambda request: request.url.path.endswith(("/push-live", "/schedule"))  # type: ignore[method-assign]
        wire.fault = fault
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.outcome_unknown
        assert failure.value.retryable
        found = await publisher.find(post)
        assert found is not None
        assert (await publisher.update(found.id, post)).status is status
        assert len(vendor.posts()) == 1

    async def test_a_post_that_may_not_be_made_public_says_why(self, vendor: HubSpot, wire: Wire) -> None:
        with pytest.raises(PublishFailed, match="author") as failure:
            await connect(vendor, wire, {"accessToken": TOKEN}).create(a_post())
        assert failure.value.outcome_unknown
        assert [held.status for held in vendor.posts()] == [PostStatus.DRAFT]

    async def test_a_tag_without_an_answer_is_no_post(self, vendor: HubSpot, wire: Wire, publisher: Publisher) -> None:
        vendor.makes_a_post = lambda request: request.method == "POST"  # type: ignore[method-assign]
        wire.fault = silent_before
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
        assert not failure.value.outcome_unknown
        assert vendor.posts() == []

    async def test_a_draft_of_a_public_post_waits_beside_it(self, vendor: HubSpot, publisher: Publisher) -> None:
        made = await publisher.create(a_post())
        waiting = await publisher.update(made.id, a_post(title="New", status=PostStatus.DRAFT))
        assert waiting.status is PostStatus.PUBLISHED
        assert vendor.posts()[0].title == a_post().title
        assert vendor.drafts[made.id]["name"] == "New"

    async def test_a_scheduled_post_can_be_made_public(self, vendor: HubSpot, publisher: Publisher) -> None:
        later = a_post(status=PostStatus.SCHEDULED, scheduled_for=MOMENT + timedelta(days=2))
        made = await publisher.create(later)
        assert made.url is None
        assert datetime.fromisoformat(vendor.live[made.id]["at"]) == later.scheduled_for
        assert (await publisher.update(made.id, a_post())).status is PostStatus.PUBLISHED
        assert vendor.live[made.id]["publishDate"] == "2026-03-10T12:00:00Z"

    async def test_a_state_of_both_kinds_is_read_by_its_time(self, vendor: HubSpot, publisher: Publisher) -> None:
        made = await publisher.create(a_post())
        for days, status in ((1, PostStatus.SCHEDULED), (-1, PostStatus.PUBLISHED)):
            at = (MOMENT + timedelta(days=days)).isoformat()
            vendor.live[made.id] |= {"state": "PUBLISHED_OR_SCHEDULED", "at": at}
            seen = await publisher.read(made.id)
            assert seen is not None
            assert seen.status is status

    async def test_a_slug_that_is_taken_is_perhaps_ours(self, publisher: Publisher) -> None:
        await publisher.create(a_post(title="Another"))
        assert await publisher.find(a_post()) is None
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
        assert failure.value.refusal is Refusal.CONFLICT
        assert failure.value.outcome_unknown

    async def test_a_post_is_found_behind_newer_ones(self, vendor: HubSpot, publisher: Publisher) -> None:
        made = await publisher.create(a_post())
        for number in range(45):
            await publisher.create(a_post(slug=f"s-{number}", tags=()))
        assert await publisher.find(a_post()) == made

    async def test_which_blog_must_be_said_where_there_are_several(
        self, vendor: HubSpot, wire: Wire, publisher: Publisher
    ) -> None:
        vendor.blogs["32"] = "Tips"
        with pytest.raises(PublishFailed, match=r"News \(31\), Tips \(32\)"):
            await publisher.test()
        assert await connect(vendor, wire, {"accessToken": TOKEN, "blogId": "32"}).test() == 'Blog "Tips"'
        made = await publisher.create(a_post(options={"blogId": "31"}))
        assert vendor.live[made.id]["contentGroupId"] == "31"
        blogs, authors = await publisher.options()
        assert [(choice.value, choice.label) for choice in blogs.choices] == [("31", "News"), ("32", "Tips")]
        assert [(choice.value, choice.label) for choice in authors.choices] == [("71", "Ada L."), ("72", "Bob")]

    async def test_the_rolling_limit_is_waited_for_and_the_daily_one_is_not(
        self, vendor: HubSpot, wire: Wire, publisher: Publisher
    ) -> None:
        wire.fault = lambda answer, request: vendor.busy()
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
        assert failure.value.retry_after == 10.0
        wire.fault = lambda answer, request: problem(429, "RATE_LIMITS", "daily limit", policyName="DAILY")
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
        assert failure.value.refusal is Refusal.PERMISSION
        assert not failure.value.retryable

    async def test_a_locked_account_is_asked_again(self, wire: Wire, publisher: Publisher) -> None:
        wire.fault = lambda answer, request: problem(423, "LOCKED", "the resource is locked")
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
        assert failure.value.retryable
        assert not failure.value.outcome_unknown
