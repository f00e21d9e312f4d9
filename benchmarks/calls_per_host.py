"""How many posts to send to one host at a time: `python -m benchmarks.calls_per_host [CALLS…]`.

One tenant publishes SLOW posts at a host that works on 8 at a time, a second each, and QUICK posts, asked for a moment
later, at a host that answers at once. For each bound: posts a minute through the slow host, the most that it had at
once, and how long the posts of the other host took."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
import uvloop
from attrs import frozen

from benchmarks.bodies import an_article
from benchmarks.installation import Installation, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import Program, data_directory, module
from contentgen_core.model.ids import PublicationId
from contentgen_core.model.publication import PostRequest, PublicationStatus
from contentgen_core.model.tenant import Caller
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_http.jobs.runner import JobRunner

SLOW: Final = 400
QUICK: Final = 40
POSTS: Final = 100
LIMIT_SECONDS: Final = 180.0


@frozen
class Measured:
    """`quick`: seconds until the last post of the other host was there; `failed`: posts that were not published."""

    a_minute: float
    most: int
    quick: float
    failed: int


async def measured(folder: Path, target: Program, other: Program, calls: int) -> Measured:
    hosts = [f"127.0.0.1:{target.port}", f"localhost:{other.port}"]
    async with installation(
        folder, InstantModel(), 0, allowed_private_hosts=",".join(hosts), posts=POSTS, calls_per_host=calls
    ) as here:
        caller = await here.tenant()
        slow = await _asked(here, caller, f"http://{hosts[0]}/queue/1.0", SLOW)
        runner = JobRunner(here.services, 16, posts=POSTS, tenant_share=75)
        running = asyncio.create_task(runner.run())
        try:
            async with asyncio.timeout(LIMIT_SECONDS):
                begun = time.perf_counter()
                await asyncio.sleep(2.0)
                quick = await _asked(here, caller, f"http://{hosts[1]}/hook/0.0", QUICK)
                asked = time.perf_counter()
                await _ended(here, caller, quick)
                took = time.perf_counter() - asked
                failed = await _ended(here, caller, slow)
            minutes = (time.perf_counter() - begun) / 60
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
    return Measured((SLOW - failed) / minutes, json.loads(target.get("/most"))["most"], took, failed)


async def _asked(here: Installation, caller: Caller, url: str, count: int) -> list[PublicationId]:
    publishing = here.services.publishing
    new = NewIntegration(caller, "webhook", url, True, {"url": url}, {})
    integration = await publishing.integrations.create(new)
    request = PostRequest(title="A title", content=an_article().markdown)
    async with here.services.ports.unit_of_work() as tx:
        asked = [await publishing.publish.request_publication(tx, integration, None, request) for _ in range(count)]
    return [publication.id for publication in asked]


async def _ended(here: Installation, caller: Caller, ids: list[PublicationId]) -> int:
    """Wait until these have ended, and return how many failed."""
    failed = 0
    for id in ids:
        while True:
            seen = await here.services.publishing.publications.get(caller, id)
            if seen.status is not PublicationStatus.PENDING:
                break
            await asyncio.sleep(0.05)
        failed += seen.status is not PublicationStatus.PUBLISHED
    return failed


def run(calls: int) -> Measured:
    with (
        data_directory() as folder,
        module("benchmarks.slow_target") as target,
        module("benchmarks.slow_target") as other,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(measured(folder, target, other, calls))


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    for calls in map(int, sys.argv[1:] or ("8", "16", "32", "100")):
        found = run(calls)
        sys.stdout.write(
            f"{calls:3} calls a host: {found.a_minute:4.0f} posts/min at the slow one, which had {found.most} at once;"
            f" {QUICK} posts of another took {found.quick:.1f} s; {found.failed} failed\n"
        )
        sys.stdout.flush()
