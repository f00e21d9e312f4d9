"""Decoding of a response's content coding (gzip, deflate) in bounded pieces.

httpx decodes all bytes that arrived in one go, and applies every coding that the header lists: 64 KB that were
compressed twice become gigabytes before a size limit can be checked.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

import httpx

ACCEPT_ENCODING: Final = "gzip, deflate"
_PIECE: Final = 256 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS


class UnsupportedContentCoding(Exception):
    """The Content-Encoding is neither gzip nor deflate, or lists several codings."""


class CorruptBody(Exception):
    """The body cannot be decompressed, or ends before its compressed stream does."""


class ContentDecoder:
    """Decode one body.

    `content_encoding`: the header's value, empty where there is none. Raises UnsupportedContentCoding.
    """

    def __init__(self, content_encoding: str) -> None:
        coding = content_encoding.strip().lower()
        if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise UnsupportedContentCoding(coding[:60])
        self._coding = coding
        self._inflate = zlib.decompressobj(_GZIP if coding.endswith("gzip") else zlib.MAX_WBITS)
        self._started = False

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Yields the decoded bytes in pieces of at most 256 KiB, each decompressed when it is requested.

        `data`: the next bytes of the body as received. Raises CorruptBody.
        """
        if self._coding in ("", "identity"):
            yield data
            return
        try:
            while data:
                piece = self._next(data)
                data = self._inflate.unconsumed_tail
                if piece:
                    yield piece
                if self._inflate.eof:
                    return  # bytes after the end of the compressed stream are not part of the body
        except zlib.error as exc:
            raise CorruptBody(str(exc)) from exc

    def _next(self, data: bytes) -> bytes:
        first, self._started = not self._started, True
        try:
            return self._inflate.decompress(data, _PIECE)
        except zlib.error:
            if not first or self._coding != "deflate":
                raise
            # Some servers send a raw deflate stream without the zlib header (RFC 9110, 8.4.1.2).
            self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._inflate.decompress(data, _PIECE)

    def finish(self) -> None:
        """Raises CorruptBody for a body that ended before its compressed stream did."""
        if self._started and not self._inflate.eof:
            raise CorruptBody("the packed body ends too soon")


async def decode(response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the decoded body of a streamed response in bounded pieces."""
    decoder = ContentDecoder(response.headers.get("content-encoding", ""))
    async for encoded in response.aiter_raw():
        for piece in decoder.decode(encoded):
            yield piece
    decoder.finish()
