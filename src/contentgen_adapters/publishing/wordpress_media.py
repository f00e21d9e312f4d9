"""Pictures in WordPress's media library."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import httpx
import msgspec
from attrs import field, frozen

from contentgen_adapters.publishing.illustrations import Kept
from contentgen_adapters.publishing.pictures import Picture, fetch_picture, file_stem
from contentgen_adapters.publishing.wordpress_api import NAME, WordPressApi
from contentgen_core.model.publishing_target import Post

_FIELDS: Final = "id,slug,alt_text,source_url"
_PAGE: Final = 100


class Media(msgspec.Struct):
    id: int
    slug: str = ""
    alt_text: str = ""
    source_url: str = ""


@frozen
class MediaLibrary:
    """Finds what an earlier attempt uploaded by the names of the files, all that a post needs at once. `post`: whose
    pictures they are."""

    api: WordPressApi
    client: httpx.AsyncClient
    post: Post
    _found: dict[str, Media | None] = field(factory=dict, init=False)
    """By name; None for those that are not there."""

    async def known(self, names: Collection[str]) -> Mapping[str, Kept]:
        """Return the uploaded pictures as `Gallery` does; the featured image is found, too."""
        await self._look_for([*names, self.post.featured_image or ""])
        found = {name: self._found[name] for name in names}
        return {name: _to_kept(media) for name, media in found.items() if media is not None and media.source_url}

    async def keep(self, name: str, picture: Picture, alt: str) -> Kept:
        return _to_kept(await self._upload(name, picture, alt))

    async def featured(self, address: str, alt: str) -> int:
        """The number of the featured image in the library, uploaded unless it is there. Raises PublishFailed."""
        await self._look_for([address])
        media = self._found[address]
        if media is None:
            return (await self._upload(address, await fetch_picture(NAME, self.client, address), alt)).id
        if alt and media.alt_text != alt:
            await self._describe(media.id, alt)
        return media.id

    async def _look_for(self, names: Collection[str]) -> None:
        stems = {file_stem(self.post, name): name for name in names if name and name not in self._found}
        if not stems:
            return
        asked: dict[str, Any] = {"slug": ",".join(stems), "per_page": _PAGE, "_fields": _FIELDS}
        media = self.api.decoded(await self.api.get("/media", asked), list[Media])
        self._found.update(dict.fromkeys(stems.values()))
        self._found.update({stems[each.slug]: each for each in media if each.slug in stems})

    async def _upload(self, name: str, picture: Picture, alt: str) -> Media:
        disposition = f'attachment; filename="{file_stem(self.post, name)}.{picture.extension}"'
        headers = {"Content-Type": picture.type, "Content-Disposition": disposition}
        made = await self.api.call("POST", "/media", content=picture.content, headers=headers)
        media = self.api.decoded(made, Media)
        if alt:
            await self._describe(media.id, alt)
        self._found[name] = media
        return media

    async def _describe(self, id: int, alt: str) -> None:
        await self.api.call("POST", f"/media/{id}", json={"alt_text": alt})


def _to_kept(media: Media) -> Kept:
    return Kept(media.source_url, media.id)
