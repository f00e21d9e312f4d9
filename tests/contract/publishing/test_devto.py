"""dev.to as Forem's API v1 answers, and what is particular to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

import httpx
import msgspec
import pytest
from attrs import evolve

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.devto import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, VendorPost, Wire, a_post, connect
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import LookupUnsupported, Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT

KEY = "devto-key-1234567890"
OTHERS = 4711
"""The number of an organisation."""


def problem(status: int, error: str) -> httpx.Response:
    return httpx.Response(status, json={"error": error, "status": status})


class DevTo:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"apiKey": KEY}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {"apiKey": "devto-key-of-nobody"}
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {"series": "Heat at home"}

    def __init__(self) -> None:
        self.articles: dict[int, dict[str, Any]] = {}
        self.same_titles_are_refused = False

    def answer(self, request: httpx.Request) -> httpx.Response:
        if "user-agent" not in request.headers:
            return httpx.Response(403, text="Forbidden Bots")
        if request.headers["accept"] != "application/vnd.forem.api-v1+json":
            return problem(406, "the service would answer in an older form")
        path = request.url.path.removeprefix("/api")
        if path.startswith("/organizations/"):
            return httpx.Response(
                200, json={"type_of": "organization", "id": OTHERS, "username": "heat", "name": "Heat"}
            )
        if request.headers.get("api-key") != KEY:
            return problem(401, "unauthorized")
        match request.method, path:
            case "GET", "/users/me":
                return httpx.Response(200, json={"type_of": "user", "id": 1, "username": "ada", "name": "Ada"})
            case "GET", "/articles/me/all":
                return self._list(request)
            case "POST", "/articles":
                return self._saved(None, request)
            case "PUT", _:
                return self._saved(int(path.removeprefix("/articles/")), request)
        return problem(404, "not found")

    def _list(self, request: httpx.Request) -> httpx.Response:
        page, size = (int(request.url.params[name]) for name in ("page", "per_page"))
        newest = sorted(self.articles.values(), key=lambda article: -article["id"])
        shown = [{**article, "published": self._is_public(article)} for article in newest]
        return httpx.Response(200, json=shown[(page - 1) * size : page * size])

    def _saved(self, id: int | None, request: httpx.Request) -> httpx.Response:
        sent = msgspec.json.decode(request.content)["article"]
        if id is not None and id not in self.articles:
            return problem(404, "not found")
        if sent == {"published": False} and id is not None:
            self.articles[id]["published_at"] = None
            return httpx.Response(200, json={**self.articles[id], "published": False})
        if (fault := self._fault(id, sent)) is not None:
            return problem(422, fault)
        old = self.articles.get(id or 0, {"published_at": None})
        id = id or len(self.articles) + 101
        at = sent.get("published_at") or old["published_at"] or MOMENT.isoformat()
        article = {
            **old,
            **{name: value for name, value in sent.items() if name not in ("tags", "published", "organization_id")},
            "type_of": "article",
            "id": id,
            "slug": f"an-article-{id}",
            "url": f"https://dev.to/ada/an-article-{id}",
            "published_at": at if sent["published"] else None,
            "tag_list": sent["tags"],
        }
        if sent.get("organization_id") == OTHERS:
            article["organization"] = {"name": "Heat", "username": "heat", "slug": "heat"}
        self.articles[id] = article
        return httpx.Response(201, json=article, headers={"Location": article["url"]})

    def _fault(self, id: int | None, sent: dict[str, Any]) -> str | None:
        others = [article for article in self.articles.values() if article["id"] != id]
        if len(sent["tags"]) > 4:
            return "Validation failed: Tag list exceed the maximum of 4 tags"
        if any(not tag.isalnum() for tag in sent["tags"]):
            return "Validation failed: Tag contains non-alphanumeric or prohibited unicode characters"
        if sent["body_markdown"].startswith("---"):
            return "Validation failed: Front matter overrides the fields"
        canonical = sent.get("canonical_url")
        if canonical and any(article.get("canonical_url") == canonical for article in others):
            return "Validation failed: Canonical url has already been taken"
        if self.same_titles_are_refused and any(article["title"] == sent["title"] for article in others):
            return "Validation failed: Title has already been used in the last five minutes"
        if id in self.articles and sent.get("published_at") and self._is_out(self.articles[id]):
            return "Validation failed: Published at updating published_at for articles that have already been published"
        return None

    def _is_out(self, article: dict[str, Any]) -> bool:
        return self._status(article) is PostStatus.PUBLISHED

    def _is_public(self, article: dict[str, Any]) -> bool:
        return article["published_at"] is not None

    def makes_a_post(self, request: httpx.Request) -> bool:
        return request.method == "POST"

    def posts(self) -> list[VendorPost]:
        return [
            VendorPost(str(a["id"]), a["title"], a["body_markdown"], self._status(a), a["slug"], tuple(a["tag_list"]))
            for a in self.articles.values()
        ]

    def _status(self, article: dict[str, Any]) -> PostStatus:
        at = article["published_at"]
        if at is None:
            return PostStatus.DRAFT
        return PostStatus.SCHEDULED if datetime.fromisoformat(at) > MOMENT else PostStatus.PUBLISHED

    def remove(self, id: str) -> None:
        del self.articles[int(id)]

    def edit(self, id: str) -> None:
        self.articles[int(id)]["body_markdown"] += "\n\nBy hand.\n"

    def invalid(self) -> httpx.Response:
        return problem(422, "Validation failed: Title is too long (maximum is 128 characters)")

    def busy(self) -> httpx.Response:
        return httpx.Response(429, json={"error": "Rate limit reached", "status": 429}, headers={"Retry-After": "30"})


class TestDevTo(ProviderContract):
    @pytest.fixture
    def vendor(self) -> DevTo:
        return DevTo()

    async def test_an_article_has_all_that_dev_to_takes(self, vendor: DevTo, publisher: Publisher) -> None:
        post = a_post(tags=("Heat pumps", "winter!", "Wärme", "C++", "fifth", "x" * 50), options=vendor.options)
        await publisher.create(post)
        [article] = vendor.articles.values()
        assert article["tag_list"] == ["heatpumps", "winter", "warme", "c"]
        assert article["main_image"] == "https://example.com/hero.jpg"
        assert article["canonical_url"] == "https://example.com/heat-pumps"
        assert article["description"] == "What heat pumps cost in winter."
        assert article["series"] == "Heat at home"

    async def test_liquid_tags_are_text(self, vendor: DevTo, publisher: Publisher) -> None:
        await publisher.create(a_post(markdown="So {% user ada %} and {{ x }}, but `{% code %}`"))
        [held] = vendor.posts()
        assert "{% user" not in held.body
        assert "`{% code %}`" in held.body

    async def test_without_a_canonical_address_an_article_is_found_by_its_title(
        self, vendor: DevTo, publisher: Publisher
    ) -> None:
        post = a_post(canonical_url=None)
        made = await publisher.create(post)
        assert await publisher.find(post) == made
        assert await publisher.find(evolve(post, title="Another")) is None

    async def test_all_pages_of_ones_articles_are_looked_through(self, vendor: DevTo, publisher: Publisher) -> None:
        for number in range(120):
            await publisher.create(a_post(title=f"Title {number}", canonical_url=None, tags=()))
        found = await publisher.find(a_post(title="Title 0", canonical_url=None))
        assert found is not None
        assert found.id == "101"

    async def test_after_two_thousand_articles_nobody_can_tell(self, vendor: DevTo, publisher: Publisher) -> None:
        made = await publisher.create(a_post(canonical_url=None))
        vendor.articles |= {n: {**vendor.articles[int(made.id)], "id": n, "title": "x"} for n in range(1000, 3000)}
        with pytest.raises(LookupUnsupported):
            await publisher.read(made.id)

    @pytest.mark.parametrize("canonical", ["https://example.com/heat-pumps", None])
    async def test_an_article_that_is_there_already_is_perhaps_ours(
        self, vendor: DevTo, publisher: Publisher, canonical: str | None
    ) -> None:
        vendor.same_titles_are_refused = True
        await publisher.create(a_post(canonical_url=canonical))
        with pytest.raises(PublishFailed, match="already been") as failure:
            await publisher.create(a_post(canonical_url=canonical))
        assert failure.value.refusal is Refusal.CONFLICT
        assert failure.value.outcome_unknown
        assert not failure.value.retryable

    async def test_a_scheduled_article_can_be_published_now(self, vendor: DevTo, publisher: Publisher) -> None:
        at = MOMENT + timedelta(days=2)
        made = await publisher.create(a_post(status=PostStatus.SCHEDULED, scheduled_for=at))
        assert (made.status, made.url) == (PostStatus.SCHEDULED, None)
        assert vendor.articles[int(made.id)]["published_at"] == "2026-03-12T12:00:00Z"
        assert (await publisher.update(made.id, a_post())).status is PostStatus.PUBLISHED

    async def test_the_date_of_a_published_article_is_left_alone(self, vendor: DevTo, publisher: Publisher) -> None:
        made = await publisher.create(a_post())
        before = vendor.articles[int(made.id)]["published_at"]
        await publisher.update(made.id, a_post(title="New"))
        assert vendor.articles[int(made.id)]["published_at"] == before

    @pytest.mark.parametrize(
        ("changes", "limit"), [({"title": "x" * 129}, "128"), ({"markdown": "ü" * 450_000}, "819,200")]
    )
    async def test_what_is_too_long_is_told_before_the_call(
        self, wire: Wire, publisher: Publisher, changes: dict[str, Any], limit: str
    ) -> None:
        with pytest.raises(PublishFailed, match=limit) as failure:
            await publisher.create(a_post(**changes))
        assert failure.value.refusal is Refusal.INVALID
        assert not wire.requests

    async def test_organisations_are_those_of_ones_articles(self, vendor: DevTo, publisher: Publisher) -> None:
        await publisher.create(a_post(options={"organizationId": str(OTHERS)}))
        [organisation] = await publisher.options()
        assert [(choice.value, choice.label) for choice in organisation.choices] == [(str(OTHERS), "Heat")]

    async def test_an_organisation_is_a_number(self, vendor: DevTo, wire: Wire, publisher: Publisher) -> None:
        with pytest.raises(InvalidInput, match=r"credentials\.organizationId"):
            connect(vendor, wire, {"apiKey": KEY, "organizationId": "heat"})
        with pytest.raises(PublishFailed, match="organizationId"):
            await publisher.create(a_post(options={"organizationId": "heat"}))
        await connect(vendor, wire, {"apiKey": KEY, "organizationId": "4711"}).create(a_post())
        assert [article["organization"]["slug"] for article in vendor.articles.values()] == ["heat"]

    async def test_every_call_names_the_product_and_the_version(self, wire: Wire, publisher: Publisher) -> None:
        assert await publisher.test() == "dev.to, as Ada"
        [request] = wire.requests
        assert request.headers["user-agent"].startswith("contentgen")
        assert request.url == "https://dev.to/api/users/me"
