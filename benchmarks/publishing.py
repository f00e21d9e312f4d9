"""A hundred publications in flight in one process, at a target that takes a second to answer."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import httpx
import uvloop
from attrs import evolve, frozen

from benchmarks.bodies import an_article
from benchmarks.import_once import peak_mib
from benchmarks.installation import Installation, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import Program, data_directory, module
from benchmarks.report import Figure, at_least
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import PostRequest, PublicationStatus
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_core.use_cases.publishing.start import RequestPublication
from contentgen_http.jobs.runner import JobRunner

DESCRIPTION: Final = "100 publications in flight in one process: share of the ideal throughput, CPU, memory"

AT_ONCE: Final = 100
MANY: Final = 1_000
ANSWER_SECONDS: Final = 1.0
TARGET: Final = 80.0  # percent
LIMIT_SECONDS: Final = 180.0


@frozen
class Speed:
    """Of so many publications: seconds, CPU seconds of this process, and how many the target had at once."""

    count: int
    seconds: float
    cpu: float
    most: int

    @property
    def share(self) -> float:
        """Percent of the ideal: a hundred at a time, and nothing but the target takes time."""
        return 100 * self.ideal / self.seconds

    @property
    def ideal(self) -> float:
        return self.count / AT_ONCE * ANSWER_SECONDS

    def __str__(self) -> str:
        return (
            f"{self.count / self.seconds:.1f} posts/s ({self.seconds:.2f} s; {1_000 * self.cpu / self.count:.1f} ms CPU"
            f" each; {self.most} at once)"
        )


def run() -> list[Figure]:
    with (
        data_directory() as folder,
        module("benchmarks.slow_target") as target,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(_run(folder, target))


async def _run(folder: Path, target: Program) -> list[Figure]:
    bare = [await _bare(target, count) for count in (AT_ONCE, MANY)]
    async with installation(
        folder,
        InstantModel(),
        0,
        allowed_private_hosts=f"127.0.0.1:{target.port}",
        posts=AT_ONCE,
        calls_per_host=AT_ONCE,
    ) as here:
        caller = await here.tenant()
        integration = await here.services.publishing.integrations.create(
            NewIntegration(caller, "webhook", "A slow one", True, {"url": _address(target, 0.0)}, {})
        )
        await _published(here, caller, integration, target, AT_ONCE, 0.0)  # what is loaded at the first one
        before = peak_mib()
        ours = [await _published(here, caller, integration, target, count, ANSWER_SECONDS) for count in (AT_ONCE, MANY)]
        after = peak_mib()
    return [
        at_least(
            f"{AT_ONCE} publications at once, a target that answers after {ANSWER_SECONDS:g} s",
            ours[0].share,
            TARGET,
            " %",
            product=str(ours[0]),
            reference=f"{bare[0]} (the same messages sent by bare httpx; ideal {AT_ONCE / ANSWER_SECONDS:g}/s)",
        ),
        at_least(
            f"{MANY:,} publications, {AT_ONCE} at a time",
            ours[1].share,
            TARGET,
            " %",
            product=str(ours[1]),
            reference=str(bare[1]),
        ),
        Figure("peak memory of the process meanwhile", f"{after:.0f} MiB", f"{before:.0f} MiB before"),
    ]


async def _bare(target: Program, count: int) -> Speed:
    """Make the same calls with httpx alone, as many at a time."""
    post, places = an_article(), asyncio.Semaphore(AT_ONCE)
    limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
    async with httpx.AsyncClient(limits=limits, timeout=60.0) as client:

        async def call(number: int) -> None:
            body = {"type": "article.published", "data": {"slug": f"bare-{number}", "markdown": post.markdown}}
            async with places:
                answer = await client.post(_address(target, ANSWER_SECONDS), json=body)
            assert answer.is_success

        target.get("/most")
        cpu, begun = time.process_time(), time.perf_counter()
        await asyncio.gather(*(call(number) for number in range(count)))
        return Speed(count, time.perf_counter() - begun, time.process_time() - cpu, _most(target))


async def _published(
    here: Installation, caller: Caller, integration: Integration, target: Program, count: int, seconds: float
) -> Speed:
    """Measure from the start of a runner until every requested publication is published."""
    services, request = here.services, PostRequest(title="A title", content=an_article().markdown)
    ask: RequestPublication = services.publishing.publish.request_publication
    async with services.ports.unit_of_work() as tx:
        current = await tx[Integrations].get(caller.tenant_id, integration.id)
        current = await tx[Integrations].save(evolve(current, credentials={"url": _address(target, seconds)}))
        asked = [await ask(tx, current, None, request) for _ in range(count)]
    target.get("/most")
    cpu, begun = time.process_time(), time.perf_counter()
    runner = JobRunner(services, 16, posts=AT_ONCE)
    running = asyncio.create_task(runner.run())
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            await _nothing_left(here, runner)
        speed = Speed(count, time.perf_counter() - begun, time.process_time() - cpu, _most(target))
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    for each in asked:
        seen = await services.publishing.publications.get(caller, each.id)
        assert seen.status is PublicationStatus.PUBLISHED, seen.error
    return speed


async def _nothing_left(here: Installation, runner: JobRunner) -> None:
    """Looks at the runner first: asking the database all the time would take part in what is measured. Twice: jobs that
    are being claimed wait no longer and are not at work yet."""
    quiet = 0
    while quiet < 2:
        await asyncio.sleep(0.01)
        left = AT_ONCE
        if runner.light.free == AT_ONCE:
            async with here.services.ports.unit_of_work() as tx:
                left, _ = await tx[Jobs].backlog(here.services.ports.clock.now())
        quiet = quiet + 1 if not left else 0


def _address(target: Program, seconds: float) -> str:
    return f"http://127.0.0.1:{target.port}/hook/{seconds}"


def _most(target: Program) -> int:
    told: int = json.loads(target.get("/most"))["most"]
    return told
