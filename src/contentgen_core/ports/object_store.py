"""The store of the originals of uploaded files."""

from __future__ import annotations

from typing import Protocol


class ObjectStore(Protocol):
    """Bytes by key. A key is a path of the form `tenant/kind/id`: letters, digits, `-`, `_` and `.` between slashes."""

    async def put(self, key: str, content: bytes) -> None:
        """Store, replacing a former content; readers see the old or the new, never a part. Raises Unavailable."""
        ...

    async def get(self, key: str) -> bytes:
        """Raises NotFound, Unavailable."""
        ...

    async def delete(self, key: str) -> None:
        """Idempotent. Raises Unavailable."""
        ...

    async def check(self) -> None:
        """Raises Unavailable when the store cannot be used."""
        ...
