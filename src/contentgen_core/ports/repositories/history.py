"""Rows of what is over, of all tenants together."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from contentgen_core.model.history import History


class Histories(Protocol):
    async def forget(self, what: History, before: datetime, limit: int) -> int:
        """Delete at most `limit` of these that began before this time (a quota's window: ended before it), the oldest
        first; how many there were. What is under way, or waits for a person, stays."""
        ...
