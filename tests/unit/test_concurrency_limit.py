"""Requests that take long: so many of a tenant at a time, the next ones in turn, the others told to come back."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_core.errors import TooManyAtOnce
from contentgen_http.server.concurrency_limit import SLOW_WAITING_FOR_EACH, ConcurrencyLimit, RequestLimits
from contentgen_http.server.fair_threads import FairThreads
from contentgen_http.telemetry.context import CURRENT, Trace
from tests.support.waiting import until

TENANTS = ("a", "b", "c")


async def test_a_request_too_many_is_told_how_many_there_may_be_and_when_to_come_back() -> None:
    limit = ConcurrencyLimit(2)
    held = [await limit.acquire("a") for _ in range(2)]
    waiting = [asyncio.create_task(limit.acquire("a")) for _ in range(2 * SLOW_WAITING_FOR_EACH)]
    await asyncio.sleep(0)
    with pytest.raises(TooManyAtOnce, match="2 requests of yours") as refused:
        await limit.acquire("a")
    assert (refused.value.limit, refused.value.retry_after) == (2, 2.0)
    (await limit.acquire("b")).release()
    for permit in held:
        permit.release()
    for task in waiting:
        (await task).release()
    assert not limit._of


async def test_who_waits_too_long_is_told_to_come_back() -> None:
    limit = ConcurrencyLimit(1, max_wait=0.01)
    held = await limit.acquire("a")
    with pytest.raises(TooManyAtOnce):
        await limit.acquire("a")
    held.release()
    (await limit.acquire("a")).release()
    assert not limit._of


@given(st.lists(st.tuples(st.sampled_from(TENANTS), st.sampled_from(("ask", "end", "go"))), max_size=60))
@settings(deadline=None)
def test_nobody_has_more_turns_than_allowed_and_none_is_lost(steps: list[tuple[str, str]]) -> None:
    async def play() -> None:
        limit, most = ConcurrencyLimit(2, max_wait=60), 2
        tasks: dict[str, list[asyncio.Task[object]]] = {tenant: [] for tenant in TENANTS}
        at_work: Counter[str] = Counter()
        ends: dict[str, asyncio.Queue[None]] = {tenant: asyncio.Queue() for tenant in TENANTS}

        async def request(tenant: str) -> None:
            permit = await limit.acquire(tenant)
            at_work[tenant] += 1
            try:
                assert at_work[tenant] <= most
                await ends[tenant].get()
            finally:
                at_work[tenant] -= 1
                permit.release()

        for tenant, step in steps:
            match step:
                case "ask":
                    tasks[tenant].append(asyncio.create_task(request(tenant)))
                case "end":
                    ends[tenant].put_nowait(None)
                case _ if tasks[tenant]:
                    tasks[tenant].pop().cancel()
            for _ in range(3):
                await asyncio.sleep(0)
        everyone = [task for of_tenant in tasks.values() for task in of_tenant]
        for task in everyone:
            task.cancel()
        results = await asyncio.gather(*everyone, return_exceptions=True)
        assert {type(result) for result in results} <= {type(None), asyncio.CancelledError, TooManyAtOnce}
        await asyncio.sleep(0)
        assert not limit._of

    asyncio.run(play())


async def test_a_turn_lasts_as_long_as_the_thread_of_a_request_that_has_gone() -> None:
    asyncio.get_running_loop().set_default_executor(FairThreads(4, 4, "test"))
    limit, goes_on, begun = ConcurrencyLimit(1, max_wait=0.01), threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        goes_on.wait(10)

    async def request() -> None:
        trace = Trace("r")
        CURRENT.set(trace)
        trace.permit = await limit.acquire("a")
        try:
            await asyncio.to_thread(slow)
        finally:
            trace.permit.release()

    working = asyncio.create_task(request())
    await until(begun.is_set)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    with pytest.raises(TooManyAtOnce):
        await limit.acquire("a")
    goes_on.set()
    await until(lambda: not limit._of)


async def test_ordinary_requests_pass_the_slow_ones_of_their_tenant() -> None:
    limits, traces = RequestLimits.of(1), [Trace(str(n)) for n in range(3)]
    await limits.enter(traces[0], "a", slow=True)
    waiting = asyncio.create_task(limits.enter(traces[1], "a", slow=True))
    await limits.enter(traces[2], "a")
    await asyncio.sleep(0)
    assert not waiting.done()
    traces[0].release()
    await waiting
    for trace in traces[1:]:
        trace.release()
        trace.release()  # a stream's place is given back when it begins
    assert not limits.slow._of
    assert not limits.ordinary._of
