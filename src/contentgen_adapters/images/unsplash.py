"""Unsplash.

Its guidelines require: the picture at its own address with the query unchanged; photographer and Unsplash named, both
linked with utm parameters; and a request to `download_location` when a picture is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import httpx
import msgspec

from contentgen_adapters.images.provider import Provider
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.images import Picture, PictureQuery

NAME: Final = "Unsplash"
REFERRAL: Final = (("utm_source", "contentgen"), ("utm_medium", "referral"))
PICTURES: Final = 10
_ORIENTATIONS: Final = {"landscape": "landscape", "portrait": "portrait", "square": "squarish"}


class _Urls(msgspec.Struct):
    regular: str | None = None
    full: str | None = None


class _PhotoLinks(msgspec.Struct):
    html: str | None = None
    download_location: str | None = None


class _UserLinks(msgspec.Struct):
    html: str | None = None


class _User(msgspec.Struct):
    name: str | None = None
    username: str | None = None
    links: _UserLinks = msgspec.field(default_factory=_UserLinks)


class _Photo(msgspec.Struct):
    urls: _Urls
    user: _User
    links: _PhotoLinks = msgspec.field(default_factory=_PhotoLinks)
    alt_description: str | None = None
    description: str | None = None


class _Answer(msgspec.Struct):
    results: list[_Photo]


def _headers(key: str) -> Mapping[str, str]:
    return {"Authorization": f"Client-ID {key}", "Accept-Version": "v1"}


def _params(query: PictureQuery) -> Mapping[str, str]:
    params = {
        "query": query.text,
        "per_page": str(PICTURES),
        "orientation": _ORIENTATIONS[query.orientation],
        "content_filter": "high",
    }
    return params | ({"lang": query.language.value} if query.language else {})


def _read(content: bytes) -> Iterator[Picture]:
    for photo in msgspec.json.decode(content, type=_Answer).results:
        yield Picture(
            address=photo.urls.regular or photo.urls.full or "",
            provider="unsplash",
            provider_name=NAME,
            provider_url=with_utm_parameters("https://unsplash.com/") or "",
            photographer=photo.user.name or photo.user.username or "",
            photographer_url=with_utm_parameters(photo.user.links.html),
            page_url=with_utm_parameters(photo.links.html),
            alt=photo.alt_description or photo.description,
            tracking=photo.links.download_location,
        )


def with_utm_parameters(address: str | None) -> str | None:
    """An address of Unsplash with the utm parameters that its guidelines require."""
    if not address:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    query = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if not pair[0].startswith("utm_")]
    return urlunsplit(parts._replace(query=urlencode([*query, *REFERRAL])))


def _explain(response: httpx.Response) -> ProviderFailed | None:
    """Unsplash answers 403 both when the hour's requests are used up and for a key without permission."""
    used_up = response.headers.get("x-ratelimit-remaining") == "0" or b"rate limit" in response.content[:1_000].lower()
    if response.status_code == 429 or (response.status_code == 403 and used_up):
        message = f"the hour's requests are used up (HTTP {response.status_code}); try again within the hour"
        return ProviderFailed(NAME, message, retryable=True)
    return None


PROVIDER: Final = Provider(
    id="unsplash",
    name=NAME,
    address="https://api.unsplash.com",
    path="/search/photos",
    headers=_headers,
    params=_params,
    read=_read,
    explain=_explain,
    permanent=lambda response: response.status_code == 429,
)
