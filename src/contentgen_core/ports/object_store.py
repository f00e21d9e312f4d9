"""The store of the originals of uploaded files."""

from __future__ import annotations

from typing import Protocol


class ObjectStore(Protocol):
    """Bytes by key. A key is a path of the form `tenant/kind/id`: letters, digits, `-`, `_` and `.` between slashes."""

    async def put(self, key: str, content: bytes) -> None:
        """Store the content, replacing a former one; readers see the old or the new, never a part. Raises
        Unavailable."""
        ...

    async def get(self, key: str) -> bytes:
        """Return the content. Raises NotFound, Unavailable."""
        ...

    async def delete(self, key: str) -> None:
        """Idempotent. Raises Unavailable."""
        ...

    async def check(self) -> None:
        """Check that the store can be used. Raises Unavailable."""
        ...
