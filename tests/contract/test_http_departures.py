"""A client that goes while the service works for it."""

from __future__ import annotations

import asyncio
import json

import httpx
import structlog

from contentgen_core.model.tenant import PlanName
from contentgen_http.app import create_app
from tests.support.house import AGENT, COVERED, open_house
from tests.support.scripted_model import ScriptedModel
from tests.support.served import served
from tests.support.waiting import until


async def test_a_plan_whose_client_has_gone_is_neither_stored_nor_charged() -> None:
    model = ScriptedModel(delay=3_600)
    async with open_house(PlanName.PRO, model) as house, served(create_app(house.services)) as port:
        key = (await house.services.people.keys.create(house.caller, "A key")).secret
        base, headers = f"http://127.0.0.1:{port}", {"X-API-Key": key}
        with structlog.testing.capture_logs() as logs:
            async with httpx.AsyncClient(base_url=base, headers=headers) as client:
                body = json.dumps({"agentKey": AGENT, "topic": COVERED}).encode()
                asking = asyncio.create_task(
                    client.post("/writer/generate-plan", content=body, headers={"Content-Type": "application/json"})
                )
                await until(lambda: model.calls["plan"] == 1)
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
            await until(lambda: any(line["event"] == "request" for line in logs))
        assert [(line["event"], line["status"], line["log_level"]) for line in logs] == [("request", 499, "info")]
        async with httpx.AsyncClient(base_url=base, headers=headers) as client:
            assert (await client.get("/articles")).json()["total"] == 0
            assert (await client.get("/tenant/quotas")).json()["articles"]["used"] == 0
