"""Loads featured images that are embedded in exported files."""

from __future__ import annotations

from typing import Final

import httpx
from attrs import frozen

from contentgen_adapters.shared.http import Peer, RetryPolicy, send
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_core.errors import ProviderFailed

MAX_BYTES: Final = 10 * 1024 * 1024
RETRY_POLICY: Final = RetryPolicy(total=10.0, attempts=1)
_SIGNATURES: Final = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF87a", b"GIF89a")


@frozen
class LoadedPicture:
    """A picture and the address it was loaded from."""

    url: str
    content: bytes


async def load_picture(client: httpx.AsyncClient, url: str) -> LoadedPicture | None:
    """A JPEG, PNG, GIF or WebP picture of at most MAX_BYTES; None for anything else. Never SVG, which may run scripts.

    `client`: guarded, since users enter the address.
    """
    address = web_address(url)
    if address is None:
        return None
    try:
        request = client.build_request("GET", address, headers={"Accept": "image/jpeg, image/png, image/webp;q=0.5"})
        peer = Peer("The featured image", "featuredImage")
        response = await send(client, request, peer=peer, retry_policy=RETRY_POLICY, max_bytes=MAX_BYTES)
    except (ProviderFailed, httpx.InvalidURL):
        return None
    content = response.content
    known = content.startswith(_SIGNATURES) or (content[:4] == b"RIFF" and content[8:12] == b"WEBP")
    return LoadedPicture(address, content) if known else None
