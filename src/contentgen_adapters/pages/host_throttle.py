"""Politeness: one request at a time for each host, and a pause after it."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from attrs import define, field

from contentgen_adapters.pages.fetching import Unread
from contentgen_core.errors import PageFault

MAX_HOSTS: Final = 10_000


@define
class _Host:
    """`free_at`: when the next request may start (monotonic seconds). `waiting`: who is in or in line."""

    lock: asyncio.Lock = field(factory=asyncio.Lock)
    free_at: float = 0.0
    waiting: int = 0


class HostThrottle:
    """Of one process; the hosts called longest ago are forgotten first, but none that somebody waits for."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        max_hosts: int = MAX_HOSTS,
    ) -> None:
        self._monotonic, self._sleep, self._max_hosts = monotonic, sleep, max_hosts
        self._hosts: OrderedDict[str, _Host] = OrderedDict()

    @asynccontextmanager
    async def of(self, name: str, pause: float, patience: float) -> AsyncIterator[None]:
        """The turn to call a host. `pause`: seconds to leave free after it. Raises Unread (TOO_SLOW) when it does not
        come within `patience` seconds."""
        host = self._host(name)
        host.waiting += 1
        try:
            try:
                async with asyncio.timeout(patience):
                    await host.lock.acquire()
            except TimeoutError as exc:
                message = f"others were calling this host for {patience:g} s"
                raise Unread(PageFault.TOO_SLOW, message, retryable=True) from exc
            try:
                wait = host.free_at - self._monotonic()
                if wait > 0:
                    await self._sleep(wait)
                yield
            finally:
                host.free_at = self._monotonic() + pause
                host.lock.release()
        finally:
            host.waiting -= 1

    def _host(self, name: str) -> _Host:
        host = self._hosts.setdefault(name, _Host())
        self._hosts.move_to_end(name)
        if len(self._hosts) > self._max_hosts:
            oldest = next((other for other, known in self._hosts.items() if not known.waiting and other != name), None)
            if oldest is not None:
                del self._hosts[oldest]
        return host
