"""What a scrape tells of work that was done, of one process and of several."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from prometheus_client.parser import text_string_to_metric_families

from contentgen_adapters.memory.publishing import INFO, TOKEN, MemoryTarget
from contentgen_core.errors import Unavailable
from contentgen_core.model.article import Usage
from contentgen_core.model.prices import Cost
from contentgen_core.model.publication import PostRequest, PublicationStatus
from contentgen_core.model.publishing_target import Feature
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.testing import builders
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_core.use_cases.publishing.start import PublishCommand
from contentgen_grounded.settings import Settings
from contentgen_http.processes.process_deaths import ProcessDeaths
from contentgen_http.processes.shared_file import shared_file
from contentgen_http.processes.worker import _scraped
from contentgen_http.server.rate_limit import Limits
from contentgen_http.telemetry.exposition import Queue, exposition
from contentgen_http.telemetry.metrics import Metrics
from contentgen_http.telemetry.scraped import serve_metrics
from contentgen_http.telemetry.shared_metrics import FOLDER, shared_metrics
from contentgen_http.telemetry.telemetry import Telemetry
from contentgen_http.telemetry.watch import EVERY_SECONDS, watching
from tests.process.service import free_port
from tests.support.house import open_house
from tests.support.http import open_api

KEY = "a-key-of-the-operators"


def figures(text: str | bytes) -> dict[str, float]:
    """Samples by name and labels, as they are written."""
    shown = text.decode() if isinstance(text, bytes) else text
    list(text_string_to_metric_families(shown))  # whatever Prometheus could not read fails here
    lines = (line.rpartition(" ") for line in shown.splitlines() if line and not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


async def test_what_an_article_took_is_counted() -> None:
    async with open_api(PlanName.BUSINESS) as api:
        api.house.model.usage = Usage(api.house.model.name, 10, 5, Cost(2_500_000, "EUR"))
        await api.written()
        found = figures((await api.call("GET", "/metrics", key=None)).text)
        model, calls = api.house.model.name, sum(api.house.model.calls.values())
    assert found['contentgen_jobs_enqueued_total{kind="generate_article"}'] == 1
    assert found['contentgen_jobs_ended_total{kind="generate_article",outcome="done"}'] == 1
    assert found['contentgen_job_seconds_count{kind="generate_article"}'] == 1
    assert found['contentgen_jobs_running{kind="generate_article"}'] == 0
    assert found[f'contentgen_model_calls_total{{model="{model}",outcome="ok"}}'] == calls
    assert found[f'contentgen_model_seconds_count{{model="{model}"}}'] >= 1
    assert found[f'contentgen_model_tokens_total{{direction="output",model="{model}"}}'] > 0
    assert found[f'contentgen_model_cost_total{{currency="EUR",model="{model}"}}'] == 2.5 * calls
    assert found['contentgen_index_calls_total{operation="search",outcome="ok"}'] >= 1
    assert found["contentgen_database_transaction_seconds_count"] > 5
    assert found["contentgen_index_changes_due"] == 0
    assert found['contentgen_jobs_due{kind="generate_article"}'] == 0
    assert found['contentgen_jobs_due{kind="enrich_topic"}'] == 0


async def test_attempts_are_counted_by_how_they_ended() -> None:
    async with open_house() as house:
        ended = house.services.telemetry.metrics.jobs_ended
        job = builders.job(tenant_id=house.caller.tenant_id)

        async def count(raised: BaseException | None, outcome: str) -> None:
            async def handler(_: Any) -> None:
                if raised is not None:
                    raise raised

            watched = house.services.telemetry.handler(handler)
            if raised is None:
                await watched(job)
            else:
                with pytest.raises(type(raised)):
                    await watched(job)
            assert ended.labels(job.kind.value, outcome)._value.get() == 1

        await count(None, "lost")
        await count(Unavailable("away"), "interrupted")
        await count(asyncio.CancelledError(), "handed_back")
        await count(ValueError(), "error")


async def test_publishing_is_counted_by_provider_and_outcome_and_tells_nothing_of_tenants_or_secrets() -> None:
    features = tuple(feature for feature in INFO.features if feature is not Feature.FIND)
    async with open_house(target=MemoryTarget(evolve(INFO, features=features))) as house:
        services = house.services
        credentials = {"token": TOKEN, "blog": "a blog of ours"}
        integration = await services.publishing.integrations.create(
            NewIntegration(house.caller, "memory", "Ours", True, credentials, {})
        )

        async def published(*raised: PublishFailed) -> PublicationStatus:
            left = list(raised)

            def before(call: str) -> None:
                if call == "create" and left:
                    raise left.pop(0)

            house.target.before = before
            request = PostRequest(title="A title of ours", content="Text.")
            asked = await services.publishing.publish.to_integration(
                PublishCommand(house.caller, integration.id, None, request)
            )
            for _ in range(3):
                await house.work()
                house.clock.advance(minutes=5)
            return (await services.publishing.publications.get(house.caller, asked.id)).status

        lost = PublishFailed("memory", "no answer", Refusal.TRANSIENT, outcome_unknown=True)
        assert await published() is PublicationStatus.PUBLISHED
        assert await published(PublishFailed("memory", "429", Refusal.LIMITED)) is PublicationStatus.PUBLISHED
        assert await published(PublishFailed("memory", "too long", Refusal.INVALID)) is PublicationStatus.FAILED
        assert await published(lost) is PublicationStatus.UNKNOWN
        text = exposition(services.telemetry.metrics)
        found = figures(text)
    calls = 'contentgen_publish_calls_total{{outcome="{}",provider="memory"}}'
    assert [found[calls.format(outcome)] for outcome in ("ok", "limited", "invalid", "unanswered")] == [6, 1, 1, 1]
    assert found['contentgen_publish_seconds_count{provider="memory"}'] == 9
    ended = 'contentgen_publications_ended_total{{outcome="{}",provider="memory"}}'
    assert [found[ended.format(outcome)] for outcome in ("published", "failed", "unknown")] == [2, 1, 1]
    told = text if isinstance(text, str) else text.decode()
    assert not [secret for secret in (TOKEN, "ours", house.caller.tenant_id, integration.id) if secret in told]


async def test_refusals_are_counted_by_what_is_limited() -> None:
    telemetry = Telemetry()
    async with open_house(telemetry=telemetry) as house:
        limits = Limits(house.services.ports.rate_limiter, house.clock, 2, house.services.ports.unit_of_work)
        for _ in range(5):
            await limits.count_failure("192.0.2.1")
    found = figures(exposition(telemetry.metrics))
    assert found['contentgen_rate_limit_refusals_total{subject="failures"}'] == 3
    assert not [name for name in found if "192.0.2.1" in name]


async def test_a_loop_that_stands_still_is_seen() -> None:
    metrics = Metrics()
    stats = {"pool_size": 5, "pool_available": 2, "pool_max": 10, "requests_waiting": 3}
    async with watching(metrics, lambda: stats):
        await asyncio.sleep(0)
        begun = figures(exposition(metrics))
        time.sleep(EVERY_SECONDS + 0.3)  # noqa: ASYNC251 - what must not happen
        await asyncio.sleep(0.01)
        metrics.requests_in_flight = 7
        await asyncio.sleep(EVERY_SECONDS * 1.5)
        found = figures(exposition(metrics))
    assert begun["contentgen_event_loop_lag_seconds"] == 0
    assert 0.2 < found["contentgen_event_loop_lag_seconds"] < 5
    assert found["contentgen_heartbeat_timestamp_seconds"] > begun["contentgen_heartbeat_timestamp_seconds"]
    assert found["contentgen_http_requests_open"] == 7
    assert found['contentgen_database_connections{state="used"}'] == 3
    assert found['contentgen_database_connections{state="free"}'] == 2
    assert found["contentgen_database_connections_awaited"] == 3
    assert found["contentgen_database_connections_most"] == 10


def test_what_waits_is_told_beside_the_figures_of_the_process() -> None:
    found = figures(exposition(Metrics(), Queue({"generate_article": (3, 12.5)}, 9)))
    assert found['contentgen_jobs_due{kind="generate_article"}'] == 3
    assert found['contentgen_jobs_waiting_seconds{kind="generate_article"}'] == 12.5
    assert found["contentgen_index_changes_due"] == 9
    assert found["contentgen_model_away"] == 0


CHILD = """
import sys, time
from contentgen_http.telemetry.metrics import Metrics
metrics = Metrics()
metrics.observe("GET", "/articles", 200, 0.01)
metrics.job_places.set(16)
metrics.loop_lag.set(float(sys.argv[1]))
metrics.heartbeat.set(float(sys.argv[2]))
print("counted", flush=True)
sys.stdin.read()
"""


@contextmanager
def child(lag: float, beat: float) -> Iterator[None]:
    command = [sys.executable, "-c", CHILD, str(lag), str(beat)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "counted\n"
        yield
        process.communicate()


def test_several_processes_answer_as_one_and_the_dead_are_left_out_of_gauges() -> None:
    with shared_metrics() as folder:
        assert os.environ[FOLDER] == str(folder)
        with child(0.4, 2000.0):
            with child(0.1, 1000.0):
                both = figures(exposition(None, Queue({}, 2), str(folder)))
            one = figures(exposition(None, None, str(folder)))
        none = figures(exposition(None, None, str(folder)))
    assert FOLDER not in os.environ
    requests = 'contentgen_http_requests_total{status="200",surface="api"}'
    assert [found[requests] for found in (both, one, none)] == [2, 2, 2]
    assert [found["contentgen_job_places"] for found in (both, one)] == [32, 16]
    assert [found["contentgen_event_loop_lag_seconds"] for found in (both, one)] == [0.4, 0.4]
    assert [found["contentgen_heartbeat_timestamp_seconds"] for found in (both, one)] == [1000, 2000]
    assert both["process_resident_memory_bytes"] > 1.5 * one["process_resident_memory_bytes"]
    assert "contentgen_job_places" not in none
    assert both["contentgen_index_changes_due"] == 2
    assert not folder.exists()


def test_a_scrape_before_the_first_process_counts_anything_is_not_empty(tmp_path: Path) -> None:
    assert figures(exposition(None, None, str(tmp_path)))["contentgen_processes"] == 0
    (tmp_path / "counter_1.db").touch()  # a process makes its file, and gives it a length after that
    with serve_metrics("127.0.0.1", 0, None, str(tmp_path)) as port:
        status, text = _get(port, "/metrics")
    assert (status, figures(text)["contentgen_processes"]) == (200, 1)


def test_a_process_without_an_http_service_is_scraped_on_a_port_of_its_own(tmp_path: Path) -> None:
    metrics = Metrics()
    metrics.job_places.set(8)
    with serve_metrics("127.0.0.1", 0, metrics) as port:
        assert _get(port, "/metrics")[0] == 200
        assert figures(_get(port, "/metrics")[1])["contentgen_job_places"] == 8
        assert _get(port, "/health")[0] == 200
        assert _get(port, "/other")[0] == 404
        metrics.heartbeat.set(1.0)
        assert _get(port, "/health")[0] == 503
        with serve_metrics("127.0.0.1", 0, None, str(tmp_path), process_fault=lambda: "worker 1 has died") as other:
            assert _get(other, "/health") == (503, '{"status": "worker 1 has died"}')
        with pytest.raises(OSError, match="in use"), serve_metrics("127.0.0.1", port, metrics):
            pass
    with pytest.raises(OSError, match="refused"):
        _get(port, "/health")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 401),
        ({"Authorization": f"Bearer {KEY}"}, 200),
        ({"Authorization": f"bearer {KEY}"}, 200),
        ({"Authorization": f"Basic {KEY}"}, 401),
        ({"Authorization": f"Bearer {KEY}x"}, 401),
        ({"Authorization": f"Bearer {KEY[:-1]}"}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": f"Bearer {KEY}\u00fc"}, 401),
        ({"X-API-Key": KEY}, 401),
    ],
)
def test_a_worker_asks_for_the_key_of_metrics_and_not_for_its_health(sent: dict[str, str], status: int) -> None:
    with serve_metrics("127.0.0.1", 0, Metrics(), key=KEY) as port:
        found, text = _get(port, "/metrics", sent)
        assert found == status
        assert ("contentgen_job_places" in text) == (status == 200)
        assert KEY not in text
        assert _get(port, "/health", sent)[0] == 200


def test_a_worker_takes_the_key_from_its_settings(tmp_path: Path) -> None:
    settings = Settings(host="127.0.0.1", metrics_port=free_port(), metrics_key=KEY)
    with shared_file() as died, _scraped(settings, tmp_path, ProcessDeaths(died)):
        assert settings.metrics_port is not None
        assert _get(settings.metrics_port, "/metrics")[0] == 401
        assert _get(settings.metrics_port, "/metrics", {"Authorization": f"Bearer {KEY}"})[0] == 200


def _get(port: int, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=dict(headers or {}))
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_labels_are_those_that_cannot_grow_without_bound() -> None:
    known = {"method", "route", "status", "subject", "kind", "outcome", "error", "model", "operation", "direction",
             "provider", "state", "currency", "scope", "surface"}  # fmt: skip
    used = {label for collector in vars(Metrics()).values() for label in getattr(collector, "_labelnames", ())}
    assert used == known
    assert all(re.fullmatch(r"[a-z]+", label) for label in used)
