"""Unpacking a compressed body piece by piece, never more at a time than asked for.

httpx unpacks whatever arrived in one go and as often as the header says: 64 KB that were packed twice become gigabytes
before anybody can count them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

ACCEPTED: Final = "gzip, deflate"
_PIECE: Final = 256 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS


class UnknownPacking(Exception):
    """The body is packed in a way that was not asked for, or more than once."""


class Damaged(Exception):
    """The body cannot be unpacked, or ends too soon."""


class Unpacker:
    """Raises UnknownPacking for a Content-Encoding other than gzip and deflate."""

    def __init__(self, content_encoding: str) -> None:
        packing = content_encoding.strip().lower()
        if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise UnknownPacking(packing[:60])
        self._packing = packing
        self._inflate = zlib.decompressobj(_GZIP if packing.endswith("gzip") else zlib.MAX_WBITS)
        self._started = False

    def unpack(self, data: bytes) -> Iterator[bytes]:
        """The unpacked bytes in pieces of at most 256 KiB; to stop asking is to stop unpacking. Raises Damaged."""
        if self._packing in ("", "identity"):
            yield data
            return
        try:
            while data:
                piece = self._next(data)
                data = self._inflate.unconsumed_tail
                if piece:
                    yield piece
                if self._inflate.eof:
                    return  # what follows the packed body is none of it
        except zlib.error as exc:
            raise Damaged(str(exc)) from exc

    def _next(self, data: bytes) -> bytes:
        first, self._started = not self._started, True
        try:
            return self._inflate.decompress(data, _PIECE)
        except zlib.error:
            if not first or self._packing != "deflate":
                raise
            # Some servers take `deflate` for the format without its header (RFC 9110, 8.4.1.2).
            self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._inflate.decompress(data, _PIECE)

    def finish(self) -> None:
        """Raises Damaged for a body that ended too soon."""
        if self._started and not self._inflate.eof:
            raise Damaged("the packed body ends too soon")
