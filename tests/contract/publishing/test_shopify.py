"""A shop as Shopify's GraphQL Admin API answers (status 200 with `errors` or `userErrors`), and what is particular."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar
from urllib.parse import parse_qs

import httpx
import msgspec
import pytest

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.shopify import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, VendorPost, Wire, a_post, connect
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.pictures_support import form_of

TOKEN = "shpat_1234567890abcdef"
APP_TOKEN = "shpca_fedcba0987654321"
SECRET = "shpss_app-secret-123456"
NEWS, TIPS = "gid://shopify/Blog/11", "gid://shopify/Blog/12"
BLOGS = {NEWS: {"id": NEWS, "handle": "news", "title": "News"}, TIPS: {"id": TIPS, "handle": "tips", "title": "Tips"}}
_FIELDS = {"blogId", "title", "author", "handle", "body", "summary", "image", "tags", "isPublished", "publishDate",
           "templateSuffix", "metafields"}  # fmt: skip


def data(**fields: Any) -> httpx.Response:
    return httpx.Response(200, json={"data": fields, "extensions": {"cost": {"requestedQueryCost": 10}}})


def refused(name: str, code: str, message: str, *path: str) -> httpx.Response:
    return data(**{name: {"article": None, "userErrors": [{"code": code, "field": [*path], "message": message}]}})


class Shop:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"shopDomain": "heat.myshopify.com", "adminAccessToken": TOKEN}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {
        "shopDomain": "heat.myshopify.com",
        "adminAccessToken": "shpat_of_nobody_at_all",
    }
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {"templateSuffix": "wide"}

    def __init__(self) -> None:
        self.articles: dict[str, dict[str, Any]] = {}
        self.blogs = BLOGS
        self.scopes = {"read_content", "write_content", "write_files"}
        self.tokens_given = 0
        self.files: dict[str, dict[str, Any]] = {}
        self.stored: dict[str, bytes] = {}

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "store.example":
            return self._store(request)
        if request.url.host != "heat.myshopify.com":
            return httpx.Response(404, json={"errors": "Not Found"})
        if request.url.path == "/admin/oauth/access_token":
            return self._token(request)
        if request.url.path != "/admin/api/2026-10/graphql.json":
            return httpx.Response(404, json={"errors": "Not Found"})
        if request.headers.get("x-shopify-access-token") not in (TOKEN, APP_TOKEN):
            message = "[API] Invalid API key or access token (unrecognized login or wrong password)"
            return httpx.Response(401, json={"errors": message})
        sent = msgspec.json.decode(request.content)
        return self._graphql(sent["query"], sent["variables"])

    def _token(self, request: httpx.Request) -> httpx.Response:
        form = parse_qs(request.content.decode())
        assert request.headers["content-type"] == "application/x-www-form-urlencoded"
        if form != {"grant_type": ["client_credentials"], "client_id": ["app"], "client_secret": [SECRET]}:
            return httpx.Response(400, json={"error": "invalid_request", "error_description": "wrong client secret"})
        self.tokens_given += 1
        answer = {"access_token": APP_TOKEN, "scope": ",".join(self.scopes), "expires_in": 86399}
        return httpx.Response(200, json=answer)

    def _graphql(self, text: str, variables: dict[str, Any]) -> httpx.Response:
        if ("write" if text.startswith("mutation") else "read") + "_content" not in self.scopes:
            error = {"message": "Access denied for articles field.", "extensions": {"code": "ACCESS_DENIED"}}
            return httpx.Response(200, json={"errors": [error], "data": None})
        if "stagedUploadsCreate(" in text or "fileCreate(" in text or "node(id" in text:
            return self._file(text, variables)
        if "shop {" in text:
            shop = {"name": "Heat Shop", "primaryDomain": {"url": "https://heat.example", "host": "heat.example"}}
            return data(shop=shop, blogs={"nodes": [*self.blogs.values()]})
        if "articles(" in text:
            handle, _, blog = variables["query"].removeprefix("handle:").partition(" AND blog_id:")
            in_blog = [a for a in self.articles.values() if a["blogId"].endswith(f"/{blog}")]
            near = [a for a in in_blog if a["handle"].startswith(handle.strip('"'))]
            return data(articles={"nodes": [self._shown(article) for article in near]})
        if "article(id" in text:
            article = self.articles.get(variables["id"])
            return data(article=article and self._shown(article))
        if "articleDelete(" in text:
            if self.articles.pop(variables["id"], None) is None:
                return refused("articleDelete", "NOT_FOUND", "Article does not exist", "id")
            return data(articleDelete={"deletedArticleId": variables["id"], "userErrors": []})
        return self._create(variables) if "articleCreate(" in text else self._update(variables)

    def _file(self, text: str, variables: dict[str, Any]) -> httpx.Response:
        if "write_files" not in self.scopes:
            error = {"message": "Access denied for stagedUploadsCreate.", "extensions": {"code": "ACCESS_DENIED"}}
            return httpx.Response(200, json={"errors": [error], "data": None})
        if "stagedUploadsCreate(" in text:
            [asked] = variables["input"]
            assert asked["resource"] == "IMAGE"
            parameters = [{"name": "key", "value": asked["filename"]}, {"name": "policy", "value": "p=="}]
            place = {"url": "https://store.example/", "resourceUrl": f"https://store.example/{asked['filename']}"}
            target = {**place, "parameters": parameters}
            return data(stagedUploadsCreate={"stagedTargets": [target], "userErrors": []})
        if "fileCreate(" in text:
            [file] = variables["files"]
            assert file["originalSource"].removeprefix("https://store.example/") in self.stored
            self.files[f"gid://shopify/MediaImage/{len(self.files)}"] = file | {"looks": 1}
            return data(fileCreate={"files": [{"id": [*self.files][-1]}], "userErrors": []})
        file = self.files[variables["id"]]
        file["looks"] -= 1
        if file["looks"] >= 0:
            return data(node={"fileStatus": "PROCESSING", "image": None})
        return data(node={"fileStatus": "READY", "image": {"url": f"https://cdn.example/{file['filename']}?v=1&w=2"}})

    def _store(self, request: httpx.Request) -> httpx.Response:
        assert "x-shopify-access-token" not in request.headers
        form = form_of(request)
        assert list(form) == ["key", "policy", "file"]
        self.stored[form["key"].content.decode()] = form["file"].content
        return httpx.Response(201, text="<PostResponse/>")

    def _create(self, variables: dict[str, Any]) -> httpx.Response:
        given = variables["article"]
        assert set(given) <= _FIELDS
        if given.get("blogId") not in self.blogs:
            return refused("articleCreate", "NOT_FOUND", "Must reference an existing blog.", "article", "blogId")
        if not given.get("author", {}).get("name"):
            return refused("articleCreate", "AUTHOR_FIELD_REQUIRED", "Can't be blank", "article", "author")
        same = (a["blogId"] == given["blogId"] and a["handle"] == given["handle"] for a in self.articles.values())
        if any(same):
            return refused("articleCreate", "TAKEN", "Handle has already been taken", "article", "handle")
        if given.get("isPublished") and given.get("publishDate"):
            return refused("articleCreate", "INVALID_PUBLISH_DATE", "Can't set isPublished", "article", "isPublished")
        id = f"gid://shopify/Article/{len(self.articles) + 501}"
        self.articles[id] = self._held({"id": id}, given)
        return data(articleCreate={"article": self._shown(self.articles[id]), "userErrors": []})

    def _update(self, variables: dict[str, Any]) -> httpx.Response:
        given = variables["article"]
        assert set(given) <= _FIELDS | {"redirectNewHandle"}
        if variables["id"] not in self.articles:
            return refused("articleUpdate", "NOT_FOUND", "Article does not exist", "id")
        article = self._held(self.articles[variables["id"]], given)
        self.articles[variables["id"]] = article
        return data(articleUpdate={"article": self._shown(article), "userErrors": []})

    def _held(self, old: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        at = given.get("publishDate", old.get("publishedAt"))
        public = given.get("isPublished", at is None)
        if public and (at is None or datetime.fromisoformat(at) > MOMENT):
            at = MOMENT.isoformat()
        return {**old, **given, "publishedAt": at, "isPublished": public}

    def _shown(self, article: dict[str, Any]) -> dict[str, Any]:
        marks = {f"{m['namespace']}.{m['key']}": m["value"] for m in article["metafields"]}
        mark = marks.get("contentgen.external_key")
        shown = {name: article[name] for name in ("id", "title", "body", "handle", "isPublished", "publishedAt")}
        blog = {"handle": self.blogs[article["blogId"]]["handle"]}
        return {**shown, "blog": blog, "metafield": {"value": mark} if mark else None}

    def makes_a_post(self, request: httpx.Request) -> bool:
        return b"articleCreate(" in request.content

    def posts(self) -> list[VendorPost]:
        return [
            VendorPost(a["id"], a["title"], a["body"], self._status(a), a["handle"], tuple(a["tags"]))
            for a in self.articles.values()
        ]

    def _status(self, article: dict[str, Any]) -> PostStatus:
        if article["isPublished"]:
            return PostStatus.PUBLISHED
        at = article["publishedAt"]
        return PostStatus.SCHEDULED if at and datetime.fromisoformat(at) > MOMENT else PostStatus.DRAFT

    def remove(self, id: str) -> None:
        del self.articles[id]

    def edit(self, id: str) -> None:
        self.articles[id]["body"] += "<p>By hand.</p>"

    def invalid(self) -> httpx.Response:
        return refused("articleCreate", "TOO_LONG", "Title is too long (maximum is 255 characters)", "article", "title")

    def busy(self) -> httpx.Response:
        status = {"maximumAvailable": 2000.0, "currentlyAvailable": 10, "restoreRate": 100.0}
        return httpx.Response(
            200,
            json={
                "errors": [{"message": "Throttled", "extensions": {"code": "THROTTLED"}}],
                "extensions": {"cost": {"requestedQueryCost": 510, "actualQueryCost": None, "throttleStatus": status}},
            },
        )


APP = {"shopDomain": "heat", "clientId": "app", "clientSecret": SECRET}


class TestShopify(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Shop:
        return Shop()

    async def test_an_article_has_all_that_shopify_takes(self, vendor: Shop, publisher: Publisher) -> None:
        made = await publisher.create(a_post(tags=("heat, pumps", "winter"), excerpt="5 < 6", options=vendor.options))
        [held] = vendor.articles.values()
        assert held["tags"] == ["heat pumps", "winter"]
        assert held["author"] == {"name": "Heat Shop"}
        assert held["summary"] == "5 &lt; 6"
        assert held["image"] == {"url": "https://example.com/hero.jpg", "altText": "A heat pump in the snow"}
        assert held["templateSuffix"] == "wide"
        values = {f"{m['namespace']}.{m['key']}": m["value"] for m in held["metafields"]}
        assert values["global.title_tag"] == "Heat pumps"
        assert values["global.description_tag"] == "Heat pumps in winter"
        assert made.url == "https://heat.example/blogs/news/heat-pumps-in-winter"

    async def test_a_scheduled_article_has_a_date_and_no_address_yet(self, vendor: Shop, publisher: Publisher) -> None:
        post = a_post(status=PostStatus.SCHEDULED, scheduled_for=MOMENT + timedelta(days=2))
        made = await publisher.create(post)
        assert made.url is None
        [held] = vendor.articles.values()
        assert held["publishDate"] == "2026-03-12T12:00:00Z"
        for changed in (post, a_post(status=PostStatus.DRAFT), post, a_post()):
            assert (await publisher.update(made.id, changed)).status is changed.status

    async def test_an_apps_token_is_got_once_for_as_long_as_it_lasts(self, vendor: Shop) -> None:
        now = [MOMENT]
        wire = Wire(vendor)
        publisher = PROVIDER.connect(APP, {}, make_client(transport=wire), lambda: now[0])
        assert await publisher.test() == 'Blog "News" of Heat Shop'
        made = await publisher.create(a_post())
        assert vendor.tokens_given == 1
        now[0] += timedelta(hours=24)
        assert await publisher.read(made.id) == made
        assert vendor.tokens_given == 2
        assert APP_TOKEN not in repr(publisher)
        assert SECRET not in repr(publisher)

    async def test_a_wrong_client_secret_is_told_as_such(self, vendor: Shop, wire: Wire) -> None:
        publisher = connect(vendor, wire, {**APP, "clientSecret": "shpss_wrong-secret"})
        for asked in (publisher.test(), publisher.create(a_post())):
            with pytest.raises(PublishFailed) as failure:
                await asked
            assert failure.value.refusal is Refusal.CREDENTIALS
            assert not failure.value.outcome_unknown
            assert "wrong-secret" not in str(failure.value)

    async def test_the_apps_token_is_in_no_message(self, vendor: Shop, wire: Wire) -> None:
        wire.fault = lambda answer, request: httpx.Response(200, json={"errors": f"no {APP_TOKEN} {SECRET}"})
        with pytest.raises(PublishFailed) as failure:
            await connect(vendor, wire, APP).create(a_post())
        assert APP_TOKEN not in str(failure.value)
        assert SECRET not in str(failure.value)

    async def test_the_wait_after_being_throttled_is_that_for_the_missing_points(
        self, vendor: Shop, wire: Wire, publisher: Publisher
    ) -> None:
        wire.fault = lambda answer, request: vendor.busy()
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
        assert failure.value.retry_after == 5.0

    async def test_a_handle_that_is_taken_is_perhaps_ours(self, publisher: Publisher) -> None:
        await publisher.create(a_post())
        with pytest.raises(PublishFailed, match=r"article\.handle: Handle has already been taken") as failure:
            await publisher.create(a_post())
        assert failure.value.refusal is Refusal.CONFLICT
        assert failure.value.outcome_unknown

    async def test_a_strangers_article_of_the_same_handle_is_not_taken_for_ours(
        self, vendor: Shop, publisher: Publisher
    ) -> None:
        made = await publisher.create(a_post())
        assert await publisher.find(a_post(title="Renamed meanwhile")) == made
        assert await publisher.find(a_post(external_key="contentgen-other")) is None
        vendor.articles[made.id]["metafields"] = []
        assert await publisher.find(a_post()) == made
        assert await publisher.find(a_post(title="Another")) is None

    async def test_another_blog_can_be_chosen(self, vendor: Shop, wire: Wire, publisher: Publisher) -> None:
        [blogs] = await publisher.options()
        assert [(choice.value, choice.label) for choice in blogs.choices] == [(NEWS, "News"), (TIPS, "Tips")]
        chosen = a_post(options={"blogId": TIPS})
        made = await publisher.create(chosen)
        assert made.url == "https://heat.example/blogs/tips/heat-pumps-in-winter"
        assert await publisher.find(chosen) == made
        assert await publisher.find(a_post()) is None
        usual = connect(vendor, wire, {**vendor.credentials, "blogId": "12"})
        assert await usual.test() == 'Blog "Tips" of Heat Shop'

    async def test_a_blog_that_is_not_there_is_answered_with_those_there_are(
        self, vendor: Shop, publisher: Publisher
    ) -> None:
        with pytest.raises(PublishFailed, match=r"News \(11\), Tips \(12\)") as failure:
            await publisher.create(a_post(options={"blogId": "13"}))
        assert failure.value.refusal is Refusal.INVALID

    async def test_a_shop_without_a_blog_says_so(self, vendor: Shop, publisher: Publisher) -> None:
        vendor.blogs = {}
        with pytest.raises(PublishFailed, match="no blog yet"):
            await publisher.test()

    async def test_a_missing_scope_is_named(self, vendor: Shop, publisher: Publisher) -> None:
        vendor.scopes = {"read_content"}
        with pytest.raises(PublishFailed, match="write_content") as failure:
            await publisher.create(a_post())
        assert failure.value.refusal is Refusal.PERMISSION

    async def test_a_wrong_shop_is_no_deleted_article(self, vendor: Shop, wire: Wire) -> None:
        elsewhere = connect(vendor, wire, {**vendor.credentials, "shopDomain": "cold"})
        with pytest.raises(PublishFailed) as failure:
            await elsewhere.update("gid://shopify/Article/1", a_post())
        assert failure.value.refusal is Refusal.INVALID

    @pytest.mark.parametrize(
        ("field", "changes"),
        [
            ("shopDomain", {"shopDomain": "shop.example.com"}),
            ("shopDomain", {"shopDomain": "heat.myshopify.com.evil.example"}),
            ("clientSecret", {"adminAccessToken": ""}),
            ("clientSecret", {"adminAccessToken": "", "clientId": "app"}),
            ("blogId", {"blogId": "news"}),
        ],
    )
    def test_credentials_of_another_form_are_refused(
        self, vendor: Shop, wire: Wire, field: str, changes: dict[str, str]
    ) -> None:
        with pytest.raises(InvalidInput, match=rf"credentials\.{field}"):
            connect(vendor, wire, {**vendor.credentials, **changes})
