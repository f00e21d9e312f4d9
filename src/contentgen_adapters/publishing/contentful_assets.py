"""Upload pictures as Contentful's assets. Contentful fetches and processes their files itself, on request."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
from collections.abc import Collection, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from attrs import frozen

from contentgen_adapters.publishing.bodies.contentful_fields import MAX_SYMBOL
from contentgen_adapters.publishing.contentful_api import NAME, ContentfulApi, Resource, Sys, version
from contentgen_adapters.publishing.illustrations import Kept
from contentgen_adapters.publishing.pictures import Picture, file_stem
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import Post
from contentgen_core.ports.publishing import PublishFailed, Refusal

PROCESSING_WAITS: Final = (0.0, 0.3, 0.7, 1.5, 3.0, 5.0, 5.0)
"""Seconds before each look at an image that Contentful fetches."""


class _Upload(msgspec.Struct):
    sys: Sys


class _Found(msgspec.Struct):
    items: list[Resource]


@frozen
class Assets:
    """The pictures of a post, published with it. Each asset's id is derived from its address, or from its diagram, so
    that it is uploaded once.

    `locale`: of their files and texts. `uploads`: the service that files are sent to.
    """

    api: ContentfulApi
    post: Post
    locale: str
    uploads: str

    async def known(self, names: Collection[str]) -> Mapping[str, Kept]:
        """Return the uploaded pictures as `Gallery` does. An asset whose file was never processed is made again."""
        ids = {_id(name): name for name in names}
        asked = {"sys.id[in]": ",".join(ids), "limit": len(ids)}
        found = self.api.target.decoded(await self.api.call("GET", "/assets", params=asked), _Found).items
        there = [asset for asset in found if asset.sys.id in ids and self._is_processed(asset)]
        return {ids[asset.sys.id]: self._kept_of(await self._ready(asset)) for asset in there}

    async def keep(self, name: str, picture: Picture, alt: str) -> Kept:
        content = {"content": picture.content, "headers": {"Content-Type": "application/octet-stream"}}
        sent = self.api.target.decoded(await self.api.call("POST", self.uploads, **content), _Upload)
        file = {
            "contentType": picture.type,
            "fileName": f"{file_stem(self.post, name)}.{picture.extension}",
            "uploadFrom": {"sys": {"type": "Link", "linkType": "Upload", "id": sent.sys.id}},
        }
        existing = await self.api.existing("assets", _id(name))
        return self._kept_of(
            await self._ready(await self._make(_id(name), alt or self.post.title, file, alt, existing))
        )

    async def at(self, address: str, title: str) -> str:
        """The id of the asset of the picture at an address, which Contentful fetches. Raises PublishFailed."""
        id = _id(address)
        asset = await self.api.existing("assets", id)
        if asset is None:
            name = urlsplit(address).path.rpartition("/")[2][:100] or "image"
            kind = mimetypes.guess_type(name)[0] or ""
            kind = kind if kind.startswith("image/") else "image/jpeg"
            asset = await self._make(id, title, {"contentType": kind, "fileName": name, "upload": address})
        return (await self._ready(asset)).sys.id

    async def _make(
        self, id: str, title: str, file: dict[str, Any], description: str = "", existing: Resource | None = None
    ) -> Resource:
        fields = {"title": {self.locale: title[:MAX_SYMBOL]}, "file": {self.locale: file}}
        if description:
            fields["description"] = {self.locale: description}
        headers = version(existing) if existing is not None else {}
        return self.api.decoded(await self.api.call("PUT", f"/assets/{id}", json={"fields": fields}, headers=headers))

    async def _ready(self, asset: Resource) -> Resource:
        """The asset after its file was processed, published if the post is to be."""
        id = asset.sys.id
        if not self._is_processed(asset):
            await self.api.call("PUT", f"/assets/{id}/files/{self.locale}/process", headers=version(asset))
            asset = await self._wait_until_processed(id)
        if self.post.status is PostStatus.PUBLISHED and asset.sys.published_version is None:
            asset = await self.api.published("assets", asset)
        return asset

    async def _wait_until_processed(self, id: str) -> Resource:
        for wait in PROCESSING_WAITS:
            await asyncio.sleep(wait)
            asset = await self.api.existing("assets", id)
            if asset is not None and self._is_processed(asset):
                return asset
        raise PublishFailed(NAME, "Contentful has not fetched it yet; is its address public?", Refusal.TRANSIENT)

    def _kept_of(self, asset: Resource) -> Kept:
        url = str(asset.fields["file"][self.locale]["url"])
        return Kept(f"https:{url}" if url.startswith("//") else url, asset.sys.id)

    def _is_processed(self, asset: Resource) -> bool:
        file = asset.fields.get("file", {}).get(self.locale)
        return isinstance(file, dict) and bool(file.get("url"))


def _id(name: str) -> str:
    return f"contentgen-{hashlib.sha256(name.encode()).hexdigest()[:32]}"
