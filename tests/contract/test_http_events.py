"""GET /agents/events over a real connection."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import httpx
import jsonschema_rs
import pytest
import uvicorn
from attrs import define
from httpx_sse import EventSource, ServerSentEvent, aconnect_sse

from contentgen_adapters.shared.http import tls
from contentgen_core.errors import Unavailable
from contentgen_core.model.agent_event import AgentEventKind
from contentgen_core.model.ids import ApiKeyId, ArticleId, ExecutionId, TenantId
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_http.api.event_streams import answer
from contentgen_http.app import end_streams
from tests.support.changed import changed
from tests.support.house import House, open_house
from tests.support.http import Generous, faults_of, problem_of
from tests.support.prepared_app import create_app

SOON_SECONDS = 5.0


@define
class Live:
    """A house behind a real port."""

    house: House
    app: Any
    client: httpx.AsyncClient
    key: str

    @property
    def tenant_id(self) -> TenantId:
        return self.house.caller.tenant_id

    async def key_of(self, caller: Caller) -> str:
        return (await self.house.services.people.keys.create(caller, "A key")).secret

    async def happens(self, tenant_id: TenantId | None = None, **changes: Any) -> int:
        async with self.house.services.ports.unit_of_work() as tx:
            event = builders.agent_event(tenant_id=tenant_id or self.tenant_id, **changes)
            return (await tx[AgentEvents].append(event)).position

    @asynccontextmanager
    async def stream(self, key: str | None = None, path: str = "/agents/events", **headers: str) -> AsyncIterator[Read]:
        sent = {"X-API-Key": key or self.key} | {name.replace("_", "-"): value for name, value in headers.items()}
        async with aconnect_sse(self.client, "GET", path, headers=sent) as source:
            assert source.response.status_code == 200, await source.response.aread()
            yield Read(source)

    async def get(self, path: str = "/agents/events", key: str | None = None, **headers: str) -> httpx.Response:
        """An answer that is no stream."""
        sent = {"X-API-Key": key or self.key} | {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.get(path, headers=sent)

    async def open_streams(self) -> int:
        text = (await self.client.get("/metrics")).text
        found = re.search(r"^contentgen_event_streams (\d+)", text, re.M)
        assert found is not None
        return int(found.group(1))


class Read:
    """What a stream says, event by event."""

    def __init__(self, source: EventSource) -> None:
        self.headers = source.response.headers
        self._events = source.aiter_sse()

    async def any(self) -> ServerSentEvent:
        async with asyncio.timeout(SOON_SECONDS):
            return await anext(self._events)

    async def next(self) -> ServerSentEvent:
        while not (event := await self.any()).data:
            pass
        return event

    async def ids(self, count: int) -> list[int]:
        return [int((await self.next()).id) for _ in range(count)]

    async def end(self) -> None:
        with suppress(StopAsyncIteration):
            while True:
                await self.any()


@asynccontextmanager
async def live(**options: Any) -> AsyncIterator[Live]:
    async with open_house(PlanName.BUSINESS) as house:
        house.caller = (
            await house.services.people.tenants.create("Quiet", PlanName.BUSINESS)
        ).caller  # nothing happened yet
        app = create_app(changed(house.services, ports={"rate_limiter": Generous()}), **options)
        config = uvicorn.Config(app, port=0, log_config=None, access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", timeout=10, limits=limits, verify=tls()
        ) as client:
            here = Live(house, app, client, "")
            here.key = await here.key_of(house.caller)
            yield here
        end_streams(app)
        server.should_exit = True
        await serving


async def test_events_are_named_numbered_and_carry_their_agent() -> None:
    async with live() as here, here.stream() as read:
        await here.happens(kind=AgentEventKind.AGENT_UPDATED, agent_name="Énergie\n\U0001f321", enabled=False)
        await here.happens(
            kind=AgentEventKind.EXECUTION_COMPLETED, execution_id=ExecutionId("e1"), article_ids=(ArticleId("a1"),)
        )
        await here.happens(
            kind=AgentEventKind.EXECUTION_FAILED, execution_id=ExecutionId("e2"), error="nothing to write about"
        )
        updated, completed, failed = [await read.next() for _ in range(3)]
    assert (updated.event, updated.id) == ("agent.updated", "1")
    data = updated.json()
    assert (data["name"], data["enabled"], data["at"]) == ("Énergie\n\U0001f321", False, "2026-03-10T12:00:00Z")
    assert set(data) == {"agentId", "agentKey", "name", "enabled", "at"}
    assert (completed.event, completed.id) == ("execution.completed", "2")
    assert (completed.json()["executionId"], completed.json()["articleIds"]) == ("e1", ["a1"])
    assert "error" not in completed.json()
    assert (failed.event, failed.json()["error"], failed.json()["articleIds"]) == (
        "execution.failed", "nothing to write about", [],
    )  # fmt: skip


async def test_every_kind_of_event_is_as_described() -> None:
    async with live() as here, here.stream() as read:
        document = (await here.get("/openapi.json")).json()
        operation = document["paths"]["/agents/events"]["get"]
        content = operation["responses"]["200"]["content"]
        assert set(content) == {"text/event-stream"}
        assert {"lastEventId", "Last-Event-ID"} == {parameter["name"] for parameter in operation["parameters"]}
        schema = content["text/event-stream"]["x-event-data"] | {"components": document["components"]}
        for kind in AgentEventKind:
            await here.happens(kind=kind, execution_id=ExecutionId("e") if kind.startswith("execution") else None)
            event = await read.next()
            assert event.event == kind
            jsonschema_rs.Draft202012Validator(schema).validate(event.json())


async def test_the_answer_is_a_stream_that_nobody_keeps() -> None:
    async with live() as here, here.stream() as read:
        assert read.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert read.headers.get_list("cache-control") == ["no-store"]
        assert read.headers["x-accel-buffering"] == "no"
        assert read.headers["ratelimit-limit"] == "2000"
        assert read.headers["x-request-id"]
        assert "content-length" not in read.headers


async def test_the_first_block_is_no_event_but_says_where_to_resume() -> None:
    async with live() as here:
        for _ in range(3):
            await here.happens()
        async with here.stream() as read:
            first = await read.any()
        assert (first.id, first.data, first.retry) == ("3", "", 2_000)
        await here.happens()
        async with here.stream(Last_Event_ID=first.id) as read:
            assert await read.ids(1) == [4]


async def test_a_stream_resumes_after_the_header_or_the_parameter_and_the_header_wins() -> None:
    async with live() as here:
        for _ in range(5):
            await here.happens()
        async with here.stream(Last_Event_ID="2") as read:
            assert await read.ids(3) == [3, 4, 5]
        async with here.stream(path="/agents/events?lastEventId=3") as read:
            assert await read.ids(2) == [4, 5]
        async with here.stream(path="/agents/events?lastEventId=0", Last_Event_ID="4") as read:
            assert await read.ids(1) == [5]
            await here.happens()
            assert await read.ids(1) == [6]


async def test_what_is_no_longer_kept_is_said_before_the_stream_goes_on() -> None:
    async with live() as here:
        await here.happens(at=MOMENT.replace(year=2020))
        await here.happens()
        async with here.stream(Last_Event_ID="0") as read:
            lost, kept = await read.next(), await read.next()
        assert (lost.event, lost.id, lost.json()) == ("events.lost", "1", {"after": 0, "resumesAfter": 1})
        assert (kept.event, kept.id) == ("agent.updated", "2")
        async with here.stream(Last_Event_ID="77") as read:
            lost = await read.next()
        assert (lost.event, lost.id, lost.json()) == ("events.lost", "2", {"after": 77, "resumesAfter": 2})


@pytest.mark.parametrize("bad", ["x", "-1", "01", "1.0", "", " ", "1" * 19, "١"])
async def test_a_bad_position_is_refused(bad: str) -> None:
    async with live() as here:
        refused = await here.client.get("/agents/events", headers={"X-API-Key": here.key}, params={"lastEventId": bad})
        assert set(faults_of(refused)) == {"lastEventId"}
        if bad.isascii() and bad != " ":
            sent = [("X-API-Key", here.key), ("Last-Event-ID", bad)]
            refused = await here.client.get("/agents/events", headers=sent)
            assert set(faults_of(refused)) == {"Last-Event-ID"}


async def test_two_positions_are_refused() -> None:
    async with live() as here:
        twice = [("X-API-Key", here.key), ("Last-Event-ID", "1"), ("Last-Event-ID", "1")]
        assert set(faults_of(await here.client.get("/agents/events", headers=twice))) == {"Last-Event-ID"}


async def test_a_stream_tells_of_one_tenant() -> None:
    async with live() as here:
        other = (await here.house.services.people.tenants.create("Other", PlanName.PRO)).caller
        async with here.stream() as mine, here.stream(await here.key_of(other), Last_Event_ID="0") as theirs:
            await here.happens(agent_name="mine")
            await here.happens(other.tenant_id, agent_name="theirs")
            assert (await mine.next()).json()["name"] == "mine"
            assert (await theirs.next()).json()["name"] == "theirs"
            await here.happens(agent_name="mine again")
            await here.happens(other.tenant_id, agent_name="theirs again")
            assert (await mine.next()).json()["name"] == "mine again"
            assert (await theirs.next()).json()["name"] == "theirs again"


async def test_without_a_key_there_is_no_stream() -> None:
    async with live() as here:
        assert problem_of(await here.client.get("/agents/events"))["code"] == "unauthenticated"
        assert problem_of(await here.get(key="cg_wrong"))["status"] == 401


async def test_comments_keep_a_quiet_stream_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer.KEEP_ALIVE_SECONDS == 15
    monkeypatch.setattr(answer, "KEEP_ALIVE_SECONDS", 0.05)
    async with live() as here, here.client.stream("GET", "/agents/events", headers={"X-API-Key": here.key}) as raw:
        text = ""
        async with asyncio.timeout(SOON_SECONDS):
            async for chunk in raw.aiter_text():
                text += chunk
                if text.count("\n\n") == 4:
                    break
    assert text == "retry: 2000\nid: 0\n\n" + ": keep-alive\n\n" * 3


async def test_the_streams_of_a_revoked_key_end_within_about_a_second() -> None:
    async with live() as here:
        kept = await here.key_of(here.house.caller)
        async with here.stream() as revoked, here.stream() as revoked_too, here.stream(kept) as staying:
            services = here.house.services
            ids = [key.id for key in await services.people.keys.list(here.house.caller)]
            await services.people.keys.revoke(
                here.house.caller, ApiKeyId(ids[1])
            )  # the newest first: this is the older one
            began = asyncio.get_running_loop().time()
            await revoked.end()
            await revoked_too.end()
            assert asyncio.get_running_loop().time() - began < 1.5
            position = await here.happens()
            assert await staying.ids(1) == [position]
        assert problem_of(await here.get())["code"] == "unauthenticated"


async def test_the_streams_of_an_expired_key_end() -> None:
    async with live() as here:
        expiry = here.house.clock.now().replace(hour=13)
        key = (await here.house.services.people.keys.create(here.house.caller, "Short", expiry)).secret
        async with here.stream(key) as read:
            here.house.clock.advance(hours=2)
            await read.end()


async def test_streams_survive_while_nobody_can_say_whether_their_key_works(monkeypatch: pytest.MonkeyPatch) -> None:
    async with live() as here, here.stream() as read:
        callers = type(here.house.services.people.authenticate)

        async def away(*_: object) -> None:
            raise Unavailable("The database is away.")

        monkeypatch.setattr(callers, "revalidate", away)
        await asyncio.sleep(1.2)
        await here.happens()
        assert await read.ids(1) == [1]


async def test_open_streams_are_bounded_for_a_tenant_and_for_the_process() -> None:
    async with live(event_streams=3, event_streams_of_tenant=2) as here, AsyncExitStack() as open_:
        other = await here.key_of((await here.house.services.people.tenants.create("Other", PlanName.PRO)).caller)
        for _ in range(2):
            await open_.enter_async_context(here.stream())
        refused = await here.get()
        problem = problem_of(refused)
        assert (problem["status"], problem["code"], problem["limit"], problem["used"]) == (
            429, "too_many_streams", 2, 2,
        )  # fmt: skip
        assert int(refused.headers["retry-after"]) > 0
        async with here.stream(other):
            assert await here.open_streams() == 3
            full = await here.get(key=other)
            assert (problem_of(full)["status"], problem_of(full)["code"]) == (503, "unavailable")
            assert int(full.headers["retry-after"]) > 0
        async with asyncio.timeout(SOON_SECONDS):
            while await here.open_streams() > 2:
                await asyncio.sleep(0.02)
        async with here.stream(other) as read:
            await read.any()


async def test_a_reader_that_goes_away_is_noticed() -> None:
    async with live() as here:
        async with here.stream():
            assert await here.open_streams() == 1
        async with asyncio.timeout(SOON_SECONDS):
            while await here.open_streams():
                await asyncio.sleep(0.02)


async def test_all_streams_end_when_the_service_is_to_stop_and_new_ones_are_refused() -> None:
    async with live() as here, AsyncExitStack() as open_:
        reads = [await open_.enter_async_context(here.stream()) for _ in range(20)]
        began = asyncio.get_running_loop().time()
        end_streams(here.app)
        await asyncio.gather(*(read.end() for read in reads))
        assert asyncio.get_running_loop().time() - began < 1
        assert problem_of(await here.get())["status"] == 503
        assert await here.open_streams() == 0


async def test_a_database_that_is_away_refuses_a_stream() -> None:
    async with live() as here:
        await here.get("/tenant")  # the key is known

        def away() -> Any:
            raise Unavailable("The database is away.", 3)

        hub = here.app.state["event_hub"]
        hub._unit_of_work = away
        refused = await here.get()
        assert (problem_of(refused)["status"], refused.headers["retry-after"]) == (503, "3")
        assert await here.open_streams() == 0


async def test_a_stream_counts_as_the_time_until_it_began() -> None:
    async with live() as here:
        async with here.stream() as read:
            await asyncio.sleep(0.7)
            text = (await here.client.get("/metrics")).text
            assert 'route_seconds_count{route="/agents"} 1.0' in text
            await here.happens()
            await read.next()
        async with asyncio.timeout(SOON_SECONDS):
            while await here.open_streams():
                await asyncio.sleep(0.02)
        text = (await here.client.get("/metrics")).text
        assert 'route_seconds_count{route="/agents"} 1.0' in text
        [seconds] = re.findall(r'route_seconds_sum\{route="/agents"\} (\S+)', text)
        assert float(seconds) < 0.5


async def test_other_methods_are_refused_as_everywhere() -> None:
    async with live() as here:
        for method in ("HEAD", "POST", "DELETE"):
            refused = await here.client.request(method, "/agents/events", headers={"X-API-Key": here.key})
            assert refused.status_code == 405, method


async def test_a_single_block_is_one_line_of_data() -> None:
    event = builders.agent_event(tenant_id=TenantId("t"), agent_name="a\r\nb\u2028c", position=5)
    name, *_ = answer.encode([event]).decode().split("\n")
    assert name == "id: 5"
    data = answer.encode([event]).decode().split("\n")[2]
    assert json.loads(data.removeprefix("data: "))["name"] == "a\r\nb\u2028c"
