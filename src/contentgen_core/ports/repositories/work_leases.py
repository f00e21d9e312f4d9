"""Leases on work that one process at a time does for all of them."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class WorkLeases(Protocol):
    async def take(self, work: str, worker: str, now: datetime, until: datetime) -> bool:
        """Take or prolong the lease on `work` until `until`; whether `worker` has it now. It has not while another's
        lease lasts, nor before the time that the work was put off to."""
        ...

    async def put_off(self, work: str, worker: str, until: datetime) -> None:
        """End the worker's lease; no other begins before `until`. Nothing happens when another holds it."""
        ...
