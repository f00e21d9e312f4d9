"""Measure many clients that follow the events of agents, in one process."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

import uvloop
from attrs import frozen

from benchmarks.configuration import embeddings
from benchmarks.load import request
from benchmarks.processes import Program, data_directory, service
from benchmarks.report import Figure, at_most
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.agent_event import AgentEvent, AgentEventKind
from contentgen_core.model.ids import AgentId, TenantId
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings
from contentgen_http.services import Services
from contentgen_http.services.open_services import open_services

DESCRIPTION: Final = "2,000 open event streams in one process: memory, delivery, closing"

TENANTS: Final = 20
STREAMS: Final = 2_000
EVENTS: Final = 50
SETTLE_SECONDS: Final = 3.0
LIMIT_SECONDS: Final = 60.0
MOST_MIB: Final = 300.0
CLOSING_SECONDS: Final = 2.0
_EVENT: Final = b"\ndata: "


@frozen
class Reader:
    """A tenant with the key that its streams are opened with."""

    tenant_id: TenantId
    key: str


@frozen
class Measured:
    before: float
    opened: float
    idle: float
    delivered: Sequence[float]
    everywhere: float
    closed: float
    ended: float


def run() -> list[Figure]:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, STREAMS + 1_000), most))
    with (
        data_directory() as folder,
        service(folder / "data") as program,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        found = runner.run(_run(folder / "data", program))
    each = STREAMS // TENANTS
    delivered = sorted(found.delivered)
    extra = found.opened - found.before
    return [
        at_most(
            f"memory of {STREAMS:,} open streams beyond that of none",
            extra,
            MOST_MIB,
            " MiB",
            product=f"{found.before:.0f} → {found.opened:.0f} MiB ({1024 * extra / STREAMS:.0f} KiB a stream)",
            reference="",
        ),
        Figure(
            f"CPU of the process while {STREAMS:,} streams are open and nothing happens",
            f"{100 * found.idle:.1f} % of a core",
            result=f"{100 * found.idle:.1f} %",
            target="(information)",
        ),
        at_most(
            f"an event at all {each} streams of its tenant: median",
            1000 * delivered[len(delivered) // 2],
            1000,
            " ms",
            product=f"p50 {1000 * delivered[len(delivered) // 2]:.0f}, longest {1000 * delivered[-1]:.0f} ms",
            reference="(from before it is written)",
        ),
        at_most(
            f"an event of each of {TENANTS} tenants at once, at all {STREAMS:,} streams",
            1000 * found.everywhere,
            1000,
            " ms",
            product=f"{1000 * found.everywhere:.0f} ms",
            reference="(from before the first is written)",
        ),
        at_most(
            f"seconds from SIGTERM until {STREAMS:,} streams have ended",
            found.closed,
            CLOSING_SECONDS,
            " s",
            product=f"{found.closed:.2f} s (the process: {found.ended:.2f} s)",
            reference="",
        ),
    ]


class _Stream(asyncio.Protocol):
    """Counts blocks with data; nothing else is read of what comes."""

    def __init__(self, audience: _Audience, head: bytes) -> None:
        self._audience, self._head = audience, head
        self._open = False
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).write(self._head)

    def data_received(self, data: bytes) -> None:
        data, self._rest = self._rest + data, b""
        if not self._open:
            if b"\nid: " not in data:
                self._rest = data
                return
            if not data.startswith(b"HTTP/1.1 200 "):
                raise RuntimeError(data[:500].decode("utf-8", "replace"))
            self._open = True
            self._audience.count("open")
        for _ in range(data.count(_EVENT)):
            self._audience.count("event")
        self._rest = data[data.rfind(b"\n") :] if len(data) - data.rfind(b"\n") < len(_EVENT) else b""

    def connection_lost(self, exc: Exception | None) -> None:
        self._audience.count("closed")


class _Audience:
    """All streams together, and how many events they received."""

    def __init__(self) -> None:
        self._counts = {"open": 0, "event": 0, "closed": 0}
        self._changed = asyncio.Event()

    def count(self, what: str) -> None:
        self._counts[what] += 1
        self._changed.set()

    async def reached(self, what: str, count: int) -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            while self._counts[what] < count:
                self._changed.clear()
                await self._changed.wait()


async def _run(data_dir: Path, program: Program) -> Measured:
    settings = Settings(embeddings=embeddings(), data_dir=data_dir)
    with database(settings) as db:
        async with open_services(settings, db.conninfo) as services:
            readers = [await _reader(services) for _ in range(TENANTS)]
            return await _measured(services, readers, program)


async def _measured(services: Services, readers: Sequence[Reader], program: Program) -> Measured:
    await _opened(_Audience(), program, readers[:1], 1)  # what the first one loads is no cost of the others
    await asyncio.sleep(SETTLE_SECONDS)
    before = program.rss_mib()
    audience = _Audience()
    await _opened(audience, program, readers, STREAMS)
    await asyncio.sleep(SETTLE_SECONDS)
    cpu = program.cpu_seconds()
    await asyncio.sleep(SETTLE_SECONDS)
    idle = (program.cpu_seconds() - cpu) / SETTLE_SECONDS
    delivered, told = [], 1
    each = STREAMS // TENANTS
    for n in range(EVENTS):
        begun = time.perf_counter()
        await _happens(services, readers[n % TENANTS])
        await audience.reached("event", told * each)
        delivered.append(time.perf_counter() - begun)
        told += 1
    begun = time.perf_counter()
    await asyncio.gather(*(_happens(services, reader) for reader in readers))
    await audience.reached("event", EVENTS * each + STREAMS)
    everywhere = time.perf_counter() - begun
    opened = program.rss_mib()
    begun = time.perf_counter()
    program.process.terminate()
    await audience.reached("closed", STREAMS)
    closed = time.perf_counter() - begun
    await asyncio.to_thread(program.process.wait, LIMIT_SECONDS)
    return Measured(before, opened, idle, delivered, everywhere, closed, time.perf_counter() - begun)


async def _reader(services: Services) -> Reader:
    made = await services.people.tenants.create("Benchmark", PlanName.BUSINESS)
    return Reader(made.tenant.id, made.key.secret)


async def _opened(audience: _Audience, program: Program, readers: Sequence[Reader], count: int) -> None:
    loop = asyncio.get_running_loop()
    for n in range(count):
        head = request("/agents/events", X_API_Key=readers[n % len(readers)].key).encode("ascii")
        await loop.create_connection(lambda head=head: _Stream(audience, head), "127.0.0.1", program.port)  # type: ignore[misc]
        if n % 50 == 49:
            await audience.reached("open", n + 1)
    await audience.reached("open", count)


async def _happens(services: Services, reader: Reader) -> None:
    event = AgentEvent(
        tenant_id=reader.tenant_id,
        kind=AgentEventKind.AGENT_UPDATED,
        at=services.ports.clock.now(),
        agent_id=AgentId("0199b6c2-7d3e-7c10-8000-000000000001"),
        agent_key=AgentKey("home-energy", "GB"),
        agent_name="Home energy (GB)",
    )
    async with services.ports.unit_of_work() as tx:
        await tx[AgentEvents].append(event)
