"""The product as its users have it: a `contentgen serve` of its own, over HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from attrs import frozen

from contentgen_adapters.runtime import SystemClock
from tests.process.articles import generate, topics
from tests.process.service import Service, data_directory

now: Final = SystemClock().now
RETRY_POLICY: Final = 120.0
"""Seconds for a publication with its retries, after a call that takes a whole minute to fail."""


@frozen
class Product:
    service: Service
    http: httpx.AsyncClient

    async def connecting(
        self, provider: str, credentials: dict[str, Any], settings: dict[str, Any] | None = None
    ) -> httpx.Response:
        body = {"provider": provider, "name": provider, "credentials": credentials, "settings": settings or {}}
        return await self.http.post("/integrations", json=body)

    async def connect(self, provider: str, credentials: dict[str, Any], settings: dict[str, Any] | None = None) -> str:
        """The id of a new integration."""
        answer = await self.connecting(provider, credentials, settings)
        assert answer.status_code == 200, answer.text
        id: str = answer.json()["integration"]["id"]
        return id

    async def refused(self, provider: str, credentials: dict[str, Any], settings: dict[str, Any] | None = None) -> str:
        """Why the target does not take these credentials."""
        answer = await self.connecting(provider, credentials, settings)
        assert answer.status_code == 400, answer.text
        reason: str = answer.json()["detail"]
        return reason

    async def tested(self, integration: str) -> str:
        answer = await self.http.post(f"/integrations/{integration}/test")
        assert answer.status_code == 200, answer.text
        assert answer.json()["success"], answer.text
        message: str = answer.json()["message"]
        return message

    async def options(self, provider: str, integration: str) -> dict[str, list[tuple[str, str]]]:
        """The values and labels of each option."""
        path = f"/integrations/providers/{provider}/options"
        answer = await self.http.get(path, params={"integrationId": integration})
        assert answer.status_code == 200, answer.text
        return {
            each["name"]: [(c["value"], c["label"]) for c in each.get("choices", [])]
            for each in answer.json()["options"]
        }

    async def begin(self, integration: str, key: str | None = None, **fields: Any) -> dict[str, Any]:
        """The publication as the request tells it, which may still be under way. `key`: to repeat the request by."""
        headers = {"Idempotency-Key": key.replace(" ", "-")} if key else {}
        answer = await self.http.post(f"/integrations/{integration}/publish", json=fields, headers=headers)
        assert answer.status_code == 200, answer.text
        publication: dict[str, Any] = answer.json()["publication"]
        return publication

    async def publish(self, integration: str, **fields: Any) -> dict[str, Any]:
        """The publication when it has ended."""
        return await self.ended(await self.begin(integration, **fields))

    async def ended(self, publication: dict[str, Any], seconds: float = RETRY_POLICY) -> dict[str, Any]:
        until = time.monotonic() + seconds
        while publication["status"] == "pending":
            assert time.monotonic() < until, f"still under way: {publication}"
            await asyncio.sleep(0.2)
            publication = (await self.http.get(f"/publications/{publication['id']}")).json()
        return publication

    async def tried_again(self, publication: dict[str, Any], retries: int) -> dict[str, Any]:
        """The publication once it waits for a further attempt after so many."""
        async with asyncio.timeout(RETRY_POLICY):
            while publication.get("retries", 0) < retries or not publication.get("nextAttemptAt"):
                assert publication["status"] == "pending", publication
                await asyncio.sleep(0.2)
                publication = (await self.http.get(f"/publications/{publication['id']}")).json()
        return publication

    async def published(self, integration: str, **fields: Any) -> dict[str, Any]:
        """The publication, which must have gone well."""
        publication = await self.publish(integration, **fields)
        assert publication["status"] == "published", publication
        return publication

    async def failed(self, integration: str, **fields: Any) -> str:
        """Why a publication failed."""
        publication = await self.publish(integration, **fields)
        assert publication["status"] == "failed", publication
        reason: str = publication["error"]
        return reason

    async def article(self) -> str:
        """The id of an article with a text."""
        used = {article["topic"] for article in (await self.http.get("/articles")).json()["articles"]}
        niche, topic = next((niche, topic) for niche, topic in topics(20) if topic not in used)
        with self.service.client() as client:
            answer = await asyncio.to_thread(generate, client, niche, topic)
        assert answer.status_code == 200, answer.text
        id: str = answer.json()["articleId"]
        async with asyncio.timeout(60):
            while (await self.http.get(f"/writer/{id}")).json()["status"] != "generated":
                await asyncio.sleep(0.1)
        return id

    async def change(self, article: str, **fields: Any) -> None:
        answer = await self.http.patch(f"/writer/{article}", json=fields)
        assert answer.status_code == 200, answer.text


@asynccontextmanager
async def product(private: Sequence[str], settings: Mapping[str, str] | None = None) -> AsyncIterator[Product]:
    """`private`: the addresses on loopback that it may call. `settings`: further ones."""
    hosts = ",".join(f"{parts.hostname}:{parts.port}" for parts in map(urlsplit, private))
    with data_directory() as directory:
        service = Service(directory, {"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": hosts, **(settings or {})})
        try:
            await asyncio.to_thread(service.start)
            headers = {"X-API-Key": service.demo_key}
            async with httpx.AsyncClient(
                base_url=service.http.base_url, headers=headers, timeout=60, trust_env=False
            ) as http:
                yield Product(service, http)
        finally:
            await asyncio.to_thread(service.close)
