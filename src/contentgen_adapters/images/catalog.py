"""The picture service that the settings select."""

from __future__ import annotations

from typing import Final, Literal

import httpx
from attrs import field, frozen

from contentgen_adapters.images import pexels, unsplash
from contentgen_adapters.images.provider import Access, Provider
from contentgen_core.ports.images import ConfiguredImageSearch

PROVIDERS: Final[tuple[Provider, ...]] = (unsplash.PROVIDER, pexels.PROVIDER)
"""In the order in which `auto` takes them."""
SETTINGS: Final = " or ".join(provider.setting for provider in PROVIDERS)
"""The settings that enable an image search, for the error message when none is set."""


@frozen(kw_only=True)
class ImageSettings:
    """The operator's settings of the same names. `images="auto"`: the first of PROVIDERS that has a key."""

    images: Literal["auto", "unsplash", "pexels"] = "auto"
    unsplash_api_key: str | None = field(default=None, repr=False)
    unsplash_base_url: str | None = None
    pexels_api_key: str | None = field(default=None, repr=False)
    pexels_base_url: str | None = None

    def access(self, provider: Provider) -> Access:
        return Access(getattr(self, f"{provider.id}_api_key"), getattr(self, f"{provider.id}_base_url"))


def build_images(settings: ImageSettings, client: httpx.AsyncClient) -> ConfiguredImageSearch:
    """The selected image search.

    `client`: from `shared.http.make_client`. Raises NotConfigured when the named service lacks its key or its address
    is not an http(s) address.
    """
    for provider in PROVIDERS:
        access = settings.access(provider)
        if settings.images == provider.id or (settings.images == "auto" and access.api_key):
            return ConfiguredImageSearch(provider.build(access, client), SETTINGS)
    return ConfiguredImageSearch(None, SETTINGS)
