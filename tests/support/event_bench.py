"""An event hub over a memory whose reads are counted, on a loop whose waits take no time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any

from attrs import define, field

from contentgen_adapters.memory.repositories.agent_events import MemoryAgentEvents
from contentgen_adapters.memory.unit_of_work import MemoryTransaction, MemoryUnitOfWork
from contentgen_core.errors import Unavailable
from contentgen_core.model.agent_event import AgentEvent
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.testing import builders
from contentgen_http.api.event_streams.hub import EventHub
from contentgen_http.api.event_streams.stream import EventStream, Lost
from tests.support.virtual_time import virtually

A, B = builders.tenant(), builders.tenant()


@define
class Watched:
    """Memory whose reads are counted, and slow or failing where a test wants them so."""

    inner: MemoryUnitOfWork = field(factory=MemoryUnitOfWork)
    reads: list[tuple[TenantId, int]] = field(factory=list)
    polls: int = 0
    at_once: int = 0
    most_at_once: int = 0
    seconds: float = 0.0
    away: bool = False

    def __call__(self) -> Any:
        return self._transaction()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[MemoryTransaction]:
        if self.away:
            raise Unavailable("The database is away.")
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            async with self.inner() as tx:
                tx._repositories[AgentEvents] = _Counted(tx[AgentEvents], self)
                yield tx
        finally:
            self.at_once -= 1


class _Counted(MemoryAgentEvents):
    def __init__(self, events: MemoryAgentEvents, watched: Watched) -> None:
        super().__init__(events._session)
        self._watched = watched

    async def after(self, tenant_id: TenantId, position: int, limit: int) -> list[AgentEvent]:
        self._watched.reads.append((tenant_id, position))
        found = await super().after(tenant_id, position, limit)
        await asyncio.sleep(self._watched.seconds)  # what is appended meanwhile is not in it
        return found

    async def last_positions(self, tenant_ids: Any) -> dict[TenantId, int]:
        self._watched.polls += 1
        return await super().last_positions(tenant_ids)


@define
class Bench:
    data: Watched
    hub: EventHub

    async def happens(self, tenant_id: TenantId = A.id, times: int = 1, **changes: Any) -> None:
        for _ in range(times):
            async with self.data.inner() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant_id, **changes))

    async def settled(self) -> None:
        """Everything that takes no time has been done."""
        await asyncio.sleep(0.001)


def hub_test(**options: Any) -> Callable[[Callable[[Bench], Coroutine[Any, Any, None]]], Callable[[], None]]:
    """The test on an event loop whose waits take no time. `deaf`: no word of an event ever arrives."""
    deaf = options.pop("deaf", False)

    def decorate(test: Callable[[Bench], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        async def run() -> None:
            data = Watched()
            async with data.inner() as tx:
                await tx[Tenants].add(A)
                await tx[Tenants].add(B)
            hub = EventHub(data, _silence if deaf else data.inner.agent_event_wake_ups, **options)
            try:
                await test(Bench(data, hub))
            finally:
                await hub.aclose()

        @wraps(test)
        def virtual() -> None:
            virtually(run())

        del virtual.__wrapped__  # type: ignore[attr-defined]  # pytest would take the bench for a fixture
        return virtual

    return decorate


async def _silence() -> AsyncGenerator[TenantId | None, None]:
    yield None
    await asyncio.Event().wait()


async def received(stream: EventStream, seconds: float = 0.01) -> list[int | Lost]:
    """What a stream receives until nothing comes for a while: positions, and what was lost."""
    items: list[int | Lost] = []
    while got := await stream.next(seconds):
        items += (item if isinstance(item, Lost) else item.position for item in got)
    return items
