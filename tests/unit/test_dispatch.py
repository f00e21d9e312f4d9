"""From the table of jobs to the queue and back, over memory: nothing is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import pytest

from contentgen_adapters.memory.job_queue import MemoryJobQueue
from contentgen_core.errors import Unavailable
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, JobId
from contentgen_core.model.job import Claimable, Job, JobKind
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.job_queue import QueueUnavailable
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.testing import builders
from contentgen_core.use_cases import dispatch
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.dispatch import DispatchJobs
from contentgen_http.jobs import job_execution, relay, runner
from contentgen_http.jobs.runner import JobRunner
from contentgen_http.services import Services
from tests.support.changed import changed
from tests.support.house import COVERED, NICHE, House, open_house


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (runner, relay):
        monkeypatch.setattr(module, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(job_execution, "RETRY_SECONDS", 0.02)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


@asynccontextmanager
async def running(
    services: Services, queue: MemoryJobQueue, generations: int = 4, drain_seconds: float = 0.0
) -> AsyncIterator[JobRunner]:
    worker = JobRunner(services, generations, queue=queue, drain_seconds=drain_seconds)
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        worker.stop()
        with suppress(asyncio.CancelledError):
            await asyncio.wait_for(task, 10)


async def start(house: House, topic: str = COVERED) -> ArticleId:
    return await house.services.writing.generate(
        GenerateArticleCommand(house.caller, NICHE, topic, language=Language.EN)
    )


async def ended(house: House, id: ArticleId) -> ArticleStatus:
    async with asyncio.timeout(10):
        while (status := await house.status(id)) is ArticleStatus.GENERATING:
            await asyncio.sleep(0.01)
    return status


def counting(services: Services) -> tuple[Services, list[str]]:
    """The services, and the subject of each generation that is carried out."""
    write, seen = services.jobs.generate_article, []

    async def counted(job: Job) -> None:
        seen.append(job.subject_id)
        await write(job)

    return changed(services, jobs={"generate_article": counted}), seen


class Full(MemoryJobQueue):
    async def waiting(self) -> int:
        return dispatch.MAX_QUEUED


class Breaking(MemoryJobQueue):
    """Goes away in the middle of a batch."""

    async def send(self, ids: Sequence[JobId]) -> None:
        await super().send(ids[:1])
        raise QueueUnavailable("gone")


async def test_a_batch_is_sent_once(house: House) -> None:
    queue = MemoryJobQueue()
    relaying = DispatchJobs(house.services.ports.unit_of_work, queue, house.clock)
    for n in range(3):
        await start(house, f"Heat pump efficiency, part {n}")
    assert len(await relaying()) == 3
    assert len(await relaying()) == 0
    assert await queue.waiting() == 3


async def test_a_long_backlog_stays_in_the_table(house: House) -> None:
    await start(house)
    assert len(await DispatchJobs(house.services.ports.unit_of_work, Full(), house.clock)()) == 0
    assert len(await DispatchJobs(house.services.ports.unit_of_work, MemoryJobQueue(), house.clock)()) == 1


async def test_a_batch_that_broke_off_is_sent_again(house: House) -> None:
    for n in range(3):
        await start(house, f"Heat pump efficiency, part {n}")
    with pytest.raises(QueueUnavailable):
        await DispatchJobs(house.services.ports.unit_of_work, Breaking(), house.clock)()
    assert len(await DispatchJobs(house.services.ports.unit_of_work, MemoryJobQueue(), house.clock)()) == 3


async def test_what_the_queue_lost_is_sent_again_at_once_where_nothing_else_waits(house: House) -> None:
    queue = MemoryJobQueue()
    relaying = DispatchJobs(house.services.ports.unit_of_work, queue, house.clock)
    await start(house)
    await relaying()
    house.clock.advance(seconds=6)
    await relaying.reset_lost()
    assert len(await relaying()) == 0, "its message waits still"
    queue.lose()
    await relaying.reset_lost()
    assert len(await relaying()) == 1


async def test_jobs_go_through_the_queue_and_are_done_once(house: House) -> None:
    services, done = counting(house.services)
    async with running(services, MemoryJobQueue()):
        ids = [await start(house, f"Heat pump efficiency, part {n}") for n in range(9)]
        assert {await ended(house, id) for id in ids} == {ArticleStatus.GENERATED}
    assert sorted(done) == sorted(ids)


async def test_a_message_that_comes_twice_is_done_once(house: House) -> None:
    services, done = counting(house.services)
    queue = MemoryJobQueue()
    house.model.delay = 0.05
    id = await start(house)
    job = (await house.article(id)).job_id
    assert job is not None
    await queue.send([job] * 5)
    async with running(services, queue):
        assert await ended(house, id) is ArticleStatus.GENERATED
        await queue.send([job])
        await asyncio.sleep(0.05)
    assert done == [id]
    assert await house.articles_used() == 1


async def test_a_message_of_no_job_does_no_harm(house: House) -> None:
    queue = MemoryJobQueue()
    await queue.send([JobId("nobody's"), JobId("")])
    async with running(house.services, queue):
        assert await ended(house, await start(house)) is ArticleStatus.GENERATED


async def test_two_relays_and_two_workers_do_each_job_once(house: House) -> None:
    services, done = counting(house.services)
    queue = MemoryJobQueue()
    async with running(services, queue), running(services, queue):
        ids = [await start(house, f"Heat pump efficiency, part {n}") for n in range(12)]
        assert {await ended(house, id) for id in ids} == {ArticleStatus.GENERATED}
    assert sorted(done) == sorted(ids)


async def test_while_the_queue_is_away_jobs_come_from_the_database(house: House) -> None:
    queue = MemoryJobQueue()
    async with running(house.services, queue) as worker:
        assert await ended(house, await start(house, "Heat pump efficiency before")) is ArticleStatus.GENERATED
        queue.away = True
        assert await ended(house, await start(house, "Heat pump efficiency meanwhile")) is ArticleStatus.GENERATED
        assert worker.relay is not None
        assert worker.relay.away
        queue.away = False
        async with asyncio.timeout(5):
            while worker.relay.away:
                await asyncio.sleep(0.01)
        assert await ended(house, await start(house, "Heat pump efficiency after")) is ArticleStatus.GENERATED


async def test_on_a_stop_jobs_may_end_within_the_time_given(house: House) -> None:
    house.model.delay = 0.05
    async with running(house.services, MemoryJobQueue(), drain_seconds=10):
        id = await start(house)
        async with asyncio.timeout(5):
            while not house.model.calls:
                await asyncio.sleep(0.01)
    assert await house.status(id) is ArticleStatus.GENERATED


async def test_on_a_stop_what_takes_longer_is_handed_back_uncounted_and_dispatched_again(house: House) -> None:
    house.model.delay = 60
    queue = MemoryJobQueue()
    async with running(house.services, queue, drain_seconds=0.1):
        id = await start(house)
        async with asyncio.timeout(5):
            while not house.model.calls:
                await asyncio.sleep(0.01)
    assert await house.status(id) is ArticleStatus.GENERATING
    assert len(await DispatchJobs(house.services.ports.unit_of_work, queue, house.clock)()) == 1
    [job] = await house.claim("another")
    assert job.attempts == 1


async def test_a_stop_at_once_does_not_wait(house: House) -> None:
    house.model.delay = 60
    async with running(house.services, MemoryJobQueue(), drain_seconds=60) as worker:
        await start(house)
        async with asyncio.timeout(5):
            while not house.model.calls:
                await asyncio.sleep(0.01)
        worker.stop(at_once=True)
    [job] = await house.claim("another")
    assert job.attempts == 1


async def test_a_message_waits_for_a_database_that_is_away(house: House) -> None:
    away = True
    inner = house.services.ports.unit_of_work

    def unit_of_work():  # type: ignore[no-untyped-def]
        if away:
            raise Unavailable("The database is away.")
        return inner()

    id = await start(house)
    job = (await house.article(id)).job_id
    assert job is not None
    services = changed(house.services, ports={"unit_of_work": unit_of_work})
    execution = job_execution.JobExecution(services, 1, services.handlers, lambda: None)
    carrying = asyncio.create_task(execution.handle(job))
    await asyncio.sleep(0.1)
    assert not carrying.done()
    away = False
    await asyncio.wait_for(carrying, 10)
    assert await house.status(id) is ArticleStatus.GENERATED


async def test_a_post_does_not_stand_behind_articles_that_take_all_places(house: House) -> None:
    written, posted = asyncio.Event(), asyncio.Event()

    async def writing(job: Job) -> None:
        await written.wait()

    async def posting(job: Job) -> None:
        posted.set()
        async with house.services.ports.unit_of_work() as tx:
            await tx[Jobs].finish(job)

    services = changed(house.services, jobs={"generate_article": writing, "publish": posting})
    async with running(services, MemoryJobQueue(), generations=1) as worker:
        await start(house)
        async with asyncio.timeout(5):
            while worker.jobs.free:
                await asyncio.sleep(0.01)
        job = builders.job(tenant_id=house.caller.tenant_id, kind=JobKind.PUBLISH, run_at=house.clock.now())
        async with house.services.ports.unit_of_work() as tx:
            await tx[Jobs].enqueue(job)
        await asyncio.wait_for(posted.wait(), 5)
        assert worker.jobs.free == 0
        written.set()


async def test_of_jobs_that_died_together_twice_half_are_tried_at_a_time(house: House) -> None:
    at_once = most = 0
    write = house.services.jobs.generate_article

    async def counted(job: Job) -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.02)
        await write(job)
        at_once -= 1

    ids = [await start(house, f"Heat pump efficiency, part {n}") for n in range(4)]
    for _ in range(2):
        assert len(await house.claim("a worker that dies")) == 4
        house.clock.advance(seconds=31)
    async with running(changed(house.services, jobs={"generate_article": counted}), MemoryJobQueue()):
        assert {await ended(house, id) for id in ids} == {ArticleStatus.GENERATED}
    assert most == 2


@pytest.mark.parametrize("kind", JobKind)
async def test_a_job_of_any_kind_that_kills_its_process_three_times_ends(house: House, kind: JobKind) -> None:
    job = builders.job(tenant_id=house.caller.tenant_id, kind=kind, run_at=house.clock.now())
    async with house.services.ports.unit_of_work() as tx:
        await tx[Jobs].enqueue(job)
    for attempt in range(1, 4):
        [held] = await house.claim("a worker that dies")
        assert (held.attempts, held.exhausted) == (attempt, False)
        house.clock.advance(seconds=31)
    [held] = await house.claim("another")
    assert held.exhausted
    await house.services.handlers[kind](held)
    house.clock.advance(minutes=5)
    assert await house.claim("a later one") == []


async def test_kills_from_outside_end_no_job_that_was_at_work_beside_others(house: House) -> None:
    ids = [await start(house, f"Heat pump efficiency, part {n}") for n in range(4)]
    for _ in range(5):
        assert len(await house.claim("a worker that is killed")) == 4
        house.clock.advance(seconds=31)
    async with running(house.services, MemoryJobQueue()):
        assert {await ended(house, id) for id in ids} == {ArticleStatus.GENERATED}


async def test_a_clock_that_jumps_ahead_makes_nobody_do_a_job_twice(house: House) -> None:
    """Every lease seems to have run out; whoever had one finds out that another has taken the job."""
    house.model.delay = 0.2
    id = await start(house)
    async with running(house.services, MemoryJobQueue()), running(house.services, MemoryJobQueue()):
        async with asyncio.timeout(5):
            while not house.model.calls:
                await asyncio.sleep(0.01)
        house.clock.advance(hours=1)
        assert await ended(house, id) is ArticleStatus.GENERATED
        await asyncio.sleep(0.5)
    assert await house.articles_used() == 1
    assert await house.claim("another", lease_seconds=0) == []


async def test_a_clock_that_is_put_back_delays_what_is_due_and_loses_nothing(house: House) -> None:
    moment = house.clock.now()
    queue = MemoryJobQueue()
    relaying = DispatchJobs(house.services.ports.unit_of_work, queue, house.clock)
    before = await start(house, "Heat pump efficiency before")
    await relaying()
    queue.lose()
    house.clock.set(moment - timedelta(hours=1))
    after = await start(house, "Heat pump efficiency after")
    async with running(house.services, queue):
        assert await ended(house, after) is ArticleStatus.GENERATED
        assert await house.status(before) is ArticleStatus.GENERATING
        house.clock.set(moment + timedelta(seconds=10))
        assert await ended(house, before) is ArticleStatus.GENERATED
    assert await house.articles_used() == 2


async def test_a_lease_from_the_future_ends_when_its_worker_is_known_to_be_gone(house: House) -> None:
    """A lease is as long as the clock of its worker said; it keeps others away until then and no longer."""
    await start(house)
    house.clock.advance(minutes=5)
    [job] = await house.claim("a worker that dies")
    house.clock.advance(minutes=-5)
    async with house.services.ports.unit_of_work() as tx:
        now = house.clock.now()
        assert await tx[Jobs].claim("w2", frozenset({job.kind}), now, now, 1, frozenset({Claimable.LAPSED})) == []
    house.clock.advance(minutes=5, seconds=31)
    assert len(await house.claim("another")) == 1
