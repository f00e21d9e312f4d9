"""Streams of events across processes, over a kill, and at the end of the service."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from attrs import define, field
from httpx_sse import aconnect_sse

from contentgen_adapters.postgres.embedded import EmbeddedPostgres
from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_adapters.shared.http import tls
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from tests.process.service import BUSY, Service, figure, run
from tests.support.memory_disk import memory_disk
from tests.support.shown import ROOT, blocks

STREAMS = 100
EVENTS = 400
STOP_SECONDS = 2.0


@define
class Site:
    """A database that outlives the services on it, and a tenant."""

    conninfo: str
    folder: Path
    env: dict[str, str]
    stack: ExitStack
    key: str
    tenant_id: TenantId

    def service(self) -> Service:
        """A process on the database; each has a folder of its own, as on a machine of its own."""
        place = Path(tempfile.mkdtemp(dir=self.folder)) / "data"
        service = Service(place, self.env, demo=False)
        self.stack.callback(service.close)
        return service

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[UnitOfWork]:
        async with create_pool(self.conninfo, min_size=1, max_size=2) as pool:
            yield PostgresUnitOfWork(pool)


@pytest.fixture
def site() -> Iterator[Site]:
    place = tempfile.TemporaryDirectory(prefix="contentgen-", dir=memory_disk(), ignore_cleanup_errors=True)
    with place as folder, ExitStack() as stack:
        server = EmbeddedPostgres(Path(folder) / "database")
        conninfo = server.start()
        stack.callback(server.stop)
        keys = {"CONTENTGEN_SECRET_KEY": "one secret for all of the machines", "CONTENTGEN_SEALING_KEYS": "k" * 32}
        env = {"CONTENTGEN_DATABASE_URL": conninfo, **keys}
        migrated = run("migrate", data_dir=Path(folder) / "cli", env=env)
        assert migrated.returncode == 0, migrated.stderr
        command = ["tenants", "create", "--name", "Events", "--plan", "business", "--json"]
        made = run(*command, data_dir=Path(folder) / "cli", env=env)
        assert made.returncode == 0, made.stderr
        tenant = json.loads(made.stdout)
        yield Site(conninfo, Path(folder), env, stack, tenant["apiKey"], TenantId(tenant["tenantId"]))


async def append(unit_of_work: UnitOfWork, tenant_id: TenantId) -> int:
    async with unit_of_work() as tx:
        return (await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant_id))).position


@define
class Client:
    """Reads, and connects again with the last id whenever its stream ends: what every client has to do."""

    address: Callable[[], str]
    key: str
    last: str | None = None
    ids: list[int] = field(factory=list)
    connects: int = 0
    open: asyncio.Event = field(factory=asyncio.Event)

    async def read(self) -> None:
        async with httpx.AsyncClient(timeout=httpx.Timeout(5, read=60), trust_env=False, verify=tls()) as client:
            while True:
                headers = {"X-API-Key": self.key} | ({} if self.last is None else {"Last-Event-ID": self.last})
                try:
                    async with aconnect_sse(
                        client, "GET", f"{self.address()}/agents/events", headers=headers
                    ) as source:
                        self.connects += 1
                        async for event in source.aiter_sse():
                            self.last = event.id
                            self.open.set()
                            if event.data:
                                assert event.event == "agent.updated"
                                self.ids.append(int(event.id))
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.1)


async def finished(clients: list[Client], count: int) -> None:
    async with asyncio.timeout(20 * BUSY):
        while any(not client.ids or client.ids[-1] < count for client in clients):
            await asyncio.sleep(0.05)


async def test_an_event_reaches_the_streams_of_every_process_at_once(site: Site) -> None:
    services = [site.service(), site.service()]
    await asyncio.gather(*(asyncio.to_thread(service.start) for service in services))
    clients = [Client(lambda service=service: str(service.http.base_url), site.key) for service in services]  # type: ignore[misc]
    async with site.writing() as writing, asyncio.TaskGroup() as group:
        reading = [group.create_task(client.read()) for client in clients]
        await asyncio.gather(*(client.open.wait() for client in clients))
        took = []
        for n in range(1, 21):
            began = time.monotonic()
            assert await append(writing, site.tenant_id) == n
            await finished(clients, n)
            took.append(time.monotonic() - began)
        for task in reading:
            task.cancel()
    figure(f"an event was at both processes after {sorted(took)[10]:.3f} s (median), {max(took):.3f} s at most")
    assert [client.ids for client in clients] == [list(range(1, 21))] * 2
    assert sorted(took)[10] < 1.0, "told, not found by looking every now and then"


async def test_a_client_that_resumes_misses_and_repeats_nothing_over_kills(site: Site) -> None:
    service = site.service()
    await asyncio.to_thread(service.start)
    clients = [Client(lambda: str(service.http.base_url), site.key) for _ in range(5)]
    async with site.writing() as writing, asyncio.TaskGroup() as group:
        reading = [group.create_task(client.read()) for client in clients]
        await asyncio.gather(*(client.open.wait() for client in clients))

        async def write() -> None:
            for _ in range(EVENTS):
                await append(writing, site.tenant_id)
                await asyncio.sleep(0.01)

        writer = group.create_task(write())
        for _ in range(2):
            await asyncio.sleep(0.5)
            service.kill()
            await asyncio.sleep(0.3)
            await asyncio.to_thread(service.start)
        await writer
        await finished(clients, EVENTS)
        for task in reading:
            task.cancel()
    assert [client.ids for client in clients] == [list(range(1, EVENTS + 1))] * len(clients)
    assert all(client.connects >= 3 for client in clients)
    assert "Traceback" not in service.log()


async def test_the_example_of_the_howto_follows_and_resumes(site: Site) -> None:
    [example] = [block.text for block in blocks(ROOT / "docs/howto/follow-events.md") if block.language == "python"]
    service = site.service()
    await asyncio.to_thread(service.start)
    env = {**os.environ, "KEY": site.key, "URL": str(service.http.base_url)}
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", example, env=env, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert running.stdout is not None
        async with site.writing() as writing, asyncio.timeout(20 * BUSY):
            while 'route":"/agents/events' not in service.log():
                await asyncio.sleep(0.05)
            for n in range(1, 4):
                await append(writing, site.tenant_id)
                assert (await running.stdout.readline()).decode().split()[:2] == [str(n), "agent.updated"]
            service.kill()
            await append(writing, site.tenant_id)
            await asyncio.to_thread(service.start)
            assert (await running.stdout.readline()).decode().split()[:2] == ["4", "agent.updated"]
    finally:
        running.kill()
        await running.wait()


async def test_open_streams_do_not_hold_up_the_end_of_the_service(site: Site) -> None:
    service = site.service()
    await asyncio.to_thread(service.start)
    async with AsyncExitStack() as stack:
        limits = httpx.Limits(max_connections=None)
        client = await stack.enter_async_context(
            httpx.AsyncClient(timeout=30, limits=limits, trust_env=False, verify=tls())
        )

        async def read() -> str:
            text = ""
            url = f"{service.http.base_url}/agents/events"
            async with client.stream("GET", url, headers={"X-API-Key": site.key}) as answer:
                async for chunk in answer.aiter_text():
                    if not text:
                        opened.release()
                    text += chunk
            return text

        opened = asyncio.Semaphore(0)
        reading = [asyncio.create_task(read()) for _ in range(STREAMS)]
        for _ in reading:
            await opened.acquire()
        stuck = stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
        stuck.sendall(f"GET /agents/events HTTP/1.1\r\nHost: x\r\nX-API-Key: {site.key}\r\n\r\n".encode())
        await asyncio.sleep(0.2)
        assert service.process is not None
        began = time.monotonic()
        service.process.terminate()
        texts = await asyncio.gather(*reading)
        told = time.monotonic() - began
        await asyncio.to_thread(service.process.wait, 10)
        ended = time.monotonic() - began
    figure(f"{STREAMS} streams ended {told:.2f} s after SIGTERM, the process {ended:.2f} s after it")
    assert told < STOP_SECONDS
    assert ended < STOP_SECONDS + 1
    assert {text.splitlines()[-2] for text in texts} == {": the service is stopping"}
    assert "Traceback" not in service.log()
