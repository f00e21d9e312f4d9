"""Pictures in WordPress's media library."""

from __future__ import annotations

from typing import Final

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.pictures import fetch_picture
from contentgen_adapters.publishing.wordpress_api import NAME, WordPressApi

_FIELDS: Final = "id,alt_text,source_url"


class Media(msgspec.Struct):
    id: int
    alt_text: str = ""
    source_url: str = ""


@frozen
class MediaLibrary:
    api: WordPressApi
    client: httpx.AsyncClient

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
