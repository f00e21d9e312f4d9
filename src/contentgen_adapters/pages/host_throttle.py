"""Allow one request at a time to each host, with a pause between two requests."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from attrs import define, field

from contentgen_adapters.pages.fetching import FetchFailed
from contentgen_core.page_errors import PageFault

MAX_HOSTS: Final = 10_000


@define
class _Host:
    """The state of one host. `free_at`: when the next request may start (monotonic seconds). `waiting`: requests
    running or queued.
    """

    lock: asyncio.Lock = field(factory=asyncio.Lock)
    free_at: float = 0.0
    waiting: int = 0


class HostThrottle:
    """Serialises the requests of this process to each host.

    `max_hosts`: how many hosts are remembered; the least recently called one without waiting requests is dropped first.
    """

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        max_hosts: int = MAX_HOSTS,
    ) -> None:
        self._monotonic, self._sleep, self._max_hosts = monotonic, sleep, max_hosts
        self._hosts: OrderedDict[str, _Host] = OrderedDict()

    @asynccontextmanager
    async def of(self, name: str, pause: float, max_wait: float) -> AsyncIterator[None]:
        """Holds the host for the block.

        `name`: the host. `pause`: seconds until the next request may start after this one. `max_wait`: seconds to wait
        for requests of others. Raises FetchFailed (TOO_SLOW) when they take longer.
        """
        host = self._host(name)
        host.waiting += 1
        try:
            try:
                async with asyncio.timeout(max_wait):
                    await host.lock.acquire()
            except TimeoutError as exc:
                message = f"others were calling this host for {max_wait:g} s"
                raise FetchFailed(PageFault.TOO_SLOW, message, retryable=True) from exc
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
