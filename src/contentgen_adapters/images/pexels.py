"""Pexels. Its terms require a link to Pexels, and the photographer's name with a link where possible."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Final

import httpx
import msgspec

from contentgen_adapters.images.provider import Provider
from contentgen_adapters.shared.http import retry_after
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.images import Picture, PictureQuery

NAME: Final = "Pexels"
PICTURES: Final = 10
# The locales that the API accepts, by its reference; for other languages none is sent.
_LOCALES: Final = (
    "en-US pt-BR es-ES de-DE it-IT fr-FR sv-SE id-ID pl-PL ja-JP zh-CN ko-KR th-TH nl-NL hu-HU vi-VN cs-CZ da-DK fi-FI"
    " uk-UA el-GR ro-RO tr-TR ru-RU"
)
LOCALES: Final = {locale[:2]: locale for locale in _LOCALES.split()} | {Language.NO.value: "nb-NO"}


class _Sources(msgspec.Struct):
    large2x: str | None = None
    large: str | None = None
    original: str | None = None


class _Photo(msgspec.Struct):
    src: _Sources
    url: str | None = None
    photographer: str | None = None
    photographer_url: str | None = None
    alt: str | None = None


class _Answer(msgspec.Struct):
    photos: list[_Photo]


def _headers(key: str) -> Mapping[str, str]:
    return {"Authorization": key}


def _params(query: PictureQuery) -> Mapping[str, str]:
    params = {"query": query.text, "per_page": str(PICTURES), "orientation": query.orientation}
    locale = LOCALES.get(query.language.value) if query.language else None
    return params | ({"locale": locale} if locale else {})


def _read(content: bytes) -> Iterator[Picture]:
    for photo in msgspec.json.decode(content, type=_Answer).photos:
        yield Picture(
            address=photo.src.large2x or photo.src.large or photo.src.original or "",
            provider="pexels",
            provider_name=NAME,
            provider_url="https://www.pexels.com/",
            photographer=photo.photographer or "",
            photographer_url=photo.photographer_url,
            page_url=photo.url,
            alt=photo.alt,
        )


def _explain(response: httpx.Response) -> ProviderFailed | None:
    if response.status_code != 429:
        return None
    message = "the requests of the hour or the month are used up (HTTP 429)"
    return ProviderFailed(NAME, message, retryable=True, retry_after=_wait(response))


def _wait(response: httpx.Response) -> float | None:
    """Seconds until the rate limit resets: Retry-After, else X-Ratelimit-Reset (seconds since the epoch)."""
    reset = response.headers.get("x-ratelimit-reset", "")
    if reset.isascii() and reset.isdigit() and len(reset) <= 12:
        return max(0.0, float(reset) - time.time())
    return retry_after(response)


PROVIDER: Final = Provider(
    id="pexels",
    name=NAME,
    address="https://api.pexels.com/v1",
    path="/search",
    headers=_headers,
    params=_params,
    read=_read,
    explain=_explain,
    permanent=lambda response: response.status_code == 429,
)
