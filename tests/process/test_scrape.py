"""What Prometheus and a collector of traces get of several processes: of all of them, whichever answers."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.test_metrics import figures
from tests.process.fleet import Worker
from tests.process.service import Service, free_port, until
from tests.support.model_server import ModelServer
from tests.support.otlp import OtlpReceiver
from tests.support.redis_server import RedisServer

BODY = {"agentKey": "home-energy-GB", "topic": "Heat pump efficiency in winter", "language": "en",
        "articleLength": "short", "autoValidate": True, "allowLowCoverage": True}  # fmt: skip
REQUESTS = 'contentgen_http_route_seconds_count{route="/tenant"}'
DONE = 'contentgen_jobs_ended_total{kind="generate_article",outcome="done"}'


@pytest.fixture
def traces() -> Iterator[OtlpReceiver]:
    with OtlpReceiver() as receiver:
        yield receiver


def test_every_scrape_tells_of_all_processes_and_a_job_is_traced_where_it_is_done(
    data_dir: Path, model: ModelServer, traces: OtlpReceiver
) -> None:
    with RedisServer() as redis:
        env = model.environment | {
            "CONTENTGEN_REDIS_URL": redis.url,
            "OTEL_EXPORTER_OTLP_ENDPOINT": traces.endpoint,
            "OTEL_BSP_SCHEDULE_DELAY": "200",
        }
        service = Service(data_dir, env, options=["--workers", "2"])
        port = free_port()
        worker = Worker(service.data_dir, env | {"CONTENTGEN_METRICS_PORT": str(port)}, processes=2)
        try:
            service.start()
            worker.start()
            for _ in range(30):  # each over a connection of its own, so that both processes answer some
                with service.client() as http:
                    assert http.get("/tenant").status_code == 200
            for _ in range(5):
                assert figures(service.http.get("/metrics").text)[REQUESTS] == 30
            with service.client() as http:
                article = http.post("/writer/generate-plan", json=BODY).json()["articleId"]
                until(lambda: http.get(f"/writer/{article}").json()["status"] == "generated", 30, "the article")
            until(lambda: scrape(port).get(DONE) == 1, 10, lambda: worker.log()[-3000:])
            found = scrape(port)
            assert found["contentgen_job_places"] == 16
            assert found["process_resident_memory_bytes"] > 2 * 100e6
            assert DONE not in figures(service.http.get("/metrics").text)
            until(lambda: traces.named("process generate_article"), 10, "the job's trace")
            until(lambda: traces.named("POST /writer/generate-plan"), 10, "the request's trace")
            assert urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).status == 200
        finally:
            worker.close()
            service.close()
    [job], [enqueued] = traces.named("process generate_article"), traces.named("enqueue generate_article")
    assert enqueued.links == [(job.trace_id, job.span_id)]
    calls = [span for span in traces.spans if span.name.startswith("chat ") and span.trace_id == job.trace_id]
    assert sum(call.attributes["gen_ai.usage.input_tokens"] for call in calls) >= 100
    assert all(call.attributes["gen_ai.provider.name"] for call in calls)


def scrape(port: int) -> dict[str, float]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return figures(answer.read())
