"""Who gets a place among processes, and the work of such a process, without starting one."""

from __future__ import annotations

import asyncio
import io
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.pages.content import EXTRACTION, ExtractedPage, ExtractionJob, ExtractionRefused
from contentgen_adapters.shared.processes import worker
from contentgen_adapters.shared.processes.fair_places import FairPlaces, NoPlace
from contentgen_adapters.shared.processes.worker import LENGTH, READY, Outcome, Request
from contentgen_core.testing.page_reader import STORY, article
from tests.support.parsers import PERFORM, Task

MEGABYTE = 1024 * 1024


def served(*requests: Request) -> list[tuple[Outcome, bytes]]:
    """The answers to requests, as they come out of the process."""
    out = io.BytesIO()
    worker.serve(io.BytesIO(b"".join(_framed(msgspec.msgpack.encode(request)) for request in requests)), out)
    rest, answers = out.getvalue().removeprefix(READY), list[tuple[Outcome, bytes]]()
    while rest:
        end = LENGTH + int.from_bytes(rest[:LENGTH])
        answers.append((Outcome(rest[LENGTH]), rest[LENGTH + 1 : end]))
        rest = rest[end:]
    return answers


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(LENGTH) + data


def page(data: bytes, url: str = "https://a.example/") -> Request:
    job = msgspec.msgpack.encode(ExtractionJob(data, url, "text/html"))
    return Request(EXTRACTION.address, job, 1.0, MEGABYTE, MEGABYTE)


def task(act: str, size: int = 0, answer: int = MEGABYTE) -> Request:
    return Request(PERFORM.address, msgspec.msgpack.encode(Task(act, size)), 1.0, MEGABYTE, answer)


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_limit_cpu", "_limit_memory"):  # they would be the limits of the tests
        monkeypatch.setattr(worker, limit, lambda value: None)


def test_jobs_are_answered_one_after_the_other() -> None:
    (first, one), (second, two) = served(page(article().encode()), page(b"\x00\x01"))
    assert first is second is Outcome.DONE
    read, refused = EXTRACTION.answer.decode(one), EXTRACTION.answer.decode(two)
    assert isinstance(read, ExtractedPage)
    assert STORY in read.text
    assert isinstance(refused, ExtractionRefused)


def test_a_job_that_fails_says_how_and_the_next_is_done() -> None:
    outcomes = [outcome for outcome, _ in served(task("allocate", 2**62), task("talk", 9, answer=8), task("raise"))]
    assert outcomes == [Outcome.MEMORY, Outcome.SIZE, Outcome.REFUSED]
    assert served(task("raise"), task("talk", 2))[1] == (Outcome.DONE, msgspec.msgpack.encode("xx"))


keys = st.sampled_from("abc")


@given(st.integers(1, 4), st.lists(st.one_of(keys, st.none(), st.just("leave")), max_size=60))
def test_places_are_given_out_in_turn_and_nobody_has_all(places: int, acts: list[str | None]) -> None:
    """An act: a key asks for a place; None: whoever has had a place longest gives it back; `leave`: whoever waits or
    works and came last goes away."""
    asyncio.run(_given_out(places, acts))


async def _given_out(places: int, acts: list[str | None]) -> None:
    fair, working = FairPlaces(places, waiting=8, waiting_per_key=4), list[tuple[str, asyncio.Event]]()
    refused, tasks = Counter[str](), list[asyncio.Task[None]]()

    async def work(key: str) -> None:
        done = asyncio.Event()
        try:
            async with fair.of(key):
                working.append((key, done))
                try:
                    await done.wait()
                finally:
                    if (key, done) in working:
                        working.remove((key, done))
        except NoPlace:
            refused[key] += 1

    for act in acts:
        if act == "leave":
            for task_ in [task for task in tasks if not task.done()][-1:]:
                task_.cancel()
        elif act is not None:
            tasks.append(asyncio.create_task(work(act)))
        elif working:
            working.pop(0)[1].set()
        for _ in range(4):
            await asyncio.sleep(0)
        held = Counter(key for key, _ in working)
        assert fair.busy == held.total() <= places
        assert all(count <= max(1, places - 1) for count in held.values())
        assert fair.waiting <= 8
        assert not fair.waiting or held.total() == places or len(held) == 1, "nobody waits beside a place for it"
    while working:
        working.pop(0)[1].set()
        for _ in range(4):
            await asyncio.sleep(0)
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (fair.busy, fair.waiting) == (0, 0)


async def test_whoever_waits_behind_many_of_another_is_next() -> None:
    fair, order = FairPlaces(2, waiting=50, waiting_per_key=20), list[str]()

    async def work(key: str) -> None:
        async with fair.of(key):
            order.append(key)
            await asyncio.sleep(0)

    await asyncio.gather(*(work("many") for _ in range(10)), work("few"), work("few"))
    assert order.index("few") < 3
    assert len(order) == 12


async def test_too_many_that_wait_are_refused() -> None:
    fair = FairPlaces(1, waiting=3, waiting_per_key=2)
    async with fair.of("a"):
        waiting = [asyncio.create_task(fair._take(key)) for key in "aab"]
        await asyncio.sleep(0)
        for key in "ac":
            with pytest.raises(NoPlace):
                async with fair.of(key):
                    pass
        for turn in waiting:
            turn.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    assert (fair.busy, fair.waiting) == (0, 0)
