"""Clients that go while the service works for them, and tenants that have it work on too much at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import structlog

from contentgen_adapters.shared.http import tls
from contentgen_core.model.tenant import PlanName
from contentgen_http.server.concurrency_limit import SLOW_WAITING_FOR_EACH
from tests.support.house import AGENT, COVERED, House, open_house
from tests.support.http import problem_of
from tests.support.prepared_app import create_app
from tests.support.scripted_model import ScriptedModel
from tests.support.served import served
from tests.support.waiting import until


@asynccontextmanager
async def asked(model: ScriptedModel, **options: int) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    """A client with the key of the house's caller."""
    async with open_house(PlanName.PRO, model) as house, served(create_app(house.services, **options)) as port:
        key = (await house.services.people.keys.create(house.caller, "A key")).secret
        address, headers = f"http://127.0.0.1:{port}", {"X-API-Key": key}
        async with httpx.AsyncClient(base_url=address, headers=headers, verify=tls()) as client:
            yield house, client


async def test_a_plan_whose_client_has_gone_is_neither_stored_nor_charged() -> None:
    model = ScriptedModel(delay=3_600)
    async with asked(model) as (_, client):
        with structlog.testing.capture_logs() as logs:
            body = {"agentKey": AGENT, "topic": COVERED}
            asking = asyncio.create_task(client.post("/writer/generate-plan", json=body))
            await until(lambda: model.calls["plan"] == 1)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            await until(lambda: any(line["event"] == "request" for line in logs))
        assert [(line["event"], line["status"], line["log_level"]) for line in logs] == [("request", 499, "info")]
        assert (await client.get("/articles")).json()["total"] == 0
        assert (await client.get("/tenant/quotas")).json()["articles"]["used"] == 0


async def test_a_tenants_flood_of_plans_is_refused_and_holds_nobody_else_up() -> None:
    model, go_on = ScriptedModel(), asyncio.Event()
    model.wait = go_on.wait
    async with asked(model, slow_requests_of_tenant=1) as (house, client):
        other = (await house.services.people.tenants.create("Other", PlanName.PRO)).caller
        others = {"X-API-Key": (await house.services.people.keys.create(other, "A key")).secret}
        plan, search = {"agentKey": AGENT, "topic": COVERED}, {"query": "heat pump"}
        flood = [
            asyncio.create_task(client.post("/writer/generate-plan", json=plan))
            for _ in range(1 + SLOW_WAITING_FOR_EACH)
        ]
        await until(lambda: model.calls["plan"] == 1 and house.services.telemetry.metrics.requests_in_flight == 3)
        refused = await client.post("/writer/generate-plan", json=plan)
        problem = problem_of(refused)
        assert (problem["code"], problem["limit"], refused.headers["retry-after"]) == ("too_many_at_once", 1, "2")
        assert (await client.get("/articles")).status_code == 200
        assert (await client.post("/documents/search", json=search, headers=others)).status_code == 200
        go_on.set()
        assert {answer.status_code for answer in await asyncio.gather(*flood)} == {200}
        assert (await client.post("/documents/search", json=search)).status_code == 200
