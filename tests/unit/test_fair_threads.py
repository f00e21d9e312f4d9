"""Threads that tenants get in turn."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from concurrent.futures import Future

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_http.server.fair_threads import FairThreads
from contentgen_http.telemetry.context import CURRENT, VISITORS, Trace

OWNERS = ("a", "b", "c")


def submitted(threads: FairThreads, owner: str, call: object) -> Future[object]:
    trace = Trace("r")
    trace.tenant_id = owner
    token = CURRENT.set(trace)
    try:
        return threads.submit(call)  # type: ignore[arg-type]
    finally:
        CURRENT.reset(token)


@given(st.lists(st.sampled_from(OWNERS), max_size=30))
@settings(deadline=None)
def test_owners_are_served_in_turn_and_each_ones_calls_in_their_order(asked: list[str]) -> None:
    done: list[tuple[str, int]] = []
    held, go_on = threading.Event(), threading.Event()

    def first() -> None:
        held.set()
        go_on.wait(10)

    with FairThreads(1, 1, "test") as threads:
        threads.submit(first)
        assert held.wait(10)
        for number, owner in enumerate(asked):
            submitted(threads, owner, lambda owner=owner, number=number: done.append((owner, number)))
        go_on.set()
    assert sorted(number for _, number in done) == list(range(len(asked)))
    for owner in OWNERS:
        numbers = [number for each, number in done if each == owner]
        assert numbers == sorted(numbers)
    left = Counter(asked)
    for at, (owner, _) in enumerate(done):
        since = [each for each, _ in done[:at]]
        for other in OWNERS:  # nobody who waits has been passed by more than a turn
            if left[other] and other != owner:
                assert since.count(owner) <= since.count(other) + 1
        left[owner] -= 1


@pytest.mark.parametrize("most", [1, 3])
def test_no_owner_has_more_threads_than_allowed_and_others_find_one(most: int) -> None:
    at_work, highest = Counter[str](), Counter[str]()
    lock, go_on = threading.Lock(), threading.Event()

    def slow() -> None:
        with lock:
            at_work["a"] += 1
            highest["a"] = max(highest["a"], at_work["a"])
        go_on.wait(10)
        with lock:
            at_work["a"] -= 1

    with FairThreads(4, most, "test") as threads:
        flood = [submitted(threads, "a", slow) for _ in range(20)]
        assert submitted(threads, "b", lambda: "passed").result(10) == "passed"
        assert not any(each.done() for each in flood)
        go_on.set()
        for each in flood:
            each.result(10)
    assert highest["a"] == most


def test_a_call_that_is_cancelled_while_it_waits_is_not_run_and_an_error_is_its_callers() -> None:
    held, go_on = threading.Event(), threading.Event()
    ran: list[str] = []

    def first() -> None:
        held.set()
        go_on.wait(10)

    def broken() -> None:
        raise LookupError("this one")

    with FairThreads(1, 1, "test") as threads:
        threads.submit(first)
        assert held.wait(10)
        gone, failing = threads.submit(ran.append, "gone"), threads.submit(broken)
        assert gone.cancel()
        go_on.set()
        with pytest.raises(LookupError, match="this one"):
            failing.result(10)
        assert threads.submit(lambda: 1).result(10) == 1
    assert ran == []
    with pytest.raises(RuntimeError):
        threads.submit(lambda: 1)


async def test_the_work_of_requests_without_a_key_is_that_of_visitors() -> None:
    loop = asyncio.get_running_loop()
    threads = FairThreads(2, 1, "test")
    loop.set_default_executor(threads)
    go_on = threading.Event()
    token = CURRENT.set(Trace("r"))
    try:
        held = asyncio.create_task(asyncio.to_thread(go_on.wait, 10))
        waiting = asyncio.create_task(asyncio.to_thread(lambda: "next"))
        await asyncio.sleep(0.05)
        assert list(threads._waiting) == [VISITORS]
    finally:
        CURRENT.reset(token)
    assert await asyncio.to_thread(lambda: "ours") == "ours"
    go_on.set()
    assert await waiting == "next"
    await held
