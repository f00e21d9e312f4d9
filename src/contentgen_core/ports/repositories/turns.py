"""Work that one process does for all of them."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Turns(Protocol):
    async def take(self, work: str, worker: str, now: datetime, until: datetime) -> bool:
        """Whether this work is the worker's to do until then. It is not while another's turn lasts, nor before the time
        it was put off to. Taking one's turn again prolongs it."""
        ...

    async def put_off(self, work: str, worker: str, until: datetime) -> None:
        """End the worker's turn; nobody's begins before that time. Nothing happens when another has the turn."""
        ...
