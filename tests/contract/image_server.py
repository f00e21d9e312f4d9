"""Stand-ins for the picture services: each answers in its vendor's shape from the same few pictures, with entries
between them that cannot be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from contentgen_adapters.images.catalog import PROVIDERS
from contentgen_adapters.images.provider import Access, ApiImages
from contentgen_adapters.memory.images import MemoryImages
from contentgen_adapters.shared.http import RetryPolicy, make_client
from contentgen_core.ports.images import MAX_QUERY, Picture
from contentgen_core.testing.images import PICTURES, Sample

KEY: Final = "key-abcdef-123456"
BY_ID: Final = {provider.id: provider for provider in PROVIDERS}


def memory_images() -> MemoryImages:
    return MemoryImages(
        Picture(
            address=sample.address,
            provider="memory",
            provider_name="Memory",
            provider_url="https://memory.example/",
            photographer=sample.photographer,
            photographer_url=sample.profile,
            page_url="https://memory.example/photos/1",
            alt=sample.alt,
        )
        for sample in PICTURES
    )


class ImageServer:
    """`first`: answers to give before the usual ones, one a request."""

    def __init__(self, *first: httpx.Response | Exception) -> None:
        self.first = list(first)
        self.requests: list[httpx.Request] = []

    def search(self, id: str, base_url: str | None = None) -> ApiImages:
        client = make_client(transport=httpx.MockTransport(self._answer))
        return BY_ID[id].build(Access(KEY, base_url), client, RetryPolicy(sleep=self._sleep, attempts=2))

    async def _sleep(self, seconds: float) -> None:
        pass

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.first:
            given = self.first.pop(0)
            if isinstance(given, Exception):
                raise given
            return given
        if request.url.path.endswith("/download"):
            return httpx.Response(200, json={"url": "https://pictures.example/file"})
        text = request.url.params["query"]
        assert text.strip(), "an empty query is refused by every vendor"
        assert len(text) <= MAX_QUERY
        words = text.casefold().split()
        found = [sample for sample in PICTURES if set(words) <= set(sample.alt.casefold().split())]
        return httpx.Response(200, json=_DIALECTS[urlsplit(str(request.url)).path](found))


def _unsplash(found: Iterable[Sample]) -> Any:
    def photo(n: int, sample: Sample) -> dict[str, Any]:
        download = f"https://api.unsplash.com/photos/p{n}/download?ixid=x{n}"
        return {
            "id": f"p{n}",
            "width": 4000,
            "height": 3000,
            "alt_description": sample.alt,
            "description": None,
            "urls": {"raw": "https://pictures.example/raw", "regular": sample.address, "thumb": "https://t.example/"},
            "links": {"html": f"https://unsplash.com/photos/p{n}", "download_location": download},
            "user": {"name": sample.photographer, "username": "u", "links": {"html": sample.profile}},
        }

    results = [photo(n, sample) for n, sample in enumerate(found, 1)]
    nothing = photo(0, Sample("javascript:alert(1)", "x", "x", "x"))
    nobody = photo(0, Sample("https://pictures.example/0", "x", " ", "x")) | {"user": {"name": " ", "links": {}}}
    return {"total": len(results), "total_pages": 1, "results": [nothing, nobody, *results]}


def _pexels(found: Iterable[Sample]) -> Any:
    def photo(n: int, sample: Sample) -> dict[str, Any]:
        return {
            "id": n,
            "width": 4000,
            "height": 3000,
            "url": f"https://www.pexels.com/photo/{n}/",
            "photographer": sample.photographer,
            "photographer_url": sample.profile,
            "photographer_id": n,
            "avg_color": "#978E82",
            "src": {"original": "https://pictures.example/original", "large2x": sample.address},
            "liked": False,
            "alt": sample.alt,
        }

    photos = [photo(n, sample) for n, sample in enumerate(found, 1)]
    nothing = photo(0, Sample("data:image/png;base64,AA", "x", "x", "x"))
    nobody = photo(0, Sample("https://pictures.example/0", "x", "", "x"))
    return {"total_results": len(photos), "page": 1, "per_page": 10, "photos": [nothing, nobody, *photos]}


_DIALECTS: Final[dict[str, Callable[[Iterable[Sample]], Any]]] = {
    "/search/photos": _unsplash,
    "/v1/search": _pexels,
}
