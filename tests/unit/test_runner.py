"""The claim loop over memory, in real time: it works, hands back, and survives what its jobs do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from attrs import define, evolve
from structlog.testing import capture_logs

from contentgen_core.errors import Unavailable
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.niche import Niche
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import ArticleQuery
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.trends import Findings
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.niches.catalogue import PRECONFIGURED
from contentgen_http.jobs import job_execution, runner
from contentgen_http.jobs.admission import EVERY_SECONDS, IN_ANY_CASE, Admission
from contentgen_http.jobs.runner import JobRunner
from contentgen_http.services import Services
from tests.support.changed import changed
from tests.support.house import COVERED, NICHE, House, open_house
from tests.support.waiting import until


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(job_execution, "RETRY_SECONDS", 0.02)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


@asynccontextmanager
async def running(services: Services, generations: int = 4) -> AsyncIterator[JobRunner]:
    worker = JobRunner(services, generations)
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def start(house: House, topic: str = COVERED) -> ArticleId:
    return await house.services.writing.generate(
        GenerateArticleCommand(house.caller, NICHE, topic, language=Language.EN)
    )


async def ended(house: House, id: ArticleId) -> ArticleStatus:
    async with asyncio.timeout(10):
        while (status := await house.status(id)) is ArticleStatus.GENERATING:
            await asyncio.sleep(0.01)
    return status


async def test_a_running_runner_writes_what_is_asked_for(house: House) -> None:
    async with running(house.services):
        ids = [await start(house, f"Heat pump efficiency, part {n}") for n in range(9)]
        assert {await ended(house, id) for id in ids} == {ArticleStatus.GENERATED}


async def test_no_more_jobs_run_at_once_than_allowed(house: House) -> None:
    at_once, most = 0, 0
    write = house.services.jobs.generate_article

    async def counted(job: Job) -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.01)
        await write(job)
        at_once -= 1

    services = changed(house.services, jobs={"generate_article": counted})
    async with running(services, generations=2):
        ids = [await start(house, f"Heat pump efficiency, part {n}") for n in range(6)]
        for id in ids:
            await ended(house, id)
    assert most == 2


async def test_a_late_loop_takes_no_more_than_a_few_and_the_rest_once_it_keeps_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Admission, "note", lambda self, seconds: None)  # it stays as late as it is said to be here
    going_on = asyncio.Event()
    write = house.services.jobs.generate_article

    async def waiting(job: Job) -> None:
        await going_on.wait()
        await write(job)

    services = changed(house.services, jobs={"generate_article": waiting})
    async with running(services, generations=20) as worker:
        worker.admission.late = 1.0
        ids = [await start(house, f"Heat pump efficiency, part {n}") for n in range(12)]
        await until(lambda: worker.jobs.running == IN_ANY_CASE)
        await asyncio.sleep(3 * EVERY_SECONDS)
        assert worker.jobs.running == IN_ANY_CASE
        worker.admission.late = 0.0
        await until(lambda: worker.jobs.running == len(ids))
        going_on.set()
        assert {await ended(house, id) for id in ids} == {ArticleStatus.GENERATED}


async def test_a_post_does_not_stand_behind_articles_that_take_all_places(house: House) -> None:
    written, posted = asyncio.Event(), asyncio.Event()

    async def writing(job: Job) -> None:
        await written.wait()

    async def posting(job: Job) -> None:
        posted.set()
        async with house.services.ports.unit_of_work() as tx:
            await tx[Jobs].finish(job)

    services = changed(house.services, jobs={"generate_article": writing, "publish": posting})
    async with running(services, generations=1) as worker:
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


async def test_on_shutdown_a_job_is_handed_back_and_its_attempt_is_not_counted(house: House) -> None:
    house.model.delay = 60
    id = await start(house)
    async with running(house.services):
        async with asyncio.timeout(5):
            while not house.model.calls:
                await asyncio.sleep(0.01)
    assert await house.status(id) is ArticleStatus.GENERATING
    [job] = await house.claim("another")
    assert job.attempts == 1


async def test_on_shutdown_changes_of_the_index_that_are_under_way_are_left_to_others(house: House) -> None:
    begun = asyncio.Event()

    class Slow:
        async def upsert(self, passages: object) -> None:
            begun.set()
            await asyncio.Event().wait()

        async def is_empty(self) -> bool:
            return False

    apply = evolve(house.services.knowledge.apply_index_changes, index=Slow())
    async with house.services.ports.unit_of_work() as tx:
        documents = await tx[Knowledge].all_documents(None, 100)
        await tx[Knowledge].mark_changed(documents)
    async with running(changed(house.services, knowledge={"apply_index_changes": apply})):
        await asyncio.wait_for(begun.wait(), 5)
        assert await house.services.knowledge.apply_index_changes("another") == 0  # it is claimed
    assert await house.services.knowledge.apply_index_changes("another") == len(documents)


async def test_a_job_whose_database_went_away_goes_on_when_it_is_back(house: House) -> None:
    write, calls = house.services.jobs.generate_article, list[datetime]()

    async def unlucky(job: Job) -> None:
        calls.append(job.run_at)
        assert job.attempts == 1, "waiting for the database is no attempt"
        if len(calls) <= 5:
            raise Unavailable("The database is away.")
        await write(job)

    async def pass_time(worker: JobRunner) -> None:
        while True:
            await asyncio.sleep(0.01)
            if len(calls) > 1 and worker.jobs.free == 4:
                house.clock.advance(seconds=1)
                worker.wake()

    id = await start(house)
    async with running(changed(house.services, jobs={"generate_article": unlucky})) as worker:
        passing = asyncio.create_task(pass_time(worker))
        assert await ended(house, id) is ArticleStatus.GENERATED
        passing.cancel()
    assert len(calls) == 6
    pauses = [(later - earlier).total_seconds() for earlier, later in pairwise(calls)]
    assert pauses[0] == 0
    assert all(pause >= least for pause, least in zip(pauses, (0, 4, 8, 15, 15), strict=True)), "ever longer"
    assert max(pauses) < 20, "what it was interrupted by may be over long since"


async def test_an_attempt_that_stands_still_is_ended_and_the_next_one_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_execution, "LONGEST_ATTEMPT_SECONDS", 0.2)
    write, attempts = house.services.jobs.generate_article, 0

    async def standing_still(job: Job) -> None:
        nonlocal attempts
        attempts += 1
        monkeypatch.setattr(job_execution, "LONGEST_ATTEMPT_SECONDS", 60)  # for the attempts to come
        if attempts == 1:
            await asyncio.Event().wait()
        await write(job)

    id = await start(house)
    async with running(changed(house.services, jobs={"generate_article": standing_still})):
        assert await ended(house, id) is ArticleStatus.GENERATED
    assert attempts == 2


async def test_a_handler_that_breaks_does_not_stop_the_others(house: House) -> None:
    write = house.services.jobs.generate_article
    poisoned = await start(house, "Heat pump poison in winter")

    async def breaking(job: Job) -> None:
        if job.subject_id == poisoned:
            raise ZeroDivisionError
        await write(job)

    async with running(changed(house.services, jobs={"generate_article": breaking})):
        assert await ended(house, await start(house)) is ArticleStatus.GENERATED
        assert await house.status(poisoned) is ArticleStatus.GENERATING


async def test_a_wake_up_is_faster_than_the_next_poll(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "POLL_SECONDS", 30.0)
    told: asyncio.Queue[None] = asyncio.Queue()

    async def wake_ups() -> AsyncIterator[None]:
        while True:
            await told.get()
            yield

    async with running(changed(house.services, ports={"wake_ups": wake_ups})):
        await asyncio.sleep(0.05)
        id = await start(house)
        told.put_nowait(None)
        assert await ended(house, id) is ArticleStatus.GENERATED


async def test_processes_together_poll_as_often_as_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def step() -> None:
        if len(waits) == 3:
            raise asyncio.CancelledError

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        await JobRunner(house.services, 1, pollers=4)._poll(step)
    first, *others = waits
    assert 0 <= first < 4 * runner.POLL_SECONDS  # at another moment than those that started with it
    assert others == [4 * runner.POLL_SECONDS] * 2


async def test_a_lost_index_is_rebuilt_from_the_database(house: House) -> None:
    await house.services.ports.index.clear()
    async with running(house.services):
        async with asyncio.timeout(5):
            while await house.services.ports.index.is_empty():
                await asyncio.sleep(0.01)
        assert await ended(house, await start(house)) is ArticleStatus.GENERATED
    assert (await house.services.writing.articles.page(ArticleQuery(house.caller.tenant_id))).total == 1


@define
class Wire:
    """A finder of trends that counts how often it is asked, and cannot ask one feed."""

    asked: int = 0

    async def find(self, niche: Niche, since: datetime) -> Findings:
        self.asked += 1
        return Findings(faults=("https://news.example.org/feed: away",))


@pytest.mark.parametrize("every", [None, timedelta(hours=1)], ids=["off", "hourly"])
async def test_trends_are_refreshed_once_an_interval_where_one_is_set_and_their_faults_are_one_line(
    house: House, every: timedelta | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "TRENDS_POLL_SECONDS", 0.01)
    wire = Wire()
    services = changed(
        house.services,
        upkeep={"refresh_trends": evolve(house.services.upkeep.refresh_trends, finders=(wire,), every=every)},
    )
    niches = len(PRECONFIGURED)
    with capture_logs() as logged:
        async with running(services), running(services):
            if every:
                await until(lambda: any("trends" in line["event"] for line in logged), 30)
            await asyncio.sleep(0.1)  # in which nobody asks again
    assert wire.asked == (niches if every else 0)
    told = [line for line in logged if "trends" in line["event"]]
    assert [(line["log_level"], line["unread"]) for line in told] == ([("warning", niches)] if every else [])
    assert all(len(line["reasons"]) == runner.FAULTS_LOGGED for line in told)


async def test_a_command_that_does_jobs_of_one_kind_leaves_the_trends_to_others(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "TRENDS_POLL_SECONDS", 0.01)
    wire = Wire()
    refresh = evolve(house.services.upkeep.refresh_trends, finders=(wire,), every=timedelta(hours=1))
    async with runner.running_jobs(
        changed(house.services, upkeep={"refresh_trends": refresh}), JobKind.GENERATE_ARTICLE
    ):
        await asyncio.sleep(0.1)
    assert wire.asked == 0
