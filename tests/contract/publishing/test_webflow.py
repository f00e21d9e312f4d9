"""A Webflow site as its Data API v2 answers, and what is particular to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

import httpx
import msgspec
import pytest
from attrs import evolve

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.webflow import PROVIDER
from contentgen_adapters.publishing.testing import (
    ProviderContract,
    VendorPost,
    Wire,
    a_post,
    connect,
    silent_after,
)
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.pictures_support import form_of

TOKEN = "webflow-token-1234567890"
POSTS, TAGS = "6400000000000000000000a1", "6400000000000000000000b2"
_KINDS = {
    "name": "PlainText", "slug": "PlainText", "post-body": "RichText", "post-summary": "PlainText",
    "main-image": "Image", "canonical": "Link", "seo-title": "PlainText", "seo-text": "PlainText",
    "tags": "MultiReference", "section": "Option", "contentgen-key": "PlainText", "featured": "Switch",
    "minutes": "Number", "color": "Color",
}  # fmt: skip
_VALIDATIONS = {
    "tags": {"collectionId": TAGS},
    "section": {"options": [{"name": "Energy", "id": "option-energy"}, {"name": "Water", "id": "option-water"}]},
}


def problem(status: int, code: str, message: str, details: list[Any] | None = None) -> httpx.Response:
    body = {"code": code, "message": message, "externalReference": None, "details": details or []}
    return httpx.Response(status, json=body)


class Webflow:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {
        "apiToken": TOKEN,
        "collectionId": POSTS,
        "publicBaseUrl": "https://heat.example/",
    }
    wrong_credentials: ClassVar[Mapping[str, Any]] = {**credentials, "apiToken": "webflow-token-of-nobody"}
    settings: ClassVar[Mapping[str, Any]] = {
        "fieldMap": {
            "body": "post-body", "excerpt": "post-summary", "featuredImage": "main-image", "canonicalUrl": "canonical",
            "metaTitle": "seo-title", "metaDescription": "seo-text", "tags": "tags", "categories": "section",
        },
    }  # fmt: skip
    options: ClassVar[Mapping[str, Any]] = {"fields": {"featured": "true", "minutes": "7"}}

    def __init__(self) -> None:
        self.items: dict[str, dict[str, dict[str, Any]]] = {POSTS: {}, TAGS: {}}
        self.sites = [{"id": "site1", "displayName": "Heat", "shortName": "heat", "customDomains": []}]
        self.publishing_fails = False
        self.assets: dict[str, bytes] = {}
        self.may_upload = True

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "store.example":
            return self._store(request)
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return problem(401, "not_authorized", "Request not authorized")
        path = request.url.path.removeprefix("/v2")
        if path == "/sites":
            return httpx.Response(200, json={"sites": self.sites})
        if path == "/sites/site1/assets":
            return self._asset(msgspec.json.decode(request.content))
        if path == "/sites/site1/collections":
            return httpx.Response(200, json={"collections": [{"id": POSTS, "displayName": "Posts", "slug": "posts"}]})
        found = re.fullmatch(r"/collections/(\w+)(?:/items(?:/(\w+))?(?:/(\w+))?)?", path)
        if found is None or found[1] not in self.items:
            return problem(404, "resource_not_found", "Requested resource not found")
        if "/items" not in path:
            return httpx.Response(200, json=self._collection(found[1]))
        sent: Any = msgspec.json.decode(request.content) if request.content else {}
        if request.method == "DELETE":
            return self._delete(self.items[found[1]], found[2], live=found[3] == "live")
        return self._answer(request, self.items[found[1]], found[2] or "", sent)

    def _asset(self, sent: dict[str, str]) -> httpx.Response:
        if not self.may_upload:
            return problem(403, "missing_scopes", "OAuthForbidden: You are missing the following scopes - assets:write")
        assert re.fullmatch("[0-9a-f]{32}", sent["fileHash"])
        name = sent["fileName"]
        return httpx.Response(202, json={
            "id": "a1", "uploadUrl": "https://store.example/", "uploadDetails": {"key": name, "Policy": "p=="},
            "hostedUrl": f"https://cdn.website-files.example/site1/a1_{name}",
        })  # fmt: skip

    def _store(self, request: httpx.Request) -> httpx.Response:
        assert "authorization" not in request.headers
        form = form_of(request)
        assert list(form) == ["key", "Policy", "file"]
        self.assets[form["key"].content.decode()] = form["file"].content
        return httpx.Response(201, text="<PostResponse/>")

    def _delete(self, items: dict[str, dict[str, Any]], id: str, *, live: bool) -> httpx.Response:
        if id not in items or (live and items[id]["lastPublished"] is None):
            return problem(404, "resource_not_found", "Requested resource not found")
        if live:
            items[id] |= {"lastPublished": None, "live": {}}
        else:
            del items[id]
        return httpx.Response(204)

    def _collection(self, id: str) -> dict[str, Any]:
        fields = [
            {
                "id": slug,
                "slug": slug,
                "displayName": slug.title(),
                "type": kind,
                "isRequired": slug in ("name", "slug"),
            }
            | ({"validations": _VALIDATIONS[slug]} if slug in _VALIDATIONS else {})
            for slug, kind in _KINDS.items()
        ]
        return {"id": id, "displayName": "Posts", "singularName": "Post", "slug": "posts", "fields": fields}

    def _answer(self, request: httpx.Request, items: dict[str, dict[str, Any]], rest: str, sent: Any) -> httpx.Response:
        match request.method, rest:
            case "GET", "":
                asked = {name: request.url.params[name] for name in ("slug", "name") if name in request.url.params}
                shown = [i for i in items.values() if all(i["fieldData"][n] == v for n, v in asked.items())]
                return httpx.Response(200, json={"items": shown, "pagination": {"total": len(shown)}})
            case "POST", "" | "live":
                return self._create(items, sent, live=rest == "live")
            case "POST", "publish":
                return self._publish(items, sent["itemIds"])
        if rest not in items:
            return problem(404, "resource_not_found", "Requested resource not found")
        if request.method == "GET":
            return httpx.Response(200, json=items[rest])
        if (fault := self._fault(items, sent.get("fieldData", {}))) is not None:
            return fault
        items[rest]["fieldData"] |= sent.get("fieldData", {})
        items[rest]["isDraft"] = sent["isDraft"]
        return httpx.Response(200, json=items[rest])

    def _create(self, items: dict[str, dict[str, Any]], sent: Any, *, live: bool) -> httpx.Response:
        data = sent["fieldData"]
        if not data.get("name") or not data.get("slug"):
            return problem(400, "validation_error", "Validation Error", [{"param": "slug", "description": "required"}])
        if (fault := self._fault(items, data)) is not None:
            return fault
        id = f"item{sum(map(len, self.items.values()))}"
        at = MOMENT.isoformat() if live else None
        items[id] = {"id": id, "isArchived": False, "isDraft": sent["isDraft"], "lastPublished": at, "fieldData": data}
        items[id]["live"] = dict(data) if live else {}
        return httpx.Response(202, json=items[id])

    def _fault(self, items: dict[str, dict[str, Any]], data: dict[str, Any]) -> httpx.Response | None:
        details = [
            {"param": slug, "description": f"Field '{slug}' has a wrong value"}
            for slug, value in data.items()
            if not self._fits(_KINDS.get(slug, ""), value)
        ]
        if any(item["fieldData"]["slug"] == data.get("slug") for item in items.values()):
            said = f"Unique value is already in database: '{data['slug']}'"
            details.append({"param": "slug", "description": said})
        return problem(400, "validation_error", "Validation Error", details) if details else None

    def _fits(self, kind: str, value: Any) -> bool:
        match kind:
            case "Image":
                return isinstance(value, dict) and set(value) <= {"fileId", "url", "alt"} and "url" in value
            case "MultiReference":
                return isinstance(value, list) and all(id in self.items[TAGS] for id in value)
            case "Option":
                return value in ("option-energy", "option-water", None)
            case "Number":
                return isinstance(value, int | float)
            case "Switch":
                return isinstance(value, bool)
            case "PlainText" | "RichText" | "Link":
                return isinstance(value, str)
        return False

    def _publish(self, items: dict[str, dict[str, Any]], ids: list[str]) -> httpx.Response:
        if self.publishing_fails:
            return httpx.Response(202, json={"publishedItemIds": [], "errors": [f"{ids[0]}: reference is a draft"]})
        for id in ids:
            items[id] |= {"lastPublished": MOMENT.isoformat(), "isDraft": False, "live": dict(items[id]["fieldData"])}
        return httpx.Response(202, json={"publishedItemIds": ids, "errors": []})

    def makes_a_post(self, request: httpx.Request) -> bool:
        return request.method == "POST" and request.url.path.removesuffix("/live") == f"/v2/collections/{POSTS}/items"

    def posts(self) -> list[VendorPost]:
        return [self._as_post(item) for item in self.items[POSTS].values()]

    def _as_post(self, item: dict[str, Any]) -> VendorPost:
        data = item["live"] or item["fieldData"]
        status = PostStatus.PUBLISHED if item["lastPublished"] else PostStatus.DRAFT
        body = re.sub(r"<pre>.*?</pre>", "", data.get("post-body", ""), flags=re.DOTALL)
        tags = tuple(self.items[TAGS][id]["fieldData"]["name"] for id in data.get("tags", ()))
        return VendorPost(item["id"], data["name"], body, status, data["slug"], tags)

    def remove(self, id: str) -> None:
        del self.items[POSTS][id]

    def edit(self, id: str) -> None:
        self.items[POSTS][id]["fieldData"]["name"] += " by hand"

    def invalid(self) -> httpx.Response:
        return problem(400, "validation_error", "Validation Error", [{"param": "name", "description": "is too long"}])

    def busy(self) -> httpx.Response:
        answer = problem(429, "too_many_requests", "Too Many Requests")
        answer.headers["Retry-After"] = "60"
        return answer


def with_map(vendor: Webflow, wire: Wire, **fields: str) -> Publisher:
    return PROVIDER.connect(vendor.credentials, {"fieldMap": fields}, make_client(transport=wire), lambda: MOMENT)


class TestWebflow(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Webflow:
        return Webflow()

    async def test_the_mapped_fields_are_filled(self, vendor: Webflow, publisher: Publisher) -> None:
        made = await publisher.create(a_post(options=vendor.options, categories=("Fire", "water")))
        data = vendor.items[POSTS][made.id]["fieldData"]
        assert data["post-summary"] == "What heat pumps cost in winter."
        assert data["main-image"] == {"url": "https://example.com/hero.jpg", "alt": "A heat pump in the snow"}
        assert data["canonical"] == "https://example.com/heat-pumps"
        assert (data["seo-title"], data["seo-text"]) == ("Heat pumps", "Heat pumps in winter")
        assert (data["featured"], data["minutes"]) == (True, 7.0)
        assert data["section"] == "option-water"
        assert made.url == "https://heat.example/posts/heat-pumps-in-winter"

    async def test_code_survives_as_paragraphs(self, vendor: Webflow, publisher: Publisher) -> None:
        await publisher.create(a_post())
        [held] = vendor.posts()
        assert "42 &lt; 43" in held.body

    async def test_tags_are_items_that_are_made_when_missing(self, vendor: Webflow, publisher: Publisher) -> None:
        await publisher.create(a_post(tags=("winter",)))
        await publisher.create(a_post(slug="another", tags=("winter", "new", "new")))
        assert [item["fieldData"]["name"] for item in vendor.items[TAGS].values()] == ["winter", "new"]
        assert [held.tags for held in vendor.posts()] == [("winter",), ("winter", "new")]

    async def test_a_tag_without_an_answer_is_no_post(self, vendor: Webflow, wire: Wire, publisher: Publisher) -> None:
        vendor.makes_a_post = lambda request: request.method == "POST"  # type: ignore[method-assign]
        wire.fault = silent_after
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
        assert not failure.value.outcome_unknown
        assert (await publisher.create(a_post())).status is PostStatus.PUBLISHED
        assert len(vendor.posts()) == 1
        assert len(vendor.items[TAGS]) == 2

    async def test_terms_in_a_text_field_are_a_list(self, vendor: Webflow, wire: Wire) -> None:
        made = await with_map(vendor, wire, tags="post-summary").create(a_post())
        assert vendor.items[POSTS][made.id]["fieldData"]["post-summary"] == "heat pumps, winter"

    async def test_without_a_mapping_the_only_rich_text_is_the_body(self, vendor: Webflow, wire: Wire) -> None:
        publisher = with_map(vendor, wire)
        assert await publisher.test() == 'Collection "Posts" of the site "Heat"'
        await publisher.create(a_post())
        [item] = vendor.items[POSTS].values()
        assert set(item["fieldData"]) == {"name", "slug", "post-body"}

    async def test_a_plain_body_is_markdown(self, vendor: Webflow, wire: Wire) -> None:
        made = await with_map(vendor, wire, body="post-summary").create(a_post())
        assert "## Sizes and prices" in vendor.items[POSTS][made.id]["fieldData"]["post-summary"]

    async def test_our_key_tells_ones_own_item_from_anothers(self, vendor: Webflow, wire: Wire) -> None:
        publisher = with_map(vendor, wire, externalKey="contentgen-key")
        made = await publisher.create(a_post())
        assert await publisher.find(a_post(title="Renamed meanwhile")) == made
        assert await publisher.find(a_post(external_key="contentgen-other")) is None

    async def test_a_strangers_item_of_the_same_slug_is_not_taken_for_ours(self, publisher: Publisher) -> None:
        await publisher.create(a_post(title="A stranger's"))
        assert await publisher.find(a_post()) is None
        with pytest.raises(PublishFailed, match="slug: Unique value is already in database") as failure:
            await publisher.create(a_post())
        assert failure.value.refusal is Refusal.CONFLICT
        assert failure.value.outcome_unknown

    async def test_an_item_that_waits_for_the_whole_site_is_not_public(
        self, vendor: Webflow, publisher: Publisher
    ) -> None:
        made = await publisher.create(a_post(status=PostStatus.DRAFT))
        assert vendor.items[POSTS][made.id]["isDraft"] is True
        vendor.items[POSTS][made.id]["isDraft"] = False
        seen = await publisher.read(made.id)
        assert seen is not None
        assert (seen.status, seen.url) == (PostStatus.DRAFT, None)

    async def test_a_new_text_as_a_draft_leaves_the_public_item(self, vendor: Webflow, publisher: Publisher) -> None:
        made = await publisher.create(a_post())
        waiting = await publisher.update(made.id, a_post(title="New", status=PostStatus.DRAFT))
        assert waiting.status is PostStatus.PUBLISHED
        assert vendor.posts()[0].title == a_post().title

    async def test_an_item_that_webflow_does_not_publish_says_why(self, vendor: Webflow, publisher: Publisher) -> None:
        made = await publisher.create(a_post(status=PostStatus.DRAFT))
        vendor.publishing_fails = True
        with pytest.raises(PublishFailed, match="reference is a draft") as failure:
            await publisher.update(made.id, a_post())
        assert failure.value.refusal is Refusal.INVALID

    async def test_a_slug_of_other_letters_is_written_in_those_webflow_takes(
        self, vendor: Webflow, publisher: Publisher
    ) -> None:
        post = evolve(a_post(), slug="wärme/pumpe 1")
        made = await publisher.create(post)
        assert vendor.items[POSTS][made.id]["fieldData"]["slug"] == "warme-pumpe-1"
        assert await publisher.find(post) == made

    async def test_without_the_sites_address_there_is_no_link(self, vendor: Webflow, wire: Wire) -> None:
        credentials = {"apiToken": TOKEN, "collectionId": POSTS}
        assert (await connect(vendor, wire, credentials).create(a_post())).url is None

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"excerpt": "nothing"}, "no field 'nothing' for excerpt; it has: name"),
            ({"excerpt": "color"}, "'color' is of the kind Color"),
        ],
    )
    async def test_a_mapping_that_does_not_fit_is_told_before_the_call(
        self, vendor: Webflow, wire: Wire, fields: dict[str, str], said: str
    ) -> None:
        with pytest.raises(PublishFailed, match=said) as failure:
            await with_map(vendor, wire, **fields).create(a_post())
        assert failure.value.refusal is Refusal.INVALID
        assert all(request.method == "GET" for request in wire.requests)

    @pytest.mark.parametrize("fields", [{"nothing": "x"}, {"minutes": "seven"}])
    async def test_further_fields_that_do_not_fit_are_told(self, publisher: Publisher, fields: dict[str, str]) -> None:
        with pytest.raises(PublishFailed, match=next(iter(fields))):
            await publisher.create(a_post(options={"fields": fields}))

    async def test_what_can_be_filled_besides_is_listed(self, publisher: Publisher) -> None:
        [fields] = await publisher.options()
        assert [choice.value for choice in fields.choices] == ["contentgen-key", "featured", "minutes", "color"]

    async def test_wrong_ids_are_answered_with_those_there_are(self, vendor: Webflow, wire: Wire) -> None:
        elsewhere = {**vendor.credentials, "collectionId": "6400000000000000000000ff"}
        with pytest.raises(PublishFailed, match=rf"Posts \({POSTS}\)"):
            await connect(vendor, wire, elsewhere).test()
        with pytest.raises(PublishFailed, match="no such collection") as failure:
            await connect(vendor, wire, elsewhere).update("item0", a_post())
        assert failure.value.refusal is Refusal.INVALID
        vendor.sites.append({"id": "site2", "displayName": "Cold", "shortName": "cold", "customDomains": []})
        with pytest.raises(PublishFailed, match=r"Heat \(site1\), Cold \(site2\)"):
            await connect(vendor, wire).test()

    def test_a_mapping_of_unknown_parts_is_refused(self, vendor: Webflow, wire: Wire) -> None:
        with pytest.raises(InvalidInput, match=r"settings\.fieldMap"):
            with_map(vendor, wire, boddy="post-body")
        with pytest.raises(InvalidInput, match=r"credentials\.collectionId"):
            connect(vendor, wire, {**vendor.credentials, "collectionId": "../sites"})

    async def test_a_title_over_the_limit_is_told_before_the_call(self, wire: Wire, publisher: Publisher) -> None:
        with pytest.raises(PublishFailed, match="256"):
            await publisher.create(a_post(title="x" * 257))
        assert not wire.requests
