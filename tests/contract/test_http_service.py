"""The service about itself: health, readiness, metrics, the API reference, request ids and logs."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable

import pytest
import structlog
from attrs import evolve
from litestar.testing import AsyncTestClient

from contentgen_core.errors import Unavailable
from contentgen_core.model.circuit import OPENS_AFTER, Circuit
from contentgen_core.ports.repositories.circuits import Circuits
from contentgen_core.testing.runtime import MOMENT
from contentgen_http.api.health import capabilities, state_of, thread_is_free
from contentgen_http.server.fair_threads import FairThreads
from contentgen_http.services import Services
from contentgen_http.telemetry.context import CURRENT, Trace
from contentgen_http.telemetry.tracebacks import without_words
from tests.support.changed import changed
from tests.support.house import House, open_house
from tests.support.http import AGENT, COVERED, client_of, open_api, problem_of
from tests.support.prepared_app import create_app


def with_checks(house: House, checks: dict[str, Callable[[], Awaitable[None]]]) -> Services:
    """The house's services, ready when these parts answer."""
    return changed(house.services, upkeep={"checks": checks})


async def test_health_and_readiness_need_no_key() -> None:
    async with open_api() as api:
        assert (await api.call("GET", "/health", key=None)).json() == {"status": "ok"}
        ready = await api.call("GET", "/ready", key=None)
        assert (ready.status_code, ready.json()["ready"]) == (200, True)
        assert set(ready.json()["can"].values()) == {True}
        assert {part["state"] for part in ready.json()["parts"].values()} == {"up"}


async def test_a_process_that_dies_again_and_again_ends_the_health_of_all() -> None:
    faults: list[str | None] = ["The process jobs 1 has ended 5 times in a row.", None]
    async with open_house() as house:
        app = create_app(house.services, process_fault=lambda: faults.pop(0))
        async with AsyncTestClient(app) as client:
            answer = await client.get("/health")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
            assert "The process jobs 1 has ended 5 times in a row." in problem_of(answer)["detail"]
            assert (await client.get("/health")).json() == {"status": "ok"}


async def test_a_model_that_is_away_is_told_and_takes_no_requests_away() -> None:
    async with open_api() as api:
        ports = api.house.services.ports
        assert "contentgen_model_away 0.0" in (await api.call("GET", "/metrics", key=None)).text
        circuit = Circuit(ports.model.name)
        for _ in range(OPENS_AFTER):
            circuit = circuit.failed("OpenAI", "HTTP 500", MOMENT, None)
        async with ports.unit_of_work() as tx:
            await tx[Circuits].hold(circuit.name)
            await tx[Circuits].save(circuit)
            other = evolve(circuit, name="a-former-model", provider="Other")
            await tx[Circuits].hold(other.name)
            await tx[Circuits].save(other)
        ready = await api.call("GET", "/ready", key=None)
        assert (ready.status_code, ready.json()["can"]["write"]) == (200, True)
        since = f"{MOMENT:%Y-%m-%d %H:%M} UTC"
        detail = f"OpenAI gives no answers since {since}: articles wait for it"
        assert ready.json()["parts"]["model"] == {"state": "away", "detail": detail}
        assert "contentgen_model_away 1.0" in (await api.call("GET", "/metrics", key=None)).text
        async with ports.unit_of_work() as tx:
            await tx[Circuits].hold(circuit.name)
            await tx[Circuits].save(circuit.closed())
        assert "model" not in (await api.call("GET", "/ready", key=None)).json()["parts"]


async def test_a_part_that_is_away_makes_the_service_not_ready() -> None:
    async def away() -> None:
        raise Unavailable("The database does not answer.")

    async def broken() -> None:
        raise OSError("socket /run/secret/place")

    async def fine() -> None:
        pass

    async with open_house() as house:
        services = with_checks(house, {"database": away, "index": broken, "disk": fine})
        async with AsyncTestClient(create_app(services)) as client:
            answer = await client.get("/ready")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    problem = problem_of(answer)
    assert problem["parts"] == {
        "database": {"state": "away", "detail": "The database does not answer."},
        "index": {"state": "away", "detail": "see the log"},
        "disk": {"state": "up"},
        "threads": {"state": "up"},
    }
    assert problem["can"] == {"read": False, "search": False, "write": False, "upload": False, "publish": False}
    assert "secret" not in answer.text


async def test_a_part_that_does_not_answer_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("contentgen_http.api.health.CHECK_SECONDS", 0.02)
    async with open_house() as house:
        services = with_checks(house, {"index": lambda: asyncio.sleep(60)})
        async with AsyncTestClient(create_app(services)) as client:
            answer = await client.get("/ready")
    assert (answer.status_code, answer.json()["parts"]["index"]["state"]) == (503, "away")
    assert answer.json()["can"] == {"read": True, "search": False, "write": False, "upload": True, "publish": True}


@pytest.mark.parametrize("owners", [1, 6])
async def test_no_tenants_work_on_threads_makes_it_not_ready(monkeypatch: pytest.MonkeyPatch, owners: int) -> None:
    monkeypatch.setattr("contentgen_http.api.health.CHECK_SECONDS", 1.0)
    loop, go_on = asyncio.get_running_loop(), threading.Event()
    async with open_house() as house:
        services = with_checks(house, {"disk": lambda: asyncio.to_thread(lambda: None)})
        async with client_of(create_app(services)) as client:
            loop.set_default_executor(FairThreads(4, 2, "test", of_house=1))
            standing = [task for owner in range(owners) for task in held_threads(f"tenant {owner}", go_on)]
            try:
                answer = await client.get("/ready")
            finally:
                go_on.set()
                await asyncio.gather(*standing)
    assert answer.status_code == 200, answer.text
    assert answer.json()["parts"] == {"disk": {"state": "up"}, "threads": {"state": "up"}}


def held_threads(tenant: str, go_on: threading.Event) -> list[asyncio.Task[bool]]:
    """More work of a tenant than there are threads."""
    trace = Trace("r")
    trace.tenant_id = tenant
    token = CURRENT.set(trace)
    try:
        return [asyncio.create_task(asyncio.to_thread(go_on.wait, 10)) for _ in range(8)]
    finally:
        CURRENT.reset(token)


async def test_threads_of_its_own_that_stand_still_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "contentgen_http.api.health.CHECK_SECONDS", 1.0
    )  # a tenth of it tells one answer from the other
    loop, go_on = asyncio.get_running_loop(), threading.Event()
    loop.set_default_executor(FairThreads(2, 1, "test", of_house=1))
    standing = asyncio.create_task(asyncio.to_thread(go_on.wait, 10))
    await asyncio.sleep(0.01)
    try:
        parts = await state_of({"threads": thread_is_free})
    finally:
        go_on.set()
        await standing
    assert parts["threads"].state == "away"
    assert "waits for a thread" in str(parts["threads"].detail)
    assert capabilities(parts) == {"read": True, "search": True, "write": False, "upload": False, "publish": True}
    assert (await state_of({"threads": thread_is_free}))["threads"].state == "up"


async def test_what_is_away_during_a_request_is_a_503_with_the_wait() -> None:
    class Away:
        async def summaries(self, _: object) -> None:
            raise Unavailable("The database is away.", retry_after=7.2)

    async with open_house() as house:
        made = await house.services.people.keys.create(house.caller, "A key")
        services = changed(house.services, writing={"articles": Away()})
        async with AsyncTestClient(create_app(services)) as client:
            answer = await client.get("/articles", headers={"X-API-Key": made.secret})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "8")
    assert problem_of(answer)["code"] == "unavailable"


async def test_an_unexpected_error_is_a_500_that_gives_nothing_away() -> None:
    class Broken:
        async def summaries(self, _: object) -> None:
            raise RuntimeError("password=hunter2")

    async with open_house() as house:
        made = await house.services.people.keys.create(house.caller, "A key")
        services = changed(house.services, writing={"articles": Broken()})
        async with AsyncTestClient(create_app(services)) as client:
            with structlog.testing.capture_logs() as logs:
                answer = await client.get("/articles", headers={"X-API-Key": made.secret})
    assert answer.status_code == 500
    assert problem_of(answer)["code"] == "internal_error"
    assert "hunter2" not in answer.text
    told = next(line for line in logs if line["event"] == "unexpected error")
    assert told["requestId"] == answer.headers["x-request-id"]
    assert isinstance(told["exc_info"], RuntimeError)
    shown = without_words((RuntimeError, told["exc_info"], None))
    assert shown.endswith("\nRuntimeError")
    assert made.secret not in str(logs)


@pytest.mark.parametrize("sent", ["req-1", "a.b:c_d-9", "A" * 100])
async def test_a_sane_request_id_is_taken_over(sent: str) -> None:
    async with open_api() as api:
        assert (await api.call("GET", "/health", headers={"X-Request-Id": sent})).headers["x-request-id"] == sent


@pytest.mark.parametrize("sent", ["", "A" * 101, "two words", "<script>", "-start"])
async def test_any_other_request_id_is_replaced(sent: str) -> None:
    async with open_api() as api:
        given = (await api.call("GET", "/nowhere", headers={"X-Request-Id": sent})).headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{24}", given)


async def test_the_access_log_tells_the_route_and_no_content() -> None:
    async with open_api() as api:
        with structlog.testing.capture_logs() as logs:
            await api.call("GET", "/articles?search=confidential")
            await api.call("POST", "/writer/check-kb-coverage", {"agentKey": AGENT, "topic": COVERED})
            await api.call("GET", "/writer/some-id")
            await api.call("GET", "/nowhere/confidential", key=None)
    lines = [line for line in logs if line["event"] == "request"]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/articles", 200),
        ("POST", "/writer/check-kb-coverage", 200),
        ("GET", "/writer/{id}", 404),
        ("GET", "unmatched", 404),
    ]
    tenant = api.house.caller.tenant_id
    assert [line["tenantId"] for line in lines] == [tenant, tenant, tenant, None]
    assert all(line["durationMs"] >= 0 and line["requestId"] for line in lines)
    for secret in (api.key, "confidential", COVERED, "some-id"):
        assert secret not in str(logs)


async def test_metrics_are_labelled_by_route() -> None:
    async with open_api() as api:
        await api.call("GET", "/writer/one")
        await api.call("GET", "/writer/two")
        await api.call("BREW", "/coffee", key=None)
        await api.planned(autoValidate=True)
        answer = await api.call("GET", "/metrics", key=None)
    assert answer.headers["content-type"].startswith("text/plain")
    text = answer.text
    assert 'contentgen_http_requests_total{status="404",surface="api"} ' in text
    assert 'contentgen_http_request_seconds_count{method="GET"} 2.0' in text
    assert 'contentgen_http_request_seconds_count{method="other"} 1.0' in text
    assert 'contentgen_http_route_seconds_count{route="/writer"} 3.0' in text
    assert 'contentgen_http_route_seconds_count{route="unmatched"} 1.0' in text
    assert 'contentgen_jobs_due{kind="generate_article"} 1.0' in text
    assert "/writer/one" not in text


async def test_the_api_reference_needs_no_other_host() -> None:
    async with open_api() as api:
        page = await api.call("GET", "/docs", key=None)
        assert page.headers["content-type"].startswith("text/html")
        assert "http" not in re.sub(r"<!doctype[^>]*>", "", page.text.replace("http-equiv", ""))
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "http" not in policy
        assert "<script>" not in page.text
        linked = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        assert len(linked) == 4
        for address in linked:
            answer = await api.call("GET", address, key=None)
            assert answer.status_code == 200
            again = await api.call("GET", address, key=None, headers={"If-None-Match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
        styles = (await api.call("GET", "/docs/swagger-ui.css", key=None)).text
        assert not re.search(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", styles)
        assert (await api.call("GET", "/docs/..%2fapp.py", key=None)).status_code == 404


async def test_every_answer_carries_the_security_headers() -> None:
    async with open_api() as api:
        for path in ("/", "/articles", "/nowhere", "/docs"):
            headers = (await api.call("GET", path)).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
        assert (await api.call("GET", "/articles")).headers["cache-control"] == "no-store"


async def test_the_root_says_where_to_go() -> None:
    async with open_api() as api:
        welcome = (await api.call("GET", "/", key=None)).json()
        for name in ("documentation", "openapi", "health", "ready"):
            assert (await api.call("GET", welcome[name], key=None)).status_code == 200


async def test_options_tells_the_methods() -> None:
    async with open_api() as api:
        for path, methods in (
            ("/articles", "GET, OPTIONS"),
            ("/writer/some-id", "DELETE, GET, OPTIONS, PATCH"),
            ("/writer/generate", "OPTIONS, POST"),
            ("/niches", "GET, OPTIONS, POST"),
            ("/health", "GET, OPTIONS"),
        ):
            answer = await api.call("OPTIONS", path)
            assert (answer.status_code, answer.headers["allow"]) == (200, methods)
