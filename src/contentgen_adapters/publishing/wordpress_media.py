"""Pictures in WordPress's media library."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import urlsplit

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.bodies.html import picture_addresses
from contentgen_adapters.publishing.bodies.wordpress import Uploaded
from contentgen_adapters.publishing.pictures import fetch_picture, file_stem
from contentgen_adapters.publishing.preparing import preparation
from contentgen_adapters.publishing.wordpress_api import NAME, WordPressApi
from contentgen_core.model.publishing_target import Post
from contentgen_core.ports.publishing import PublishFailed, Refusal

MOST_PICTURES: Final = 20
"""Of a text that are uploaded."""
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
            try:
                with preparation("a picture of its text"):
                    media = await self.uploaded(file_stem(post, address), address, alt)
            except PublishFailed as error:
                if error.refusal not in (Refusal.INVALID, Refusal.PERMISSION):
                    raise
                continue
            if media.source_url:
                uploaded[address] = Uploaded(media.id, media.source_url)
        return uploaded

    async def uploaded(self, stem: str, address: str, alt: str) -> Media:
        """The picture in the library: the one that an earlier attempt uploaded, or uploaded now. `stem`: its file name
        without extension, by which it is found again. Raises PublishFailed."""
        found = await self.api.get("/media", {"slug": stem, "_fields": _FIELDS})
        existing = next(iter(self.api.decoded(found, list[Media])), None)
        if existing is None:
            picture = await fetch_picture(NAME, self.client, address)
            headers = {
                "Content-Type": picture.type,
                "Content-Disposition": f'attachment; filename="{stem}.{picture.extension}"',
            }
            made = await self.api.call("POST", "/media", content=picture.content, headers=headers)
            existing = self.api.decoded(made, Media)
        if alt and existing.alt_text != alt:
            await self.api.call("POST", f"/media/{existing.id}", json={"alt_text": alt})
        return existing
