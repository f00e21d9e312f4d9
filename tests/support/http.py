"""The HTTP surface over the house of the tests, as a client with a key sees it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from attrs import define
from litestar import Litestar

from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.ports.batched_model import BatchedModel
from contentgen_core.ports.counters import Allowance
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.ports.unit_of_work import UnitOfWork
from tests.support.changed import changed
from tests.support.house import AGENT, COVERED, NICHE, House, open_house
from tests.support.prepared_app import create_app
from tests.support.scripted_model import ScriptedModel

__all__ = ["AGENT", "COVERED", "NICHE", "Api", "Generous", "open_api"]


class Generous:
    """Lets `allowed` requests through and refuses those after them."""

    def __init__(self, allowed: int = 1_000_000) -> None:
        self.allowed = allowed
        self.taken: list[str] = []

    async def take(self, subject: str, per_minute: int) -> Allowance:
        self.taken.append(subject)
        if self.allowed <= 0:
            return Allowance(False, per_minute, 0, 1.4, 59.2)
        self.allowed -= 1
        return Allowance(True, per_minute, per_minute - 1, 0.0, 0.6)


@define
class Api:
    house: House
    app: Litestar
    client: httpx.AsyncClient
    limiter: Generous
    key: str

    async def call(self, method: str, path: str, body: object = None, **more: Any) -> httpx.Response:
        """Send a request with the key, unless `key` names another (None: none). `body` is sent as JSON."""
        key = more.pop("key", self.key)
        headers = dict(more.pop("headers", {}))
        if key is not None:
            headers["X-API-Key"] = key
        if body is not None:
            more["content"] = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        return await self.client.request(method, path, headers=headers, **more)

    async def key_of(self, caller: Caller) -> str:
        """Create a key as an operator does: for any role, whatever the caller's own."""
        async with self.house.services.ports.unit_of_work() as tx:
            return (
                await self.house.services.people.keys.create_in(tx, caller.tenant_id, caller.user_id, "A key")
            ).secret

    async def planned(self, **changes: object) -> dict[str, Any]:
        """A plan that awaits its review."""
        request = {"agentKey": AGENT, "topic": COVERED, "language": "en", "articleLength": "short", **changes}
        answer = await self.call("POST", "/writer/generate-plan", request)
        assert answer.status_code == 200, answer.text
        plan: dict[str, Any] = answer.json()
        return plan

    async def written(self, **changes: object) -> dict[str, Any]:
        """A generated article."""
        article_id = (await self.planned(autoValidate=True, **changes))["articleId"]
        await self.house.work()
        article: dict[str, Any] = (await self.call("GET", f"/writer/{article_id}")).json()
        assert article["status"] == "generated"
        return article


@asynccontextmanager
async def client_of(application: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    """A client without a key, of an application that runs in the same event loop. Litestar's own runs it in threads
    with loops of their own, which costs as much as a short test."""
    begun, over = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        """In a task of its own: a fixture is left in another one than it was entered in."""
        try:
            async with application.lifespan():
                begun.set()
                await over.wait()
        finally:
            begun.set()

    living = asyncio.create_task(live())
    await begun.wait()

    async def answered(*request: Any) -> None:
        """In a task of its own, as by a server: what it sets in its context ends with it."""
        await asyncio.create_task(application(*request))

    transport = httpx.ASGITransport(answered, client=("testclient", 50_000))
    address = "http://testserver.local"
    try:
        async with httpx.AsyncClient(
            transport=transport, base_url=address, follow_redirects=True, timeout=None
        ) as client:
            yield client
    finally:
        over.set()
        await living


@asynccontextmanager
async def open_api(
    plan: PlanName = PlanName.PRO,
    *,
    limiter: Generous | None = None,
    model: ScriptedModel | None = None,
    data: UnitOfWork | None = None,
    batched: BatchedModel | None = None,
    embedder: Embedder | None = None,
    **app: Any,
) -> AsyncIterator[Api]:
    limiter = limiter or Generous()
    app.setdefault("mcp_allowed_hosts", "testserver.local")  # as the client names the service
    async with open_house(plan, model, data, embedder=embedder, batched=batched) as house:
        services = changed(house.services, ports={"rate_limiter": limiter})
        application = create_app(services, **app)
        async with client_of(application) as client:
            api = Api(house, application, client, limiter, "")
            api.key = await api.key_of(house.caller)
            yield api


def problem_of(answer: httpx.Response) -> dict[str, Any]:
    """The problem that an answer carries, checked for what every problem has."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["type"] == f"urn:contentgen:error:{problem['code']}"
    assert problem["title"]
    assert problem["detail"]
    assert problem["requestId"] == answer.headers["x-request-id"]
    return problem


def faults_of(answer: httpx.Response) -> dict[str, str]:
    """The faults of an invalid request by field."""
    assert answer.status_code == 400, answer.text
    problem = problem_of(answer)
    assert problem["code"] == "invalid_input"
    return {fault["field"]: fault["message"] for fault in problem["errors"]}
