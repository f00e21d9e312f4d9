"""Each stream gets each event once, in order, whatever happens meanwhile; the database is asked once for all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from datetime import timedelta
from typing import Any

import pytest

from contentgen_adapters.memory.repositories.agent_events import AGENT_EVENTS
from contentgen_core.errors import TooManyStreams, Unavailable
from contentgen_core.model.agent_event import KEPT
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.testing.runtime import MOMENT
from contentgen_http.api.event_streams import stream as streams
from contentgen_http.api.event_streams.hub import PAGE, POLL_SECONDS, READS_AT_ONCE, EventHub
from contentgen_http.api.event_streams.stream import BUFFERED, EndReason, EventStream, Lost
from tests.support.event_bench import A, B, Bench, Watched, hub_test, received
from tests.support.virtual_time import now, virtually


@hub_test()
async def test_without_a_position_a_stream_begins_now(bench: Bench) -> None:
    await bench.happens(times=3)
    stream = await bench.hub.follow(A.id)
    assert stream.position == 3
    await bench.happens(times=2)
    assert await received(stream) == [4, 5]


@hub_test()
async def test_what_happens_before_a_stream_is_first_read_from_is_told(bench: Bench) -> None:
    stream = await bench.hub.follow(A.id)
    await bench.happens()
    assert await received(stream) == [1]


@hub_test()
async def test_a_position_is_resumed_after_over_many_pages(bench: Bench) -> None:
    await bench.happens(times=2 * PAGE + 7)
    stream = await bench.hub.follow(A.id, 5)
    assert await received(stream) == list(range(6, 2 * PAGE + 8))
    await bench.happens()
    assert await received(stream) == [2 * PAGE + 8]


@hub_test()
async def test_streams_that_join_while_events_come_miss_and_repeat_none(bench: Bench) -> None:
    bench.data.seconds = 0.05
    total = 120

    async def follow(after: int | None, start: float) -> tuple[int, list[int | Lost]]:
        await asyncio.sleep(start)
        stream = await bench.hub.follow(A.id, after)
        return stream.position, await received(stream, 20)

    readers = [asyncio.create_task(follow(after, n / 50)) for n, after in enumerate([None, 0, None, 3, 0, 1] * 10)]
    for n in range(total):
        await bench.happens()
        await asyncio.sleep(0.01 * (n % 3))
    for position, items in await asyncio.gather(*readers):
        assert items == list(range(position + 1, total + 1))


@hub_test()
async def test_one_query_serves_all_streams_of_a_tenant(bench: Bench) -> None:
    readers = [await bench.hub.follow(A.id) for _ in range(50)]
    waiting = [asyncio.create_task(received(stream, 1)) for stream in readers]
    await bench.settled()
    bench.data.reads.clear()
    await bench.happens()
    assert await asyncio.gather(*waiting) == [[1]] * 50
    assert bench.data.reads == [(A.id, 0)]


@hub_test()
async def test_words_that_come_while_a_query_runs_lead_to_one_more(bench: Bench) -> None:
    stream = await bench.hub.follow(A.id)
    waiting = asyncio.create_task(received(stream, 5))
    await bench.settled()
    bench.data.reads.clear()
    bench.data.seconds = 1.0
    for _ in range(6):
        await bench.happens()
        await asyncio.sleep(0.1)
    assert await waiting == [1, 2, 3, 4, 5, 6]
    assert len(bench.data.reads) == 2


@hub_test()
async def test_a_tenant_is_told_of_its_own_events_only(bench: Bench) -> None:
    mine, theirs = await bench.hub.follow(A.id), await bench.hub.follow(B.id)
    waiting = [asyncio.create_task(received(stream, 1)) for stream in (mine, theirs)]
    await bench.settled()
    bench.data.reads.clear()
    await bench.happens(B.id, times=2)
    assert await asyncio.gather(*waiting) == [[], [1, 2]]
    assert {tenant for tenant, _ in bench.data.reads} == {B.id}


@hub_test(deaf=True)
async def test_an_event_whose_word_was_lost_is_found_by_looking(bench: Bench) -> None:
    stream = await bench.hub.follow(A.id)
    began = now()
    waiting = asyncio.create_task(stream.next(1_000))
    await bench.settled()
    await bench.happens()
    assert len(await waiting) == 1
    assert now() - began <= POLL_SECONDS + 1


@hub_test(deaf=True)
async def test_looking_asks_once_for_all_tenants_and_only_for_those_with_open_streams(bench: Bench) -> None:
    await bench.happens(B.id, times=3)
    first, second = await bench.hub.follow(A.id), await bench.hub.follow(B.id)
    waiting = [asyncio.create_task(received(stream, 5 * POLL_SECONDS)) for stream in (first, second)]
    await asyncio.sleep(POLL_SECONDS / 2)
    bench.data.polls, bench.data.reads = 0, []
    await bench.happens(B.id)
    await asyncio.sleep(4 * POLL_SECONDS)
    assert (bench.data.polls, bench.data.reads) == (4, [(B.id, 3)])
    assert await asyncio.gather(*waiting) == [[], [4]]
    first.close()
    second.close()
    bench.data.polls = 0
    await asyncio.sleep(3 * POLL_SECONDS)
    assert bench.data.polls == 0


@hub_test()
async def test_events_that_are_no_longer_kept_are_reported(bench: Bench) -> None:
    await bench.happens(times=4, at=MOMENT)
    await bench.happens(times=2, at=MOMENT + KEPT + timedelta(hours=1))
    assert await received(await bench.hub.follow(A.id, 1)) == [Lost(1, 4), 5, 6]
    assert await received(await bench.hub.follow(A.id, 4)) == [5, 6]


@hub_test()
async def test_a_stream_goes_on_although_nothing_that_it_knew_of_is_kept(bench: Bench) -> None:
    await bench.happens(times=3)
    async with bench.data.inner() as tx:
        session = tx[AgentEvents]._session
        await session.writing()
        for position in (1, 2, 3):
            session[AGENT_EVENTS].drop((A.id, position))
    stream = await bench.hub.follow(A.id, 1)
    assert await received(stream) == [Lost(1, 3)]
    await bench.happens()
    assert await received(stream) == [4]


@hub_test()
async def test_a_position_that_was_never_reached_is_taken_for_the_present_one(bench: Bench) -> None:
    await bench.happens(times=2)
    stream = await bench.hub.follow(A.id, 900)
    assert await received(stream) == [Lost(900, 2)]
    await bench.happens()
    assert await received(stream) == [3]


@hub_test()
async def test_a_reader_that_is_too_slow_is_ended_and_resumes_where_it_was(bench: Bench) -> None:
    slow, quick = await bench.hub.follow(A.id), await bench.hub.follow(A.id)
    assert await slow.next(0.01) == []
    reading = asyncio.create_task(received(quick, 60))
    await bench.happens(times=BUFFERED)
    await bench.settled()
    assert slow.ended is None
    await bench.happens()
    await bench.settled()
    assert slow.ended is EndReason.SLOW
    assert slow._buffer == []
    assert len(await reading) == BUFFERED + 1
    slow.close()
    assert len(await received(await bench.hub.follow(A.id, slow.position))) == BUFFERED + 1


@hub_test()
async def test_whatever_a_stream_waits_for_ends_with_it(bench: Bench) -> None:
    waits: list[Callable[[EventStream], Any]] = [
        lambda stream: stream.next(1_000),
        lambda stream: asyncio.sleep(1_000),  # as a reader that takes nothing
    ]
    for wait in waits:
        stream = await bench.hub.follow(A.id)
        asyncio.get_running_loop().call_later(3, stream.end, EndReason.KEY)
        began = now()
        async with stream.until_end():
            await wait(stream)
        assert now() - began == pytest.approx(3, abs=0.1)
        stream.end(EndReason.SLOW)
        assert stream.ended is EndReason.KEY


@hub_test()
async def test_a_stream_that_ended_before_it_was_read_from_gives_nothing(bench: Bench) -> None:
    stream = await bench.hub.follow(A.id, 0)
    await bench.happens()
    stream.end(EndReason.STOPPING)
    given = []
    async with stream.until_end():
        given += await stream.next(1_000)
    assert given == []


@hub_test()
async def test_a_timeout_of_the_readers_own_is_not_taken_for_the_end(bench: Bench) -> None:
    stream = await bench.hub.follow(A.id)
    with pytest.raises(TimeoutError):
        async with stream.until_end():
            raise TimeoutError


@hub_test()
async def test_closing_ends_all_streams_at_once_and_takes_no_more(bench: Bench) -> None:
    readers = [await bench.hub.follow(tenant.id) for tenant in (A, B) for _ in range(10)]

    async def read(stream: EventStream) -> None:
        async with stream.until_end():
            await stream.next(1_000)
        stream.close()

    reading = [asyncio.create_task(read(stream)) for stream in readers]
    await bench.settled()
    began = now()
    bench.hub.close()
    await asyncio.gather(*reading)
    assert now() - began < 0.01
    assert {stream.ended for stream in readers} == {EndReason.STOPPING}
    assert bench.hub.open == 0
    with pytest.raises(Unavailable):
        await bench.hub.follow(A.id)


@hub_test(most_of_tenant=2, most_open=3)
async def test_open_streams_are_bounded_and_a_closed_one_makes_room(bench: Bench) -> None:
    first = await bench.hub.follow(A.id)
    await bench.hub.follow(A.id)
    with pytest.raises(TooManyStreams) as refused:
        await bench.hub.follow(A.id)
    assert (refused.value.limit, refused.value.used) == (2, 2)
    await bench.hub.follow(B.id)
    with pytest.raises(Unavailable):
        await bench.hub.follow(B.id)
    first.close()
    first.close()
    assert bench.hub.open == 2
    await bench.hub.follow(A.id)


@hub_test(most_open=1)
async def test_a_stream_that_could_not_be_opened_takes_no_place(bench: Bench) -> None:
    bench.data.away = True
    with pytest.raises(Unavailable, match="away"):
        await bench.hub.follow(A.id)
    bench.data.away = False
    await bench.hub.follow(A.id)


@hub_test()
async def test_an_event_waits_for_the_database_to_come_back(bench: Bench) -> None:
    stream = await bench.hub.follow(A.id)
    waiting = asyncio.create_task(stream.next(1_000))
    await bench.settled()
    bench.data.away = True
    await bench.happens()
    await asyncio.sleep(5)
    assert not waiting.done()
    bench.data.away = False
    assert len(await waiting) == 1


@hub_test()
async def test_many_streams_that_open_at_once_leave_connections_to_others(bench: Bench) -> None:
    bench.data.seconds = 0.1
    await bench.happens(times=3)
    readers = await asyncio.gather(*(bench.hub.follow(A.id, 0) for _ in range(40)))
    assert await asyncio.gather(*(received(stream, 30) for stream in readers)) == [[1, 2, 3]] * 40
    assert bench.data.most_at_once <= READS_AT_ONCE


def test_a_failure_of_the_listener_is_made_up_for_by_looking() -> None:
    async def broken() -> AsyncGenerator[TenantId | None, None]:
        yield None
        raise RuntimeError("what nobody thought of")

    async def run() -> None:
        data = Watched()
        async with data.inner() as tx:
            await tx[Tenants].add(A)
        hub = EventHub(data, broken)
        bench = Bench(data, hub)
        stream = await hub.follow(A.id)
        waiting = asyncio.create_task(stream.next(1_000))
        await asyncio.sleep(15)
        await bench.happens()
        assert len(await waiting) == 1
        await hub.aclose()

    virtually(run())


def test_a_buffer_holds_more_than_a_page() -> None:
    assert streams.BUFFERED >= 2 * PAGE
