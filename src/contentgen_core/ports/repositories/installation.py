"""Facts about the installation as a whole, which its processes have to agree on."""

from __future__ import annotations

from typing import Protocol


class Installation(Protocol):
    async def find(self, name: str) -> str | None:
        """The fact that was recorded; None when there is none of this name."""
        ...

    async def agree(self, name: str, value: str) -> str:
        """The fact that was recorded first: this one, if there was none. Exact under any concurrency."""
        ...

    async def replace(self, name: str, value: str) -> None:
        """Another fact from now on."""
        ...
