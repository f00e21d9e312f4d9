"""Searching a picture service for a picture to stand above an article."""

from __future__ import annotations

from typing import Final, Literal, Protocol

from attrs import frozen

from contentgen_core.model.vocabulary import Language

Orientation = Literal["landscape", "portrait", "square"]

MAX_QUERY: Final = 100
"""Characters of a query that are sent."""


@frozen
class PictureQuery:
    """`language`: of the words. `other_than`: the address of a picture that is not wanted again."""

    text: str
    language: Language | None = None
    orientation: Orientation = "landscape"
    other_than: str | None = None


@frozen
class Picture:
    """A picture that may be shown under its address, with what its provider asks to be said with it.

    `address`, `provider_url`, `photographer_url` and `page_url` are http(s) addresses, ready to be linked to as the
    provider wants it. `alt`: what it shows, in the provider's words. `tracking`: what `picked` tells the provider."""

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
    @property
    def provider(self) -> str:
        """Its id: `unsplash`, `pexels`."""
        ...

    async def find(self, query: PictureQuery) -> Picture | None:
        """The best picture for the words; None where there is none, or where there are no words. Raises
        ProviderFailed."""
        ...

    def picked(self, picture: Picture) -> None:
        """Tell the provider, where it wants to know, that one of its pictures is used. Once, in the background: it
        returns at once and raises nothing, and a failure is only logged."""
        ...


@frozen
class Images:
    """The image search that is set up, and otherwise which settings set one up."""

    search: ImageSearch | None
    settings: str
