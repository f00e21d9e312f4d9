"""The loops of a process that runs jobs: taking jobs, renewing leases, requeueing at shutdown, and upkeep such as
updating the search index."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import asynccontextmanager, suppress
from random import random
from typing import Final

import structlog

from contentgen_core.errors import ContentgenError
from contentgen_core.model.ids import JobId
from contentgen_core.model.job import LEASE_SECONDS, LIGHT, OTHERS, SYNCS, Claimable, JobKind, Turn
from contentgen_core.ports.job_queue import JobQueue
from contentgen_core.use_cases.publishing.verify import BATCH
from contentgen_http.jobs.admission import EVERY_SECONDS, Admission
from contentgen_http.jobs.job_execution import JobExecution
from contentgen_http.jobs.relay import Relay
from contentgen_http.jobs.stop_seconds import QUEUE_CLOSE_SECONDS, RELEASE_SECONDS
from contentgen_http.jobs.webhook_delivery import WebhookDispatcher
from contentgen_http.services import Services

POLL_SECONDS = 1.0
UPKEEP_POLL_SECONDS = 15.0
POSTS: Final = 100
SYNCS_AT_ONCE: Final = 4
TRENDS_POLL_SECONDS = 60.0
FAULTS_LOGGED: Final = 5
SWEEP_SECONDS: Final = 600.0
HAND_BACK_SECONDS = 1.0
"""Between two looks at whether a tenant waits for a place that another has had for its slice."""
LOST_SECONDS: Final = 1.0
"""Between two looks at which jobs this process still holds; work on what it lost at two of them ends."""

log = structlog.get_logger("contentgen.runner")


class JobRunner:
    """Runs jobs in the present event loop until stopped or cancelled.

    Without a queue it claims due jobs. With one it sends due jobs to the queue and runs those it receives from there;
    it claims only light jobs, jobs whose worker died, and all jobs while the queue is away.

    `generations`: jobs at a time, at most; it takes them as `admission` has it. `kinds`: of jobs to run.
    `drain_seconds`: how long jobs may continue after `stop()`.
    `posts`, `syncs`: light jobs and syncs at a time, besides the others.
    `pollers`: processes of this service that do jobs, this one among them; each polls the database as many times less
    often.
    `tenant_share`: per cent of each of these places, in all processes of this service, that one tenant may have.
    """

    def __init__(
        self,
        services: Services,
        generations: int,
        kinds: Collection[JobKind] = tuple(JobKind),
        *,
        queue: JobQueue | None = None,
        drain_seconds: float = 0.0,
        posts: int = POSTS,
        syncs: int = SYNCS_AT_ONCE,
        pollers: int = 1,
        tenant_share: int = 100,
    ) -> None:

        self.services = services
        self._all_kinds = set(kinds) == set(JobKind)
        handlers = {kind: handler for kind, handler in services.handlers.items() if kind in kinds}

        def turn(places: int) -> Turn:
            return Turn(max(1, places * pollers * tenant_share // 100))

        def beside(places: int) -> JobExecution:
            return JobExecution(services, places, handlers, self.wake, self.jobs.worker, turn(places))

        self.jobs = JobExecution(services, generations, handlers, on_ended=self.wake, turn=turn(generations))
        self.light = beside(posts)
        self.syncs = beside(syncs)
        self._all = (self.jobs, self.light, self.syncs)
        self.relay = None if queue is None else Relay(services, queue, self.wake, pollers, turn(generations))
        self._queue = queue
        self._generations = generations
        self._drain_seconds = drain_seconds
        self._pollers = pollers
        self.admission = Admission()
        self._wake = asyncio.Event()
        self._stopping = asyncio.Event()
        self._stop_now = asyncio.Event()

    def wake(self) -> None:
        """Look for work now instead of at the next poll."""
        self._wake.set()

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def stop(self, *, at_once: bool = False) -> None:
        """Takes no more jobs, and lets `run()` return when the running ones have ended, or were requeued after
        `drain_seconds`.

        `at_once`: requeue them immediately.
        """
        self._stopping.set()
        if at_once:
            self._stop_now.set()

    async def run(self) -> None:
        """Runs until stopped. When cancelled, requeues running jobs immediately, without counting an attempt."""
        self.services.telemetry.metrics.job_places.set(self._generations)
        if self._all_kinds:
            log.info("embeddings", chosen=self.services.ports.embedder_note)
        taking_loops: list[Coroutine[None, None, None]] = [
            self._claim_loop(),
            self._forever(self._hand_back, HAND_BACK_SECONDS),
            self._poll(self._claim_doubtful),
            self._poll(self.services.upkeep.fire_schedules.fire_due),
            self._poll(self.services.upkeep.sources.fire_due),
            self._poll(self.services.upkeep.refresh.fire_due),
            self._poll(self.services.upkeep.search_demand.fire_due),
            self._poll(self.services.upkeep.index_now.fire_due),
            self._poll(self.services.upkeep.conflicts.fire_due),
        ]
        upkeep_loops: list[Coroutine[None, None, None]] = [
            self.admission.watch(),
            *(self._forever(jobs.renew, LEASE_SECONDS / 3) for jobs in self._all),
            *(self._forever(jobs.end_lost, LOST_SECONDS) for jobs in self._all),
            self._poll(self._follow_index),
            self._poll(self._embed_passages),
            self._forever(self._keep_index_fit, UPKEEP_POLL_SECONDS),
            self._forever(self.services.writing.generate_from_link.sweep, SWEEP_SECONDS),
            self._forever(self.services.writing.check_duplicates.index_topics, SWEEP_SECONDS),
            self._forever(self.services.upkeep.read_topics.read_all, SWEEP_SECONDS),
        ]
        # Not in a command that runs jobs of one kind: it ends soon, and others would wait for its work lease to expire.
        if self._all_kinds and self.services.upkeep.refresh_trends.every is not None:
            taking_loops.append(self._forever(self._refresh_trends, TRENDS_POLL_SECONDS))
        if self._all_kinds:
            upkeep_loops.append(self._forever(self._send_alerts, UPKEEP_POLL_SECONDS))
            upkeep_loops.append(self._forever(self._forget_history, SWEEP_SECONDS))
            upkeep_loops.append(self._forever(self._notice_outages, UPKEEP_POLL_SECONDS))
            upkeep_loops.append(self._forever(self._verify_publications, UPKEEP_POLL_SECONDS))
            upkeep_loops.append(self._forever(self.services.webhooks.deliver.prune, SWEEP_SECONDS))
            taking_loops.append(WebhookDispatcher(self.services, self.jobs.worker, pollers=self._pollers).run())
        if self._queue is not None and self.relay is not None:
            taking_loops += [self.relay.run(), self._consume(self._queue)]
        if self.services.ports.wake_ups is not None:
            taking_loops.append(self._listen(self.services.ports.wake_ups()))
        try:
            async with asyncio.TaskGroup() as group:
                taking_tasks = [group.create_task(loop) for loop in taking_loops]
                upkeep_tasks = [group.create_task(loop) for loop in upkeep_loops]
                if self._all_kinds:
                    upkeep_tasks.append(group.create_task(self._warm_up()))
                try:
                    await self._stopping.wait()
                    for task in taking_tasks:
                        task.cancel()
                    await self._drain()
                finally:
                    # Before the group waits for its tasks: closing the queue waits for the jobs received from it.
                    await self._for_all(JobExecution.cancel)
                    for task in upkeep_tasks:
                        task.cancel()
        finally:
            await self._for_all(JobExecution.cancel)
            await self._for_all(JobExecution.release)
            with suppress(ContentgenError, TimeoutError):  # otherwise the lease of the changes expires
                async with asyncio.timeout(RELEASE_SECONDS):
                    await self.services.knowledge.apply_index_changes.release(self.jobs.worker)
                    await self.services.knowledge.embed_passages.release(self.jobs.worker)

    async def _for_all(self, step: Callable[[JobExecution], Awaitable[None]]) -> None:
        await asyncio.gather(*(step(jobs) for jobs in self._all))

    async def _drain(self) -> None:
        stop_now = asyncio.create_task(self._stop_now.wait())
        ended = asyncio.create_task(self._for_all(lambda jobs: jobs.end_within(self._drain_seconds)))
        try:
            await asyncio.wait((stop_now, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop_now.cancel()
            ended.cancel()

    async def _claim_loop(self) -> None:
        while True:
            room = self.admission.room(self.jobs.running)
            claimed = await self._claim(room)
            if self.admission.paced(self.jobs.running) and self.jobs.free and (claimed or not room):
                await asyncio.sleep(EVERY_SECONDS)
            elif not claimed:
                # Not wait_for: before Python 3.12 it loses a cancellation that coincides with the event.
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS * self._pollers):
                        await self._wake.wait()
                self._wake.clear()

    async def _claim(self, room: int) -> int:
        """Begins light jobs, syncs and at most `room` others; how many."""
        # What was at work in a process that died waits while others are in doubt: were it the culprit, they would be
        # blamed.
        lapsed = frozenset[Claimable]() if self.jobs.in_doubt else frozenset({Claimable.LAPSED})
        among = lapsed
        if self.relay is None or self.relay.away:
            among |= {Claimable.WAITING}
        try:
            light = await self.light.claim(lapsed | {Claimable.WAITING}, LIGHT)
            syncs = await self.syncs.claim(lapsed | {Claimable.WAITING}, SYNCS)
            return light + syncs + await self.jobs.claim(among, OTHERS, room)
        except ContentgenError as error:
            log.warning("claiming failed", reason=error.log_text)
        except Exception:  # an error must not end the loop that claims jobs
            log.exception("claiming failed unexpectedly")
        return 0

    async def _claim_doubtful(self) -> None:
        """Claims half of the jobs that were at work together when their process died again, and the next ones when
        these have ended: whichever it was that killed it, the others are soon cleared."""
        if not self.jobs.in_doubt:
            await self.jobs.claim({Claimable.DOUBTFUL}, frozenset(JobKind))

    async def _hand_back(self) -> None:
        if not self.syncs.free:
            await self.syncs.hand_back(SYNCS)
        if not self.jobs.free or not self.admission.room(self.jobs.running):
            await self.jobs.hand_back(OTHERS)

    async def _listen(self, wake_ups: AsyncIterator[None]) -> None:
        """Looks for jobs at every notification. Polling finds all of them as well, only later."""
        try:
            async for _ in wake_ups:
                self.wake()
                if self.relay is not None:
                    self.relay.wake()
        except Exception:
            log.exception("notifications of new jobs have stopped; jobs are found by polling")

    async def _consume(self, queue: JobQueue) -> None:
        grace = self._drain_seconds + QUEUE_CLOSE_SECONDS
        async with queue.consume(self._message, self._generations, grace):
            await asyncio.Event().wait()

    async def _message(self, job_id: JobId) -> None:
        await self.admission.turn(lambda: self.jobs.running)
        if not self._stopping.is_set():  # otherwise the relay sends the job again
            await self.jobs.handle(job_id)

    async def _follow_index(self) -> None:
        await self.services.knowledge.apply_index_changes.drain(self.jobs.worker)

    async def _warm_up(self) -> None:
        """Start a model that embeds, so that the first search need not wait for it."""
        with suppress(ContentgenError):
            await self.services.upkeep.embedding_weights.scale()

    async def _embed_passages(self) -> None:
        await self.services.upkeep.embed_passages.drain(self.jobs.worker)

    async def _keep_index_fit(self) -> None:
        if lost := await self.services.upkeep.maintain_index(self.jobs.worker):
            log.warning("the search index was lost, or is of an older version, and is being rebuilt", documents=lost)

    async def _forget_history(self) -> None:
        forgotten = await self.services.upkeep.forget_history(self.jobs.worker)
        if any(forgotten.values()):
            log.info("history forgotten", **{what.value: rows for what, rows in forgotten.items()})

    async def _notice_outages(self) -> None:
        for circuit in await self.services.upkeep.notice_outages():
            if circuit.is_open:
                since = circuit.since and circuit.since.isoformat()
                log.warning("the model is away; jobs wait for it", provider=circuit.provider, since=since)
            else:
                log.warning("the model answers again", provider=circuit.provider)

    async def _send_alerts(self) -> None:
        if sent := await self.services.upkeep.send_alerts(self.jobs.worker):
            log.info("trends were sent to their subscribers", mails=sent)

    async def _verify_publications(self) -> None:
        while await self.services.publishing.verify.due() == BATCH:
            pass

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

    def _poll(self, step: Callable[[], Awaitable[None]]) -> Coroutine[None, None, None]:
        return self._forever(step, POLL_SECONDS * self._pollers)

    async def _forever(self, step: Callable[[], Awaitable[None]], every: float) -> None:
        """Repeats a step every so many seconds, the first time sooner, so that processes that start together part;
        failures are logged."""
        name = getattr(step, "__name__", "step").strip("_")
        wait = every * random()  # noqa: S311 - nobody is kept from guessing it
        while True:
            try:
                await step()
            except ContentgenError as error:
                log.warning("upkeep failed", step=name, reason=error.log_text)
            except Exception:
                log.exception("upkeep failed unexpectedly", step=name)
            await asyncio.sleep(wait)
            wait = every


@asynccontextmanager
async def running_jobs(services: Services, kind: JobKind) -> AsyncIterator[None]:
    """Runs jobs of a kind during the block, for a command that started one: no service may be running."""
    task = asyncio.create_task(JobRunner(services, 1, (kind,)).run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
