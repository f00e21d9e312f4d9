"""How large a scrape can get: whatever is called, by whomever, in however many processes."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import ExitStack
from typing import Final

from contentgen_core.model.tenant import Caller
from contentgen_http.telemetry.exposition import exposition
from contentgen_http.telemetry.metrics import Metrics
from contentgen_http.telemetry.shared_metrics import shared_metrics
from tests.contract.test_metrics import figures
from tests.support.busy_metrics import FULL_QUEUE, make_busy
from tests.support.http import open_api
from tests.support.prepared_app import complete

MOST_BYTES: Final = 50_000
FURTHER_DIGITS: Final = 5
"""That figures have after a year, beyond those of the test."""


async def every_route() -> list[tuple[str, str]]:
    """(method, template) of every operation, page and file, and of what is none."""
    async with open_api() as api:
        found = {(method, route.path_format) for route in complete(api.app).routes for method in route.methods}
    return [*sorted(found), ("other", "unmatched")]


def test_a_scrape_stays_small_when_every_operation_of_every_surface_was_called() -> None:
    routes = asyncio.run(every_route())
    assert len(routes) > 300
    assert {"/writer/{id}", "/console/articles/{id}", "/mcp"} <= {route for _, route in routes}
    metrics = Metrics()
    make_busy(metrics, routes)
    text = exposition(metrics, FULL_QUEUE)
    assert untouched(metrics) == set()
    assert size(text) <= MOST_BYTES
    with shared_metrics() as folder, ExitStack() as living:
        for _ in range(3):
            command = [sys.executable, "-m", "tests.support.busy_metrics"]
            child = living.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            assert child.stdin is not None
            assert child.stdout is not None
            living.callback(child.stdin.close)
            child.stdin.write(json.dumps(routes) + "\n")
            child.stdin.flush()
            assert child.stdout.readline() == "counted\n"
        shared = exposition(None, FULL_QUEUE, str(folder))
    written = 'contentgen_http_route_seconds_count{route="/writer"}'
    assert figures(shared)[written] == 3 * figures(text)[written] > 0
    assert size(shared) <= MOST_BYTES


def size(text: bytes) -> int:
    return len(text) + FURTHER_DIGITS * len(figures(text))


def untouched(metrics: Metrics) -> set[str]:
    """The metrics that no sample is shown of."""
    return {family.name for family in metrics.registry.collect() if not family.samples}


async def test_a_further_tenant_adds_nothing_to_a_scrape() -> None:
    async with open_api() as api:
        metrics, paths = api.house.services.telemetry.metrics, ("/articles", "/niches", "/writer/none", "/tenant")

        async def called(caller: Caller) -> list[str]:
            key = await api.key_of(caller)
            for path in paths:
                await api.call("GET", path, key=key)
            return list(figures(exposition(metrics)))

        first = await called(api.house.caller)
        for _ in range(3):
            assert await called(await api.house.other_tenant()) == first
    assert str(api.house.caller.tenant_id) not in "".join(first)
