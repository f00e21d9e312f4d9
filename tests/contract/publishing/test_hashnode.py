"""Hashnode as its GraphQL API answers (status 200 with `errors`), and what is particular to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

import httpx
import msgspec
import pytest
from attrs import evolve

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.hashnode import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, VendorPost, Wire, a_post, connect, silent_after
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal

TOKEN = "hashnode-token-1234567890"
BLOG = "64f0c0ffee0000000000blog"
_POST_FIELDS = {"title", "subtitle", "contentMarkdown", "coverImage", "slug", "tags", "originalArticleURL", "metaTitle",
                "metaDescription", "ogImage", "disableComments", "isDelisted", "enableToc", "publishAs", "coAuthors",
                "seriesId", "publishedAt"}  # fmt: skip
_DRAFT_FIELDS = {"title", "subtitle", "contentMarkdown", "slug", "tags", "seriesId", "disableComments", "publishAs",
                 "originalArticleURL", "publishedAt", "settings", "metaTags", "coverImageOptions",
                 "coAuthors"}  # fmt: skip
_INPUTS = {
    "publishPost": ("PublishPostInput", {"publicationId", "title", "contentMarkdown"}, _POST_FIELDS),
    "updatePost": ("UpdatePostInput", {"id"}, _POST_FIELDS),
    "removePost": ("RemovePostInput", {"id"}, set[str]()),
    "createDraft": ("CreateDraftInput", {"publicationId"}, _DRAFT_FIELDS),
    "updateDraft": ("UpdateDraftInput", {"draftId"}, _DRAFT_FIELDS),
    "publishDraft": ("PublishDraftInput", {"draftId"}, set[str]()),
}
"""What each change is given: the type, what must be there and what may."""


def failed(code: str, message: str) -> httpx.Response:
    return httpx.Response(200, json={"data": None, "errors": [{"message": message, "extensions": {"code": code}}]})


def edges(items: list[dict[str, Any]]) -> dict[str, Any]:
    return {"edges": [{"node": item} for item in items]}


class Hashnode:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"accessToken": TOKEN, "publicationId": BLOG}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {**credentials, "accessToken": "hashnode-token-of-nobody"}
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {"seriesId": "64f0c0ffee000000000000s1", "disableComments": True}

    def __init__(self) -> None:
        self.published: dict[str, dict[str, Any]] = {}
        self.removed: dict[str, dict[str, Any]] = {}
        self.drafts: dict[str, dict[str, Any]] = {}
        self.is_pro = True
        self.cached = 0
        """So many further questions for posts are answered as if there were none."""

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.host != "gql-beta.hashnode.com" or request.method != "POST":
            return httpx.Response(301, headers={"Location": "https://hashnode.com/announcement"})
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return failed("UNAUTHENTICATED", "You must be authenticated.")
        sent = msgspec.json.decode(request.content)
        text, variables = sent["query"], sent["variables"]
        if text.startswith("mutation"):
            return self._change(text, variables["input"])
        data: dict[str, Any] = {}
        if "me {" in text:
            blog = {"id": BLOG, "title": "Heat at home"}
            data["me"] = {"username": "ada", "name": "Ada", "publications": edges([blog])}
        elif "publication(" in text:
            if not self.is_pro:
                return failed("FORBIDDEN", "Publication does not have an active Pro plan.")
            data["publication"] = self._publication(variables) if variables["id"] == BLOG else None
        elif "post(id" in text:
            data["post"] = {**self.removed, **self.published}.get(variables["id"])
        elif "draft(id" in text:
            if variables["id"] not in self.drafts:
                return failed("NOT_FOUND", "Draft not found")
            data["draft"] = self.drafts[variables["id"]]
        return httpx.Response(200, json={"data": data})

    def _publication(self, variables: dict[str, Any]) -> dict[str, Any]:
        public = [*self.published.values()]
        if "slug" in variables and self.cached:
            self.cached -= 1
            public = []
        drafts = [*self.drafts.values()]
        begin = int(variables.get("after") or 0)
        page = {"hasNextPage": len(drafts) > begin + 50, "endCursor": str(begin + 50)}
        return {
            "id": BLOG,
            "title": "Heat at home",
            "post": next((post for post in public if post["slug"] == variables.get("slug")), None),
            "posts": edges(public[-20:]),
            "drafts": {**edges(drafts[begin : begin + 50]), "pageInfo": page},
            "seriesList": edges([{"id": "64f0c0ffee000000000000s1", "name": "Heat"}]),
        }

    def _change(self, text: str, given: dict[str, Any]) -> httpx.Response:
        found = re.match(r"mutation \(\$input: (\w+)!\) \{ (\w+)\(input: \$input\)", text)
        assert found, text
        kind, needed, allowed = _INPUTS[found[2]]
        assert kind == found[1]
        if not needed <= set(given) <= needed | allowed:
            return failed("BAD_USER_INPUT", f'Field of "{kind}" is missing or unknown')
        if len(given.get("tags", ())) > 15:
            return failed("BAD_USER_INPUT", "tags must contain no more than 15 elements")
        if not self.is_pro:
            return failed("FORBIDDEN", "Publication does not have an active Pro plan.")
        made = getattr(self, f"_{found[2]}")(given)
        return made if isinstance(made, httpx.Response) else httpx.Response(200, json={"data": {found[2]: made}})

    def _publishPost(self, given: dict[str, Any]) -> dict[str, Any]:
        id = f"post{len(self.published) + len(self.removed)}"
        taken = sum(post["slug"].startswith(given["slug"]) for post in self.published.values())
        slug = f"{given['slug']}-{taken}" if taken else given["slug"]
        self.published[id] = {**given, "id": id, "slug": slug, "url": f"https://heat.hashnode.dev/{slug}"}
        return {"post": self.published[id]}

    def _updatePost(self, given: dict[str, Any]) -> object:
        if given["id"] not in self.published:
            return failed("NOT_FOUND", "Post not found")
        self.published[given["id"]] |= given
        return {"post": self.published[given["id"]]}

    def _removePost(self, given: dict[str, Any]) -> object:
        if given["id"] not in self.published:
            return failed("NOT_FOUND", "Post not found")
        self.removed[given["id"]] = self.published.pop(given["id"])
        return {"post": self.removed[given["id"]]}

    def _createDraft(self, given: dict[str, Any]) -> dict[str, Any]:
        id = f"sketch{len(self.drafts)}"
        self.drafts[id] = {**given, "id": id}
        return {"draft": self.drafts[id]}

    def _updateDraft(self, given: dict[str, Any]) -> object:
        if given["draftId"] not in self.drafts:
            return failed("NOT_FOUND", "Draft not found")
        self.drafts[given["draftId"]] |= given
        return {"draft": self.drafts[given["draftId"]]}

    def _publishDraft(self, given: dict[str, Any]) -> object:
        if given["draftId"] not in self.drafts:
            return failed("NOT_FOUND", "Draft not found")
        return self._publishPost(self.drafts.pop(given["draftId"]))

    def makes_a_post(self, request: httpx.Request) -> bool:
        return any(name in request.content for name in (b"publishPost(", b"createDraft("))

    def posts(self) -> list[VendorPost]:
        held = [(post, PostStatus.PUBLISHED) for post in self.published.values()]
        held += [(draft, PostStatus.DRAFT) for draft in self.drafts.values()]
        return [
            VendorPost(
                p["id"], p["title"], p["contentMarkdown"], status, p["slug"], tuple(t["slug"] for t in p["tags"])
            )
            for p, status in held
        ]

    def remove(self, id: str) -> None:
        self.removed[id] = self.published.pop(id)

    def invalid(self) -> httpx.Response:
        return failed("BAD_USER_INPUT", "title is too long")

    def busy(self) -> httpx.Response:
        return httpx.Response(429, text="Too many requests", headers={"Retry-After": "20"})


class TestHashnode(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Hashnode:
        return Hashnode()

    @pytest.fixture(autouse=True)
    def waits(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        waits: list[float] = []

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        monkeypatch.setattr("asyncio.sleep", sleep)
        return waits

    async def test_a_post_has_all_that_hashnode_takes(self, vendor: Hashnode, publisher: Publisher) -> None:
        tags = ("Heat pumps", "heat-pumps", *(f"tag {n}" for n in range(20)))
        await publisher.create(a_post(tags=tags, excerpt="word " * 100, options=vendor.options))
        [held] = vendor.published.values()
        assert held["tags"][:2] == [{"slug": "heat-pumps", "name": "Heat pumps"}, {"slug": "tag-0", "name": "tag 0"}]
        assert len(held["tags"]) == 15
        assert len(held["subtitle"]) <= 250
        assert held["originalArticleURL"] == "https://example.com/heat-pumps"
        assert held["coverImage"] == "https://example.com/hero.jpg"
        assert (held["metaTitle"], held["metaDescription"]) == ("Heat pumps", "Heat pumps in winter")
        assert (held["seriesId"], held["disableComments"]) == ("64f0c0ffee000000000000s1", True)

    async def test_a_draft_has_its_picture_and_search_texts_where_drafts_have_them(
        self, vendor: Hashnode, publisher: Publisher
    ) -> None:
        made = await publisher.create(a_post(status=PostStatus.DRAFT))
        [draft] = vendor.drafts.values()
        assert draft["coverImageOptions"] == {"coverImageURL": "https://example.com/hero.jpg"}
        assert draft["metaTags"] == {"title": "Heat pumps", "description": "Heat pumps in winter"}
        assert draft["settings"] == {"slugOverridden": True}
        assert await publisher.read(made.id) == made

    async def test_a_draft_is_found_on_any_page(self, vendor: Hashnode, publisher: Publisher) -> None:
        for number in range(60):
            await publisher.create(a_post(title=f"Title {number}", slug=f"s-{number}", status=PostStatus.DRAFT))
        made = await publisher.create(a_post(status=PostStatus.DRAFT))
        assert await publisher.find(a_post()) == made

    async def test_a_draft_that_was_published_without_an_answer_is_not_published_again(
        self, vendor: Hashnode, wire: Wire, publisher: Publisher
    ) -> None:
        made = await publisher.create(a_post(status=PostStatus.DRAFT))
        vendor.makes_a_post = lambda request: b"publishDraft(" in request.content  # type: ignore[method-assign]
        wire.fault = silent_after
        with pytest.raises(PublishFailed) as failure:
            await publisher.update(made.id, a_post())
        assert failure.value.outcome_unknown
        again = await publisher.update(made.id, a_post(markdown="Newer"))
        assert again.status is PostStatus.PUBLISHED
        [held] = vendor.posts()
        assert (held.id, held.body) == (again.id, "Newer\n\n" + held.body.split("\n\n", 1)[1])

    async def test_a_draft_that_was_deleted_is_gone(self, vendor: Hashnode, publisher: Publisher) -> None:
        made = await publisher.create(a_post(status=PostStatus.DRAFT))
        vendor.drafts.clear()
        assert await publisher.read(made.id) is None
        with pytest.raises(PublishFailed) as failure:
            await publisher.update(made.id, a_post())
        assert failure.value.refusal is Refusal.GONE

    async def test_a_strangers_post_of_the_same_slug_is_not_taken_for_ours(
        self, vendor: Hashnode, publisher: Publisher
    ) -> None:
        await publisher.create(a_post(title="A stranger's"))
        assert await publisher.find(a_post()) is None
        made = await publisher.create(a_post())
        assert made.url == "https://heat.hashnode.dev/heat-pumps-in-winter-1"
        assert await publisher.find(a_post()) == made

    async def test_a_new_post_that_a_cache_does_not_know_yet_is_waited_for(
        self, vendor: Hashnode, publisher: Publisher, waits: list[float]
    ) -> None:
        made = await publisher.create(a_post())
        vendor.cached = 1
        assert await publisher.read(made.id) == made
        assert waits == [PROVIDER.info.found_after] == [25.0]

    async def test_a_publication_without_the_pro_plan_is_told_and_not_tried_again(
        self, vendor: Hashnode, publisher: Publisher
    ) -> None:
        vendor.is_pro = False
        for asked in (publisher.test(), publisher.create(a_post()), publisher.find(a_post())):
            with pytest.raises(PublishFailed, match="Pro plan") as failure:
                await asked
            assert failure.value.refusal is Refusal.PERMISSION
            assert not failure.value.retryable

    async def test_a_wrong_publication_is_answered_with_those_there_are(self, vendor: Hashnode, wire: Wire) -> None:
        with pytest.raises(PublishFailed, match=rf"Heat at home \({BLOG}\)"):
            await connect(vendor, wire, {**vendor.credentials, "publicationId": "nothing"}).test()

    async def test_the_old_address_of_the_api_says_that_it_moved(self, vendor: Hashnode, wire: Wire) -> None:
        old = connect(vendor, wire, {**vendor.credentials, "endpoint": "https://gql.hashnode.com"})
        with pytest.raises(PublishFailed, match="redirect"):
            await old.create(a_post())

    async def test_a_failure_inside_the_service_is_perhaps_done(self, wire: Wire, publisher: Publisher) -> None:
        wire.fault = lambda answer, request: failed("INTERNAL_SERVER_ERROR", f"oops {TOKEN}")
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
        assert failure.value.refusal is Refusal.TRANSIENT
        assert failure.value.outcome_unknown
        assert TOKEN not in str(failure.value)

    @pytest.mark.parametrize("data", [{}, {"publishPost": None}, {"publishPost": {"post": None}}])
    async def test_an_answer_without_a_post_is_no_success(
        self, wire: Wire, publisher: Publisher, data: dict[str, Any]
    ) -> None:
        wire.fault = lambda answer, request: httpx.Response(200, json={"data": data})
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
        assert failure.value.outcome_unknown

    async def test_a_request_over_the_limit_is_told_before_the_call(self, wire: Wire, publisher: Publisher) -> None:
        with pytest.raises(PublishFailed, match="100,000") as failure:
            await publisher.create(a_post(markdown="ü" * 51_000))
        assert failure.value.refusal is Refusal.INVALID
        assert not wire.requests

    async def test_the_series_can_be_chosen(self, publisher: Publisher) -> None:
        [series] = await publisher.options()
        assert [(choice.value, choice.label) for choice in series.choices] == [("64f0c0ffee000000000000s1", "Heat")]

    async def test_an_update_leaves_the_address_alone(self, vendor: Hashnode, publisher: Publisher) -> None:
        made = await publisher.create(a_post())
        updated = await publisher.update(made.id, evolve(a_post(), slug="another", title="New"))
        assert updated == made
        assert vendor.published[made.id]["slug"] == "heat-pumps-in-winter"

    async def test_another_post_in_the_place_of_a_removed_one_is_another(
        self, vendor: Hashnode, publisher: Publisher
    ) -> None:
        made = await publisher.create(a_post())
        vendor.remove(made.id)
        other = await publisher.create(a_post())
        assert await publisher.read(made.id) is None
        assert await publisher.read(other.id) == other
