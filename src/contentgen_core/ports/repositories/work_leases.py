"""Leases on periodic work that only one process does at a time."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class WorkLeases(Protocol):
    """Named leases, shared by all processes."""

    async def acquire(self, work: str, worker: str, now: datetime, until: datetime) -> bool:
        """Acquire or renew the lease on `work` until `until`; whether `worker` holds it now. It does not while another
        worker's lease lasts, nor before the time given to `release_until`."""
        ...

    async def holder(self, work: str) -> str | None:
        """Who acquired the lease last and has not released it; it may have run out."""
        ...

    async def release_until(self, work: str, worker: str, until: datetime) -> None:
        """End the worker's lease; it cannot be acquired before `until`. Nothing happens if another worker holds it."""
        ...
