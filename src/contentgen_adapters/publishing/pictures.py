"""Fetches pictures to upload them to a target."""

from __future__ import annotations

import hashlib
from typing import Final

import httpx
from attrs import frozen

from contentgen_adapters.publishing.bodies.texts import tag_slugs
from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, send
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.publishing_target import Post
from contentgen_core.ports.publishing import PublishFailed, Refusal

MAX_BYTES: Final = 10 * 1024 * 1024
MAX_REDIRECTS: Final = 5
MOST_PICTURES: Final = 20
"""Of a text that are uploaded; the others stay links."""
_RETRY_POLICY: Final = RetryPolicy(total=45.0, attempts=2)
_SIGNATURES: Final = (
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"GIF87a", "image/gif", "gif"),
    (b"GIF89a", "image/gif", "gif"),
)


@frozen
class Picture:
    """A picture. `type`: its media type. `extension`: for a file name, without the dot."""

    content: bytes
    type: str
    extension: str


def file_stem(post: Post, address: str | None = None) -> str:
    """A file name without extension for the image at this address, by default the featured one. It depends on slug and
    address of the image only, so that an earlier upload is found by it and not repeated."""
    readable = "".join(tag_slugs((post.slug,), most=1, longest=60, separator="-")) or "image"
    return f"{readable}-{digest_of(address or post.featured_image or '')}"


def digest_of(name: str) -> str:
    """Return the part of a file's name that identifies its picture."""
    return hashlib.sha256(name.encode()).hexdigest()[:10]


async def fetch_picture(provider: str, client: httpx.AsyncClient, address: str) -> Picture:
    """A JPEG, PNG, GIF or WebP picture of at most MAX_BYTES, without sending credentials.

    `provider`: its name in messages. `client`: guarded, redirects included. Raises PublishFailed.
    """
    content = await _content(provider, client, address)
    for signature, type, extension in _SIGNATURES:
        if content.startswith(signature):
            return Picture(content, type, extension)
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return Picture(content, "image/webp", "webp")
    raise _picture_failure(provider, "is no JPEG, PNG, GIF or WebP")


async def _content(provider: str, client: httpx.AsyncClient, address: str) -> bytes:
    peer = Peer("the picture", "featuredImage")
    at = httpx.URL(address)
    for _ in range(MAX_REDIRECTS + 1):
        try:
            request = client.build_request("GET", at, headers={"Accept": "image/webp,image/jpeg,image/png,image/gif"})
            return (await send(client, request, peer=peer, retry_policy=_RETRY_POLICY, max_bytes=MAX_BYTES)).content
        except BadStatus as error:
            location = error.response.headers.get("location")
            if not error.response.is_redirect or not location:
                message = f"cannot be fetched (HTTP {error.response.status_code})"
                raise _picture_failure(provider, message, retryable=error.retryable) from error
            at = at.join(location)
        except (ProviderFailed, httpx.InvalidURL) as error:
            said = str(error).removeprefix(f"{peer.name}: ")
            retryable = isinstance(error, ProviderFailed) and error.retryable
            raise _picture_failure(provider, f"cannot be fetched: {said}", retryable=retryable) from error
    raise _picture_failure(provider, "cannot be fetched: its address redirects too often")


def _picture_failure(provider: str, message: str, *, retryable: bool = False) -> PublishFailed:
    refusal = Refusal.TRANSIENT if retryable else Refusal.INVALID
    return PublishFailed(provider, f"the picture {message}", refusal)
