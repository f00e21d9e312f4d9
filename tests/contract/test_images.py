"""The contract of the image search over all adapters, and what each vendor is asked and answers."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from contentgen_adapters.images.catalog import PROVIDERS, SETTINGS, ImageSettings, build_images
from contentgen_adapters.images.unsplash import with_utm_parameters
from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.images import ImageSearch, PictureQuery
from contentgen_core.testing.images import PICTURES, ImageSearchContract
from tests.contract.image_server import KEY, ImageServer, memory_images

IDS = tuple(provider.id for provider in PROVIDERS)
QUERY = PictureQuery("heat pump", Language.FR)


class TestMemoryImages(ImageSearchContract):
    @pytest.fixture
    def images(self) -> ImageSearch:
        return memory_images()


class TestPictureServices(ImageSearchContract):
    @pytest.fixture(params=IDS)
    def images(self, request: pytest.FixtureRequest) -> ImageSearch:
        return ImageServer().search(request.param)


async def test_unsplash_is_asked_with_its_key_in_a_header_and_for_safe_pictures() -> None:
    server = ImageServer()
    await server.search("unsplash").find(QUERY)
    request = server.requests[0]
    assert str(request.url).startswith("https://api.unsplash.com/search/photos?")
    assert request.headers["authorization"] == f"Client-ID {KEY}"
    assert request.headers["accept-version"] == "v1"
    assert dict(request.url.params) == {
        "query": "heat pump", "per_page": "10", "orientation": "landscape", "content_filter": "high", "lang": "fr",
    }  # fmt: skip
    assert KEY not in str(request.url)


async def test_pexels_is_asked_with_its_key_in_a_header_and_a_locale_where_it_has_one() -> None:
    server = ImageServer()
    search = server.search("pexels")
    await search.find(PictureQuery("heat pump", Language.NO, "square"))
    await search.find(PictureQuery("heat pump", Language.AR))
    assert str(server.requests[0].url).startswith("https://api.pexels.com/v1/search?")
    assert server.requests[0].headers["authorization"] == KEY
    assert dict(server.requests[0].url.params) == {
        "query": "heat pump", "per_page": "10", "orientation": "square", "locale": "nb-NO",
    }  # fmt: skip
    assert "locale" not in server.requests[1].url.params


async def test_links_to_unsplash_say_where_they_come_from_and_its_picture_stays_as_it_gave_it() -> None:
    picture = await ImageServer().search("unsplash").find(QUERY)
    assert picture is not None
    assert picture.address == PICTURES[0].address
    for link in (picture.provider_url, picture.photographer_url, picture.page_url):
        assert link is not None
        assert link.endswith("?utm_source=contentgen&utm_medium=referral")
    assert with_utm_parameters("https://unsplash.com/@a?x=1&utm_source=other") == (
        "https://unsplash.com/@a?x=1&utm_source=contentgen&utm_medium=referral"
    )
    assert with_utm_parameters("http://[") is None


async def test_unsplash_is_told_once_that_a_picture_is_used_and_only_at_its_own_address() -> None:
    server = ImageServer()
    search = server.search("unsplash", "https://proxy.example/unsplash")
    server.first = [httpx.Response(200, json=_one("https://evil.example/photos/p1/download?ixid=x1"))]
    picture = await search.find(QUERY)
    assert picture is not None
    search.report_use(picture)
    assert len(server.requests) == 1  # nothing has been waited for
    await search.wait_for_reports()
    told = server.requests[1]
    assert str(told.url) == "https://proxy.example/unsplash/photos/p1/download?ixid=x1"
    assert told.headers["authorization"] == f"Client-ID {KEY}"
    assert len(server.requests) == 2


@pytest.mark.parametrize("answer", [httpx.Response(503), httpx.ConnectError("away"), RuntimeError("odd")])
async def test_a_failure_to_tell_is_not_repeated_and_hurts_nobody(answer: httpx.Response | Exception) -> None:
    server = ImageServer()
    search = server.search("unsplash")
    picture = await search.find(QUERY)
    assert picture is not None
    server.first = [answer]
    search.report_use(picture)
    await search.wait_for_reports()
    assert len(server.requests) == 2


async def test_pexels_wants_to_be_told_nothing() -> None:
    server = ImageServer()
    search = server.search("pexels")
    picture = await search.find(QUERY)
    assert picture is not None
    search.report_use(picture)
    await asyncio.sleep(0)
    await search.wait_for_reports()
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "used_up",
    [
        httpx.Response(403, text="Rate Limit Exceeded"),
        httpx.Response(403, headers={"X-Ratelimit-Limit": "50", "X-Ratelimit-Remaining": "0"}, json={"errors": ["x"]}),
        httpx.Response(429, text="Rate Limit Exceeded"),
    ],
)
async def test_used_up_requests_of_unsplash_are_a_403_that_comes_to_an_end(used_up: httpx.Response) -> None:
    error = await failure("unsplash", used_up, asked=1)
    assert error.retryable
    assert "hour's requests are used up" in str(error)


async def test_used_up_requests_of_pexels_say_how_long_to_wait() -> None:
    error = await failure("pexels", httpx.Response(429), asked=1)
    assert (error.retryable, error.retry_after) == (True, None)
    error = await failure("pexels", httpx.Response(429, headers={"Retry-After": "30"}), asked=1)
    assert error.retry_after == 30
    soon = {"X-Ratelimit-Reset": str(int(time.time()) + 600)}
    error = await failure("pexels", httpx.Response(429, headers=soon), asked=1)
    assert 500 < (error.retry_after or 0) <= 600


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_final_and_names_the_setting(id: str, status: int) -> None:
    refused = httpx.Response(status, json={"errors": [f"OAuth error: {KEY}"]})
    error = await failure(id, refused, asked=1)
    assert not error.retryable
    assert f"CONTENTGEN_{id.upper()}_API_KEY" in str(error)


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("passing", [httpx.Response(500), httpx.Response(503), httpx.ReadTimeout("slow")])
async def test_a_passing_failure_is_tried_again(id: str, passing: httpx.Response | Exception) -> None:
    server = ImageServer(passing)
    assert await server.search(id).find(QUERY) is not None
    assert len(server.requests) == 2


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b'{"message": "fine"}', b"\xff\xfe", b'{"results": 1}'])
async def test_an_answer_that_is_none_is_a_failure_and_not_nothing_found(id: str, content: bytes) -> None:
    error = await failure(id, httpx.Response(200, content=content), asked=1)
    assert not error.retryable


@pytest.mark.parametrize("id", IDS)
async def test_a_redirect_is_not_followed_with_the_key(id: str) -> None:
    error = await failure(id, httpx.Response(302, headers={"Location": "https://evil.example"}), asked=1)
    assert not error.retryable


def test_the_first_service_with_a_key_is_taken_and_a_named_one_needs_its_own() -> None:
    client = httpx.AsyncClient()

    def chosen(**values: str) -> str | None:
        search = build_images(ImageSettings(**values), client).search  # type: ignore[arg-type]
        return search and search.provider

    assert chosen() is None
    assert chosen(pexels_api_key="k") == "pexels"
    assert chosen(pexels_api_key="k", unsplash_api_key="k") == "unsplash"
    assert chosen(images="pexels", pexels_api_key="k", unsplash_api_key="k") == "pexels"
    with pytest.raises(NotConfigured, match="CONTENTGEN_PEXELS_API_KEY"):
        chosen(images="pexels", unsplash_api_key="k")
    with pytest.raises(NotConfigured, match="CONTENTGEN_UNSPLASH_BASE_URL"):
        chosen(unsplash_api_key="k", unsplash_base_url="nowhere")
    assert SETTINGS == "CONTENTGEN_UNSPLASH_API_KEY or CONTENTGEN_PEXELS_API_KEY"
    assert "secret-key" not in repr(ImageSettings(unsplash_api_key="secret-key"))


async def failure(id: str, *answers: httpx.Response | Exception, asked: int) -> ProviderFailed:
    server = ImageServer(*answers)
    with pytest.raises(ProviderFailed) as raised:
        await server.search(id).find(QUERY)
    assert KEY not in str(raised.value)
    assert len(server.requests) == asked
    return raised.value


def _one(download: str) -> dict[str, object]:
    return {
        "results": [
            {
                "urls": {"regular": "https://pictures.example/1"},
                "links": {"html": "https://unsplash.com/photos/p1", "download_location": download},
                "user": {"name": "Ada"},
            }
        ]
    }
