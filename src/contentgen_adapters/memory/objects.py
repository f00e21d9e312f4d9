"""`ObjectStore` in memory."""

from __future__ import annotations

from contentgen_core.errors import NotFound


class MemoryObjects:
    def __init__(self) -> None:
        self._objects: dict[str, bytes] = {}

    async def put(self, key: str, content: bytes) -> None:
        self._objects[key] = bytes(content)

    async def get(self, key: str) -> bytes:
        try:
            return self._objects[key]
        except KeyError:
            raise NotFound("object", key) from None

    async def delete(self, key: str) -> None:
        self._objects.pop(key, None)

    async def check(self) -> None:
        return None
