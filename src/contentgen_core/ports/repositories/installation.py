"""Facts about the installation that all its processes share."""

from __future__ import annotations

from typing import Protocol


class Installation(Protocol):
    async def find(self, name: str) -> str | None:
        """The value of this fact; None when none is stored."""
        ...

    async def get_or_put(self, name: str, value: str) -> str:
        """The value of this fact; `value` is stored if there is none. Exact under any concurrency."""
        ...

    async def put(self, name: str, value: str) -> None:
        """Store a value, replacing a former one."""
        ...
