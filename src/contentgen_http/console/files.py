"""GET /console/assets: the console's style and scripts."""

from __future__ import annotations

from litestar import Controller, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from contentgen_http.console.assets import assets


class FileRoutes(Controller):
    @get("/assets/{digest:str}/{name:str}")
    async def file(self, digest: FromPath[str], name: FromPath[str]) -> Response[bytes]:
        """A file under the hash of its content, which never changes."""
        asset = assets().get(name)
        if asset is None or asset.digest != digest:
            raise NotFoundException
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(asset.content, media_type=asset.media_type, headers=headers)
