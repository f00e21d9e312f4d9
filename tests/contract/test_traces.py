"""Traces, as a receiver of OTLP/HTTP gets them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import httpx
import pytest
from attrs import evolve
from litestar.testing import AsyncTestClient

from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_adapters.shared.http import Peer, make_client, post_json
from contentgen_core.errors import ProviderFailed, Unavailable
from contentgen_core.testing import builders
from contentgen_http.telemetry.telemetry import Telemetry, open_tracing
from contentgen_http.telemetry.tracing import Tracing
from tests.support.house import AGENT, COVERED, House, open_house
from tests.support.otlp import OtlpReceiver, Seen
from tests.support.prepared_app import create_app

CALLER = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
SERVER, CLIENT, PRODUCER, CONSUMER = 2, 3, 4, 5


@pytest.fixture
def receiver() -> Iterator[OtlpReceiver]:
    with OtlpReceiver() as made:
        yield made


@pytest.fixture
def tracing(receiver: OtlpReceiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tracing]:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint)
    opened = open_tracing({"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.endpoint}, "9.9")
    yield opened
    opened.close()


async def flow(house: House, *, traceparent: str = "") -> str:
    """An article from its request to its end; its id."""
    key = (await house.services.people.keys.create(house.caller, "A key")).secret
    headers = {"X-API-Key": key, "X-Request-Id": "the-request"} | ({"traceparent": traceparent} if traceparent else {})
    async with AsyncTestClient(create_app(house.services)) as client:
        body = {"agentKey": AGENT, "topic": COVERED, "language": "en", "articleLength": "short", "autoValidate": True}
        answer = await client.post("/writer/generate-plan", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        assert (await client.get("/writer/nothing-there", headers=headers)).status_code == 404
    assert await house.work() == 1
    return str(answer.json()["articleId"])


async def test_a_request_is_seen_with_all_it_did_in_the_callers_trace(receiver: OtlpReceiver, tracing: Tracing) -> None:
    async with open_house(telemetry=Telemetry(tracing=tracing)) as house:
        await flow(house, traceparent=f"00-{CALLER}-{PARENT}-01")
    tracing.close()
    [request] = receiver.named("POST /writer/generate-plan")
    assert (request.trace_id, request.parent, request.kind) == (CALLER, PARENT, SERVER)
    assert request.resource["service.name"] == "contentgen"
    assert request.resource["service.version"] == "9.9"
    shown = request.attributes
    assert shown["http.response.status_code"] == 200
    assert shown["http.route"] == "/writer/generate-plan"
    assert shown["contentgen.request.id"] == "the-request"
    assert shown["contentgen.tenant.id"] == house.caller.tenant_id
    within = [span for span in receiver.spans if span.trace_id == CALLER and span.parent == request.span_id]
    assert {"transaction", "index search", "enqueue generate_article"} <= {span.name for span in receiver.spans}
    assert {"transaction", "index search"} <= {span.name for span in within}
    [missing] = receiver.named("GET /writer/{id}")
    assert missing.attributes["http.response.status_code"] == 404
    assert not missing.failed


async def test_the_request_links_to_the_trace_of_the_job_that_it_enqueued(
    receiver: OtlpReceiver, tracing: Tracing
) -> None:
    async with open_house(telemetry=Telemetry(tracing=tracing)) as house:
        await flow(house)
    tracing.close()
    [enqueued], [job] = receiver.named("enqueue generate_article"), receiver.named("process generate_article")
    assert enqueued.links == [(job.trace_id, job.span_id)]
    assert (enqueued.kind, job.kind, job.parent) == (PRODUCER, CONSUMER, "")
    assert enqueued.attributes["contentgen.job.id"] == job.attributes["contentgen.job.id"]
    assert job.attributes["contentgen.tenant.id"] == house.caller.tenant_id
    of_job = [span for span in receiver.spans if span.trace_id == job.trace_id]
    assert {"transaction", f"chat {house.model.name}"} <= {span.name for span in of_job}
    assert len({span.span_id for span in receiver.spans}) == len(receiver.spans)


async def test_calls_of_models_are_seen_with_their_tokens_and_without_their_words(
    receiver: OtlpReceiver, tracing: Tracing
) -> None:
    async with open_house(telemetry=Telemetry(tracing=tracing)) as house:
        await flow(house)
        name = house.model.name
    tracing.close()
    calls = receiver.named(f"chat {name}")
    assert {call.attributes["contentgen.operation"] for call in calls} >= {"plan", "write_section"}
    for call in calls:
        assert call.kind == CLIENT
        assert call.attributes["gen_ai.operation.name"] == "chat"
        assert call.attributes["gen_ai.request.model"] == name
        assert {"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"} <= call.attributes.keys()
    assert any(span.name.startswith("embeddings ") for span in receiver.spans)
    sent = b"".join(receiver.raw)
    assert b"heat pump" not in sent.lower()
    assert all(span.events == 0 for span in receiver.spans)


async def test_a_call_to_another_service_is_seen_by_its_host_alone(receiver: OtlpReceiver, tracing: Tracing) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert "traceparent" not in request.headers  # ids of ours are no business of others
        return httpx.Response(400 if request.url.path == "/bad" else 200, json={})

    request_hook = Telemetry(tracing=tracing).request_hook
    peer = Peer("Somebody", "CONTENTGEN_X")
    async with make_client(transport=httpx.MockTransport(answer), request_hook=request_hook) as client:
        await post_json(client, "https://api.example.com/good?q=the+topic", {"key": "secret"}, peer=peer)
        with pytest.raises(ProviderFailed):
            await post_json(client, "https://api.example.com:8443/bad", {}, peer=peer)
    tracing.close()
    good, bad = receiver.named("POST")
    assert good.attributes == {
        "http.request.method": "POST", "server.address": "api.example.com", "server.port": 443,
        "http.response.status_code": 200,
    }  # fmt: skip
    assert (bad.failed, bad.attributes["error.type"], bad.attributes["server.port"]) == (True, "400", 8443)
    assert b"topic" not in b"".join(receiver.raw)


async def test_a_transaction_that_the_database_fails_is_seen_as_failed_and_one_that_is_refused_is_not(
    receiver: OtlpReceiver, tracing: Tracing, postgres_conninfo: str
) -> None:
    async with create_pool(postgres_conninfo, min_size=1, max_size=1, acquire_seconds=0.1) as pool:
        await pool.wait()  # for its connection, which may take longer
        unit_of_work = Telemetry(tracing=tracing).unit_of_work(PostgresUnitOfWork(pool))
        async with unit_of_work():
            pass
        with tracing.span("outer"):
            with pytest.raises(ValueError, match="refused"):
                async with unit_of_work():
                    raise ValueError("refused")
            async with unit_of_work():
                with pytest.raises(Unavailable):
                    async with unit_of_work():
                        pass
    tracing.close()
    [outer] = receiver.named("outer")
    transactions = receiver.named("transaction")
    assert [span.failed for span in transactions].count(True) == 1
    assert len(transactions) == 3  # outside of any trace there are none: looking for work is not worth one each
    assert {span.trace_id for span in transactions} == {outer.trace_id}
    assert all(span.attributes["db.system.name"] == "postgresql" for span in transactions)


def test_a_job_that_is_tried_again_keeps_its_trace(receiver: OtlpReceiver, tracing: Tracing) -> None:
    job = builders.job(attempts=1)
    for attempt in (1, 2):
        with tracing.attempt(evolve(job, attempts=attempt)), tracing.span("inner"):
            pass
    tracing.close()
    first, second = receiver.named(f"process {job.kind.value}")
    assert first.trace_id == second.trace_id
    assert first.span_id != second.span_id
    inner: list[Seen] = receiver.named("inner")
    assert [span.parent for span in inner] == [first.span_id, second.span_id]
    assert inner[0].span_id != first.span_id


def test_a_collector_that_does_not_answer_delays_the_end_by_two_seconds_at_most(
    receiver: OtlpReceiver, tracing: Tracing
) -> None:
    receiver.status = 503
    with tracing.span("lost"):
        pass
    begun = time.monotonic()
    tracing.close()
    assert time.monotonic() - begun < 4


def test_the_sdk_is_loaded_where_an_endpoint_is_set_and_the_api_by_what_serves() -> None:
    program = (
        "import sys; loaded = lambda name: [module for module in sys.modules if module.startswith(name)];"
        "import contentgen_http.cli, contentgen_http.services;"
        "assert not loaded('opentelemetry');"
        "import contentgen_http.processes.serving; from contentgen_http.telemetry.telemetry import open_tracing;"
        "t = open_tracing({'OTEL_EXPORTER_OTLP_ENDPOINT': '', 'OTEL_SERVICE_NAME': 'x'}, '1');"
        "assert not t.on;"
        "assert not open_tracing({'OTEL_EXPORTER_OTLP_ENDPOINT': 'http://x', 'OTEL_SDK_DISABLED': 'true'}, '1').on;"
        "assert not loaded('opentelemetry.sdk'); assert not loaded('opentelemetry.exporter')"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
