"""Searching a picture service for an article's featured image."""

from __future__ import annotations

from typing import Final, Literal, Protocol

from attrs import frozen

from contentgen_core.model.vocabulary import Language

Orientation = Literal["landscape", "portrait", "square"]

MAX_QUERY: Final = 100
"""Characters of a query that are sent."""


@frozen
class PictureQuery:
    """A query. `language`: of the words. `other_than`: the address of a picture to leave out."""

    text: str
    language: Language | None = None
    orientation: Orientation = "landscape"
    other_than: str | None = None


@frozen
class Picture:
    """A picture that may be shown under its address, with the credit its provider requires.

    `address`, `provider_url`, `photographer_url` and `page_url`: http(s) addresses to link to as they are. `alt`: the
    provider's description. `tracking`: what `report_use` sends to the provider."""

    address: str
    provider: str
    provider_name: str
    provider_url: str
    photographer: str
    photographer_url: str | None = None
    page_url: str | None = None
    alt: str | None = None
    tracking: str | None = None


class ImageSearch(Protocol):
    """A picture service."""

    @property
    def provider(self) -> str:
        """The provider's id: `unsplash`, `pexels`."""
        ...

    async def find(self, query: PictureQuery) -> Picture | None:
        """The best picture for the words; None without a match or without words. Raises ProviderFailed."""
        ...

    def report_use(self, picture: Picture) -> None:
        """Report to the provider, where it requires that, that its picture is used. In the background, once: it returns
        at once and raises nothing; a failure is logged."""
        ...


@frozen
class ConfiguredImageSearch:
    """The configured image search, or None. `settings`: the names of the settings that configure one, for the error."""

    search: ImageSearch | None
    settings: str
