"""Pictures as Contentful's assets. Contentful fetches and processes their files by itself, after it was told to."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import frozen

from contentgen_adapters.publishing.bodies.contentful_fields import MAX_SYMBOL
from contentgen_adapters.publishing.contentful_api import NAME, ContentfulApi, Resource, version
from contentgen_core.ports.publishing import PublishFailed, Refusal

PROCESSING_WAITS: Final = (0.0, 0.3, 0.7, 1.5, 3.0, 5.0, 5.0)
"""Seconds before each look at an image that Contentful fetches."""


@frozen
class Assets:
    """Each has an id that is made from its picture, so that a picture is one asset. `locale`: of their files and
    texts."""

    api: ContentfulApi
    locale: str

    async def at(self, address: str, title: str, *, public: bool) -> str:
        """The id of the asset of the picture at an address, which Contentful fetches. `public`: whether the asset is to
        be published. Raises PublishFailed."""
        id = f"contentgen-{hashlib.sha256(address.encode()).hexdigest()[:32]}"
        asset = await self.api.existing("assets", id)
        if asset is None:
            name = urlsplit(address).path.rpartition("/")[2][:100] or "image"
            kind = mimetypes.guess_type(name)[0] or ""
            kind = kind if kind.startswith("image/") else "image/jpeg"
            asset = await self._made(id, title, {"contentType": kind, "fileName": name, "upload": address})
        await self._ready(asset, public=public)
        return id

    async def _made(self, id: str, title: str, file: dict[str, Any]) -> Resource:
        fields = {"title": {self.locale: title[:MAX_SYMBOL]}, "file": {self.locale: file}}
        return self.api.decoded(await self.api.call("PUT", f"/assets/{id}", json={"fields": fields}))

    async def _ready(self, asset: Resource, *, public: bool) -> Resource:
        """The asset after its file was processed."""
        id = asset.sys.id
        if not self._is_processed(asset):
            await self.api.call("PUT", f"/assets/{id}/files/{self.locale}/process", headers=version(asset))
            asset = await self._processed(id)
        if public and asset.sys.published_version is None:
            asset = await self.api.published("assets", asset)
        return asset

    async def _processed(self, id: str) -> Resource:
        for wait in PROCESSING_WAITS:
            await asyncio.sleep(wait)
            asset = await self.api.existing("assets", id)
            if asset is not None and self._is_processed(asset):
                return asset
        raise PublishFailed(NAME, "Contentful has not fetched it yet; is its address public?", Refusal.TRANSIENT)

    def _is_processed(self, asset: Resource) -> bool:
        file = asset.fields.get("file", {}).get(self.locale)
        return isinstance(file, dict) and bool(file.get("url"))
