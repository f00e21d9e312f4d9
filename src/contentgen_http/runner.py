"""What a process that works on jobs does all the time: it takes them, keeps their leases, and hands them back when told
to stop; and it keeps the search index in step."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog

from contentgen.settings import Settings
from contentgen_core.errors import ContentgenError
from contentgen_core.model.ids import JobId
from contentgen_core.model.job import LEASE_SECONDS, LIGHT, Claimable, JobKind
from contentgen_core.ports.job_queue import JobQueue
from contentgen_http.job_execution import RELEASE_SECONDS, JobExecution
from contentgen_http.relay import Relay
from contentgen_http.services import Services

POLL_SECONDS = 1.0
LAST_WORDS_SECONDS: Final = 3.0  # for a queue to take back what was fetched
UPKEEP_POLL_SECONDS = 15.0
POSTS: Final = 100
TRENDS_POLL_SECONDS = 60.0
FAULTS_LOGGED: Final = 5
SWEEP_SECONDS: Final = 600.0

log = structlog.get_logger("contentgen.runner")


class JobRunner:
    """Runs up to `generations` jobs of some kinds at a time in the present event loop, until stopped or cancelled, and
    beside them up to `posts` that are light.

    Without a queue it claims what is due. With one it tells the queue of what is due and does what comes from there,
    and claims only what the queue does not know: light jobs, jobs whose worker died, and everything while the queue is
    away."""

    def __init__(
        self,
        services: Services,
        generations: int,
        kinds: Collection[JobKind] = tuple(JobKind),
        *,
        queue: JobQueue | None = None,
        drain_seconds: float = 0.0,
        posts: int = POSTS,
    ) -> None:
        """`drain_seconds`: how long jobs may go on after a `stop()`."""
        self.services = services
        self._all_kinds = set(kinds) == set(JobKind)
        handlers = {kind: handler for kind, handler in services.handlers.items() if kind in kinds}
        self.jobs = JobExecution(services, generations, handlers, on_ended=self.wake)
        self.light = JobExecution(services, posts, handlers, on_ended=self.wake)
        self._both = (self.jobs, self.light)
        self.relay = None if queue is None else Relay(services, queue, on_away=self.wake)
        self._queue = queue
        self._generations = generations
        self._drain_seconds = drain_seconds
        self._wake = asyncio.Event()
        self._stopping = asyncio.Event()
        self._hurry = asyncio.Event()

    def wake(self) -> None:
        """Look for work now instead of at the next poll."""
        self._wake.set()

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def stop(self, *, at_once: bool = False) -> None:
        """Take up nothing more, and end `run()` when what is under way has ended, or was handed back after a while; or
        at once."""
        self._stopping.set()
        if at_once:
            self._hurry.set()

    async def run(self) -> None:
        """Work until stopped; cancelled, hand back what is under way at once. Handed back is uncounted."""
        self.services.telemetry.metrics.job_places.set(self._generations)
        intake: list[Coroutine[None, None, None]] = [
            self._claim_loop(),
            self._forever(self._claim_doubtful, POLL_SECONDS),
            self._forever(self.services.upkeep.fire_schedules.fire_due, POLL_SECONDS),
        ]
        loops: list[Coroutine[None, None, None]] = [
            *(self._forever(jobs.renew, LEASE_SECONDS / 3) for jobs in self._both),
            self._forever(self._follow_index, POLL_SECONDS),
            self._forever(self._keep_index_fit, UPKEEP_POLL_SECONDS),
            self._forever(self.services.writing.generate_from_link.sweep, SWEEP_SECONDS),
            self._forever(self.services.writing.check_duplicates.index_topics, SWEEP_SECONDS),
        ]
        # A command that does jobs of one kind ends soon, and would leave the others waiting for its turn to lapse.
        if self._all_kinds and self.services.upkeep.refresh_trends.every is not None:
            intake.append(self._forever(self._refresh_trends, TRENDS_POLL_SECONDS))
        if self._all_kinds:
            loops.append(self._forever(self._send_alerts, UPKEEP_POLL_SECONDS))
        if self._queue is not None and self.relay is not None:
            intake += [self.relay.run(), self._consume(self._queue)]
        if self.services.ports.wake_ups is not None:
            intake.append(self._listen(self.services.ports.wake_ups()))
        try:
            async with asyncio.TaskGroup() as group:
                taking = [group.create_task(loop) for loop in intake]
                keeping = [group.create_task(loop) for loop in loops]
                try:
                    await self._stopping.wait()
                    for task in taking:
                        task.cancel()
                    await self._drain()
                finally:
                    # Before the group waits for its tasks: the queue's end waits for the jobs that it brought.
                    await self._each(JobExecution.cancel)
                    for task in keeping:
                        task.cancel()
        finally:
            await self._each(JobExecution.cancel)
            await self._each(JobExecution.release)
            with suppress(ContentgenError, TimeoutError):  # else the lease of the claims runs out
                async with asyncio.timeout(RELEASE_SECONDS):
                    await self.services.knowledge.apply_index_changes.release(self.jobs.worker)

    async def _each(self, step: Callable[[JobExecution], Awaitable[None]]) -> None:
        await asyncio.gather(*(step(jobs) for jobs in self._both))

    async def _drain(self) -> None:
        hurry = asyncio.create_task(self._hurry.wait())
        ended = asyncio.create_task(self._each(lambda jobs: jobs.end_within(self._drain_seconds)))
        try:
            await asyncio.wait((hurry, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            hurry.cancel()
            ended.cancel()

    async def _claim_loop(self) -> None:
        while True:
            if not await self._claim():
                # Not wait_for: before Python 3.12 it swallows a cancellation that meets the event being set.
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._wake.wait()
                self._wake.clear()

    async def _claim(self) -> int:
        among = {Claimable.LAPSED}
        if self.relay is None or self.relay.away:
            among.add(Claimable.WAITING)
        try:
            light = await self.light.claim({Claimable.LAPSED, Claimable.WAITING}, LIGHT)
            return light + await self.jobs.claim(among, frozenset(JobKind) - LIGHT)
        except ContentgenError as error:
            log.warning("claiming failed", reason=error.log_text)
        except Exception:  # a fault here must not end the only loop that works
            log.exception("claiming failed unexpectedly")
        return 0

    async def _claim_doubtful(self) -> None:
        """One at a time: of jobs that were under way together when their worker died, twice, one killed it."""
        if not self.jobs.in_doubt:
            await self.jobs.claim({Claimable.DOUBTFUL}, frozenset(JobKind), 1)

    async def _listen(self, wake_ups: AsyncIterator[None]) -> None:
        """Polling finds every job; being told of one only finds it sooner."""
        try:
            async for _ in wake_ups:
                self.wake()
                if self.relay is not None:
                    self.relay.wake()
        except Exception:
            log.exception("no longer told of new jobs; they are found by polling")

    async def _consume(self, queue: JobQueue) -> None:
        patience = self._drain_seconds + LAST_WORDS_SECONDS
        async with queue.consume(self._message, self._generations, patience):
            await asyncio.Event().wait()

    async def _message(self, job_id: JobId) -> None:
        if not self._stopping.is_set():  # else the job is sent again, when its message is found lost
            await self.jobs.carry_out(job_id)

    async def _follow_index(self) -> None:
        await self.services.knowledge.apply_index_changes.drain(self.jobs.worker)

    async def _keep_index_fit(self) -> None:
        if lost := await self.services.upkeep.maintain_index(self.jobs.worker):
            log.warning("the search index was lost and is being rebuilt", documents=lost)

    async def _send_alerts(self) -> None:
        if sent := await self.services.upkeep.send_alerts(self.jobs.worker):
            log.info("trends were sent to their subscribers", mails=sent)

    async def _refresh_trends(self) -> None:
        done = await self.services.upkeep.refresh_trends.if_due(self.jobs.worker)
        if done is None:
            return
        faults = [fault for niche in done for fault in niche.faults]
        counts = {
            "pages": sum(niche.pages for niche in done),
            "new": sum(niche.created for niche in done),
            "trends": sum(niche.trends for niche in done),
            "texts": sum(niche.texts for niche in done),
        }
        if faults:
            log.warning("trends refreshed in part", **counts, unread=len(faults), reasons=faults[:FAULTS_LOGGED])
        else:
            log.info("trends refreshed", **counts)

    async def _forever(self, step: Callable[[], Awaitable[None]], every: float) -> None:
        """Repeat a step; its failures are logged and do not stop it."""
        name = getattr(step, "__name__", "step").strip("_")
        while True:
            try:
                await step()
            except ContentgenError as error:
                log.warning("upkeep failed", step=name, reason=error.log_text)
            except Exception:
                log.exception("upkeep failed unexpectedly", step=name)
            await asyncio.sleep(every)


def end_seconds_of(settings: Settings) -> float:
    """How long a runner needs from `stop()` to its end at the longest: a queue's end takes its patience twice."""
    return 2 * (settings.drain_seconds + LAST_WORDS_SECONDS) + RELEASE_SECONDS


@asynccontextmanager
async def working(services: Services, kind: JobKind) -> AsyncIterator[None]:
    """Do jobs of a kind while the block runs: for a command that started one and may be alone with the database."""
    task = asyncio.create_task(JobRunner(services, 1, (kind,)).run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
