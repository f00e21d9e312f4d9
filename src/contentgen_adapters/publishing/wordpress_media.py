"""Pictures in WordPress's media library."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlsplit

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.bodies.html import picture_addresses
from contentgen_adapters.publishing.bodies.wordpress import Uploaded
from contentgen_adapters.publishing.pictures import MOST_PICTURES, Picture, fetch_picture, file_stem
from contentgen_adapters.publishing.preparing import dispensable
from contentgen_adapters.publishing.wordpress_api import NAME, WordPressApi
from contentgen_core.model.publishing_target import Post

_FIELDS: Final = "id,alt_text,source_url"


class Media(msgspec.Struct):
    id: int
    alt_text: str = ""
    source_url: str = ""


@frozen
class MediaLibrary:
    api: WordPressApi
    client: httpx.AsyncClient

    async def of_text(self, post: Post) -> dict[str, Uploaded]:
        """The pictures of a post's text, by their address in it: the first MOST_PICTURES, as far as they can be had and
        the user may upload; the others stay links. Raises PublishFailed where another attempt may help."""
        pictures = await asyncio.to_thread(picture_addresses, post)
        own = urlsplit(self.api.target.base).hostname
        uploaded = {}
        for address, alt in [*pictures.items()][:MOST_PICTURES]:
            if urlsplit(address).hostname == own:
                continue
            with dispensable("a picture of its text"):
                media = await self.uploaded(file_stem(post, address), address, alt)
                if media.source_url:
                    uploaded[address] = Uploaded(media.id, media.source_url)
        return uploaded

    async def uploaded(self, stem: str, address: str, alt: str) -> Media:
        """The picture at an address, in the library: the one that an earlier attempt uploaded, or uploaded now. `stem`:
        its file name without extension, by which it is found again. Raises PublishFailed."""

        async def fetched() -> Picture:
            return await fetch_picture(NAME, self.client, address)

        return await self._kept(stem, alt, fetched)

    async def drawn(self, post: Post, name: str, png: bytes, alt: str) -> str | None:
        """The address of a drawn picture in the library; None if the user may not upload. Raises PublishFailed."""

        async def given() -> Picture:
            return Picture(png, "image/png", "png")

        with dispensable("a diagram of its text"):
            return (await self._kept(file_stem(post, name), alt, given)).source_url or None
        return None

    async def _kept(self, stem: str, alt: str, picture: Callable[[], Awaitable[Picture]]) -> Media:
        found = await self.api.get("/media", {"slug": stem, "_fields": _FIELDS})
        existing = next(iter(self.api.decoded(found, list[Media])), None)
        if existing is None:
            new = await picture()
            headers = {
                "Content-Type": new.type,
                "Content-Disposition": f'attachment; filename="{stem}.{new.extension}"',
            }
            made = await self.api.call("POST", "/media", content=new.content, headers=headers)
            existing = self.api.decoded(made, Media)
        if alt and existing.alt_text != alt:
            await self.api.call("POST", f"/media/{existing.id}", json={"alt_text": alt})
        return existing
