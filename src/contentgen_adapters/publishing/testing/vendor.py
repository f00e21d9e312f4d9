"""Fixtures of the contract: stand-ins of services, the network between them and a publisher, a post."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar, Final, Protocol

import httpx
from attrs import define, evolve, field, frozen

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.shared.http import make_client
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import Post, PostSource
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.publishing import Publisher
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
    """A post in a stand-in. `body`: its text in the service's format, as one string."""

    id: str
    title: str
    body: str
    status: PostStatus
    slug: str | None = None
    tags: tuple[str, ...] = ()


class Vendor(Protocol):
    """A stand-in of a service.

    `provider`: the one under test. `credentials`, `settings`, `options`: valid ones. `wrong_credentials`: well-formed,
    but refused by the service; empty if there are none.
    """

    provider: ClassVar[Provider]
    credentials: ClassVar[Mapping[str, Any]]
    wrong_credentials: ClassVar[Mapping[str, Any]]
    settings: ClassVar[Mapping[str, Any]]
    options: ClassVar[Mapping[str, Any]]

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answers as the service does, and changes the stored posts accordingly."""
        ...

    def makes_a_post(self, request: httpx.Request) -> bool:
        """Whether this request creates a post."""
        ...

    def posts(self) -> list[VendorPost]:
        """The stored posts."""
        ...

    def remove(self, id: str) -> None:
        """Deletes a post, as a user of the service would."""
        ...

    def invalid(self) -> httpx.Response:
        """The service's answer to invalid content, with a reason that contains `too long`."""
        ...

    def busy(self) -> httpx.Response:
        """The service's answer when its rate limit is reached."""
        ...


Fault = Callable[[Callable[[], httpx.Response], httpx.Request], httpx.Response]
"""From (a function that lets the stand-in answer, the request) to a response; may raise an httpx error."""


def silent_before(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    """The request is lost: no effect, no answer."""
    raise httpx.ReadTimeout("no answer", request=request)


def silent_after(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    """The answer is lost: the effect takes place."""
    answer()
    raise httpx.ReadTimeout("no answer", request=request)


def held_up(held: list[httpx.Request]) -> Fault:
    """Keep the request in `held` on its way: no answer, no effect until a test lets it arrive."""

    def fault(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
        held.append(request)
        raise httpx.ReadTimeout("no answer", request=request)

    return fault


def broken_before(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    """A 502 without effect."""
    return httpx.Response(502, text="<html>Bad gateway</html>")


def broken_after(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    """A 500 after the effect took place."""
    answer()
    return httpx.Response(500, text="Internal error")


def refused_connection(answer: Callable[[], httpx.Response], request: httpx.Request) -> httpx.Response:
    """Refuse the connection."""
    raise httpx.ConnectError("connection refused", request=request)


@define
class Wire(httpx.AsyncBaseTransport):
    """The transport between a publisher and a stand-in.

    `fault`: replaces the answer to the next request that creates a post, once. `requests`: all requests so far.
    """

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
    """A complete post. `changes`: fields with other values."""
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


def connect(vendor: Vendor, wire: Wire, credentials: Mapping[str, Any] | None = None) -> Publisher:
    """The publisher under test. `credentials`: the vendor's valid ones by default."""
    given = vendor.credentials if credentials is None else credentials
    public_articles = getattr(vendor, "public_articles", None)
    return vendor.provider.connect(given, vendor.settings, make_client(transport=wire), _now, public_articles)


def _now() -> datetime:
    return MOMENT
