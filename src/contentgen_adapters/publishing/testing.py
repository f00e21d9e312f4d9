"""The contract of a publishing provider, for whoever writes one.

Inherit from `ProviderContract` and give it a fixture `vendor`: a small stand-in of the service, which keeps posts as
the service does. No network is used.

    class TestMine(ProviderContract):
        @pytest.fixture
        def vendor(self) -> Vendor:
            return MyVendor()
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, Protocol
from xml.etree import ElementTree

import httpx
import pytest
from attrs import define, evolve, field, frozen

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import Feature, Post, PostSource, RemotePost
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.publishing import check_fields
from contentgen_core.ports.publishing import LookupUnsupported, Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT

BODY: Final = """Heat pumps move heat [1]. *Winter* matters [2].

## Sizes and prices

- a house of 120 m²
- a flat

| Size | Price |
|------|-------|
| 5 kW | 9,000 |

```python
print("42 < 43 & true")
```

![A heat pump](https://example.com/pump.png)

Read [more](https://example.com/more) about „Wärme“ 🌡.
"""


@frozen
class VendorPost:
    """A post as the service has it. `body`: its text in the service's own form, flattened to a text."""

    id: str
    title: str
    body: str
    status: PostStatus
    slug: str | None = None
    tags: tuple[str, ...] = ()


class Vendor(Protocol):
    """A stand-in of the service. `provider`: under test. `credentials`, `settings`, `options`: that work here.
    `wrong_credentials`: of the right form, refused by the service."""

    provider: ClassVar[Provider]
    credentials: ClassVar[Mapping[str, Any]]
    wrong_credentials: ClassVar[Mapping[str, Any]]
    settings: ClassVar[Mapping[str, Any]]
    options: ClassVar[Mapping[str, Any]]

    def answer(self, request: httpx.Request) -> httpx.Response:
        """As the service answers, with its effect."""
        ...

    def makes_a_post(self, request: httpx.Request) -> bool:
        """Is this the call that brings a new post about?"""
        ...

    def posts(self) -> list[VendorPost]: ...

    def remove(self, id: str) -> None:
        """As somebody would in the service's own interface."""
        ...

    def invalid(self) -> httpx.Response:
        """As the service answers to content that it does not take; its reason holds the words `too long`."""
        ...

    def busy(self) -> httpx.Response:
        """As the service answers when its limit is reached."""
        ...


Fault = Callable[[Callable[[], httpx.Response], httpx.Request], httpx.Response]


def silent_before(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    """The request gets lost."""
    raise httpx.ReadTimeout("no answer", request=request)


def silent_after(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    """The answer gets lost; the effect is there."""
    answer()
    raise httpx.ReadTimeout("no answer", request=request)


def broken_before(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    return httpx.Response(502, text="<html>Bad gateway</html>")


def broken_after(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    answer()
    return httpx.Response(500, text="Internal error")


def refused_connection(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("connection refused", request=request)


@define
class Wire(httpx.AsyncBaseTransport):
    """The network between a publisher and the stand-in. `fault`: what happens to the next call that makes a post."""

    vendor: Vendor
    fault: Fault | None = None
    requests: list[httpx.Request] = field(factory=list)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.requests.append(request)
        if self.fault is not None and self.vendor.makes_a_post(request):
            fault, self.fault = self.fault, None
            return fault(lambda: self.vendor.answer(request), request)
        return self.vendor.answer(request)


def a_post(**changes: Any) -> Post:
    return evolve(
        Post(
            external_key="contentgen-01957fd5-0f80-7000-8000-000000000001",
            title="Heat pumps in winter: what „Wärme“ costs & why",
            markdown=BODY,
            slug="heat-pumps-in-winter",
            status=PostStatus.PUBLISHED,
            language=Language.EN,
            excerpt="What heat pumps cost in winter.",
            tags=("heat pumps", "winter"),
            categories=("Energy",),
            featured_image="https://example.com/hero.jpg",
            featured_image_alt="A heat pump in the snow",
            canonical_url="https://example.com/heat-pumps",
            meta_title="Heat pumps",
            meta_description="Heat pumps in winter",
            sources=(
                PostSource(1, "Heat pump efficiency", "https://example.com/1"),
                PostSource(2, "A <book> without an address"),
            ),
            article_id="01957fd5-0f80-7000-8000-000000000002",
        ),
        **changes,
    )


class PostContract:
    """Every test works through the provider's declaration, as the product does. For providers that call nothing over
    the network; all others: `ProviderContract`. A stand-in may have a `shelf` (`Connection.shelf`)."""

    @pytest.fixture
    def wire(self, vendor: Vendor) -> Wire:
        return Wire(vendor)

    @pytest.fixture
    def publisher(self, vendor: Vendor, wire: Wire) -> Publisher:
        return connect(vendor, wire)

    @pytest.fixture
    def post(self, vendor: Vendor) -> Post:
        return a_post(options=vendor.options)

    def test_the_declaration_is_complete(self, vendor: Vendor) -> None:
        info = vendor.provider.info
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]{1,39}", info.id)
        icon = ElementTree.fromstring(info.icon)  # noqa: S314 - our own text
        assert icon.tag == "{http://www.w3.org/2000/svg}svg"
        assert "viewBox" in icon.attrib
        assert len(info.icon) < 2_000
        assert not re.search(r"<script|onload|href=|url\(", info.icon)
        assert Feature.PUBLISH in info.features
        names = [each.name for each in (*info.credential_fields, *info.setting_fields)]
        assert len(set(names)) == len(names)
        for asked in info.credential_fields:
            assert re.fullmatch(r"[a-z][A-Za-z0-9]*", asked.name)
            assert asked.label
            assert asked.help or not asked.required
        assert any(each.secret for each in info.credential_fields) or not info.credential_fields
        options = [option.name for option in info.option_fields]
        assert len(set(options)) == len(options)
        assert info.constraints.body_format
        check_fields("credentials", vendor.credentials, info.credential_fields)
        check_fields("settings", vendor.settings, info.setting_fields)

    async def test_credentials_that_work_are_told_from_those_that_do_not(self, vendor: Vendor, wire: Wire) -> None:
        assert await connect(vendor, wire).test()
        if not vendor.wrong_credentials:
            return
        with pytest.raises((PublishFailed, InvalidInput)) as refusal:
            await connect(vendor, wire, vendor.wrong_credentials).test()
        if isinstance(refusal.value, PublishFailed):
            assert refusal.value.refusal in (Refusal.CREDENTIALS, Refusal.PERMISSION)
        _assert_no_secret(vendor, vendor.wrong_credentials, str(refusal.value))

    async def test_nothing_is_published_by_a_test(self, vendor: Vendor, publisher: Publisher) -> None:
        await publisher.test()
        await publisher.options()
        assert vendor.posts() == []

    async def test_a_post_is_published_with_all_that_the_target_takes(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        made = await publisher.create(post)
        [held] = vendor.posts()
        assert (made.id, made.status) == (held.id, PostStatus.PUBLISHED)
        assert held.status is PostStatus.PUBLISHED
        limit = vendor.provider.info.constraints.title_max
        assert held.title == (post.title if limit is None else post.title[:limit])
        if Feature.TAGS in vendor.provider.info.features:
            assert held.tags

    async def test_the_text_survives_in_what_the_target_takes(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        """Text, code, numbers and links; sources with their numbers. What a target cannot show is said in
        `constraints.cannot`, and the stand-in then puts `survives` in its own test."""
        await publisher.create(post)
        [held] = vendor.posts()
        for part in self.survives:
            assert part in held.body

    survives: ClassVar[tuple[str, ...]] = (
        "Heat pumps move heat", "Sizes and prices", "120 m²", "9,000", "https://example.com/more", "„Wärme“ 🌡", "[1]",
        "https://example.com/1", "Heat pump efficiency",
    )  # fmt: skip

    async def test_a_post_is_read_back_as_it_stands(self, publisher: Publisher, post: Post) -> None:
        made = await publisher.create(post)
        try:
            seen = await publisher.read(made.id)
        except LookupUnsupported:
            return
        assert seen is not None
        assert (seen.id, seen.status) == (made.id, PostStatus.PUBLISHED)
        assert seen.url is None or seen.url.startswith("https://")

    async def test_what_is_gone_is_read_as_none_and_updated_as_gone(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        if Feature.FIND not in vendor.provider.info.features:
            return
        made = await publisher.create(post)
        vendor.remove(made.id)
        assert await publisher.read(made.id) is None
        if Feature.UPDATE in vendor.provider.info.features:
            with pytest.raises(PublishFailed) as failure:
                await publisher.update(made.id, post)
            assert failure.value.refusal is Refusal.GONE
            assert not failure.value.retryable
        assert vendor.posts() == []

    async def test_drafts_stay_drafts(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.DRAFT not in vendor.provider.info.features:
            return
        made = await publisher.create(evolve(post, status=PostStatus.DRAFT))
        assert made.status is PostStatus.DRAFT
        assert [held.status for held in vendor.posts()] == [PostStatus.DRAFT]
        if Feature.UPDATE in vendor.provider.info.features:
            assert (await publisher.update(made.id, post)).status is PostStatus.PUBLISHED
            assert [held.status for held in vendor.posts()] == [PostStatus.PUBLISHED]

    async def test_posts_for_later_are_scheduled(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.SCHEDULE not in vendor.provider.info.features:
            return
        later = evolve(post, status=PostStatus.SCHEDULED, scheduled_for=MOMENT + timedelta(days=2))
        assert (await publisher.create(later)).status is PostStatus.SCHEDULED
        assert [held.status for held in vendor.posts()] == [PostStatus.SCHEDULED]

    async def test_an_update_changes_the_post_and_makes_no_other(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        if Feature.UPDATE not in vendor.provider.info.features:
            return
        made = await publisher.create(post)
        changed = await publisher.update(made.id, evolve(post, title="A new title", markdown="New text [1]."))
        assert changed.id == made.id
        [held] = vendor.posts()
        assert "New text" in held.body
        assert held.title == "A new title"

    async def test_updating_twice_is_updating_once(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.UPDATE not in vendor.provider.info.features:
            return
        made = await publisher.create(post)
        await publisher.update(made.id, post)
        once = vendor.posts()
        await publisher.update(made.id, post)
        assert vendor.posts() == once

    async def test_a_post_is_found_by_what_we_call_it(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        if Feature.FIND not in vendor.provider.info.features:
            with pytest.raises(LookupUnsupported):
                await publisher.find(post)
            return
        assert await publisher.find(post) is None
        made = await publisher.create(post)
        found = await publisher.find(post)
        assert found is not None
        assert found.id == made.id
        other = evolve(post, external_key="contentgen-other", slug="another-slug", canonical_url=None, title="Other")
        assert await publisher.find(other) is None


class ProviderContract(PostContract):
    """What goes wrong on the way to a service, too."""

    @pytest.mark.parametrize("fault", [silent_before, silent_after, broken_before, broken_after])
    async def test_a_lost_answer_is_told_as_perhaps_done_and_looking_tells_the_truth(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post, fault: Fault
    ) -> None:
        wire.fault = fault
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.retryable
        assert failure.value.outcome_unknown
        assert wire.fault is None
        remote = await self._brought_to_an_end(vendor, publisher, post)
        if remote is not None:
            assert len(vendor.posts()) == 1

    async def _brought_to_an_end(self, vendor: Vendor, publisher: Publisher, post: Post) -> RemotePost | None:
        """What the product does after a lost answer; None where only a person can go on."""
        if Feature.IDEMPOTENT in vendor.provider.info.features:
            return await publisher.create(post)
        try:
            found = await publisher.find(post)
        except LookupUnsupported:
            return None
        return found or await publisher.create(post)

    async def test_a_connection_that_never_was_did_nothing(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        wire.fault = refused_connection
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.retryable
        assert not failure.value.outcome_unknown
        assert vendor.posts() == []

    async def test_a_refused_post_says_why_and_is_not_repeated(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        wire.fault = lambda answer, request: vendor.invalid()
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.refusal is Refusal.INVALID
        assert not failure.value.retryable
        assert not failure.value.outcome_unknown
        assert "too long" in str(failure.value)

    async def test_a_busy_target_is_to_be_asked_later(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        wire.fault = lambda answer, request: vendor.busy()
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.refusal is Refusal.LIMITED
        assert failure.value.retryable
        assert not failure.value.outcome_unknown

    async def test_a_page_in_the_place_of_the_api_is_no_success(
        self, wire: Wire, publisher: Publisher, post: Post, vendor: Vendor
    ) -> None:
        """A login wall or a parked domain answers 200, too."""
        if not self.reads_answers:
            return
        wire.fault = lambda answer, request: httpx.Response(200, text="<html>Welcome</html>")
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(post)
        assert failure.value.refusal is Refusal.INVALID

    reads_answers: ClassVar[bool] = True

    async def test_no_message_and_no_representation_holds_a_secret(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        texts = [repr(publisher)]
        for response in (401, 403, 404, 409, 422, 500):
            echo = " ".join(str(value) for value in vendor.credentials.values())
            wire.fault = lambda answer, request, status=response, said=echo: httpx.Response(status, text=said)
            with pytest.raises(PublishFailed) as failure:
                await publisher.create(evolve(post, external_key=f"contentgen-{response}", slug=f"slug-{response}"))
            texts += [str(failure.value), repr(failure.value)]
        for text in texts:
            _assert_no_secret(vendor, vendor.credentials, text)

    async def test_a_redirect_is_never_followed(
        self, vendor: Vendor, wire: Wire, publisher: Publisher, post: Post
    ) -> None:
        wire.fault = lambda answer, request: httpx.Response(302, headers={"Location": "https://elsewhere.example/"})
        with pytest.raises(PublishFailed):
            await publisher.create(post)
        assert not any(request.url.host == "elsewhere.example" for request in wire.requests)


def connect(vendor: Vendor, wire: Wire, credentials: Mapping[str, Any] | None = None) -> Publisher:
    given = vendor.credentials if credentials is None else credentials
    shelf = getattr(vendor, "shelf", None)
    return vendor.provider.connect(given, vendor.settings, make_client(transport=wire), _now, shelf)


def _now() -> datetime:
    return MOMENT


def _assert_no_secret(vendor: Vendor, credentials: Mapping[str, Any], text: str) -> None:
    for asked in vendor.provider.info.credential_fields:
        value = credentials.get(asked.name)
        if asked.secret and isinstance(value, str):
            assert value not in text
