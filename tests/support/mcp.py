"""An agent at the service, by the protocol's own client; and trends for it to find."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from contentgen_core.model.ids import TenantId
from contentgen_core.model.trend import Trend, TrendCategory, TrendSlug, TrendSource, TrendText
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.testing import builders
from tests.support.http import Api

PATH = "/mcp/sse"
ADDRESS = f"http://testserver.local{PATH}"
MOMENT = datetime(2026, 11, 20, 8, tzinfo=UTC)


class _ThroughTheClient(httpx2.AsyncBaseTransport):
    """The application runs in the test client's event loop: so do the agent's requests."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = dict(request.headers)
        answer = await self._api.client.request(
            request.method, request.url.path, headers=headers, content=await request.aread()
        )
        return httpx2.Response(answer.status_code, headers=dict(answer.headers), content=answer.content)


@asynccontextmanager
async def agent(api: Api, key: str | None = None, mode: str = "auto") -> AsyncIterator[Client]:
    headers = {} if key is None else {"X-API-Key": key}
    async with (
        httpx2.AsyncClient(transport=_ThroughTheClient(api), headers=headers) as http,
        Client(streamable_http_client(ADDRESS, http_client=http), mode=mode) as client,
    ):
        yield client


async def answer_of(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """Return the answer of the tool, after checking that its text says the same."""
    answer = await client.call_tool(tool, arguments)
    assert isinstance(answer, CallToolResult)
    assert not answer.is_error, answer.content
    assert json.loads(text_of(answer)) == answer.structured_content
    content: dict[str, Any] = answer.structured_content
    return content


async def refused(client: Client, tool: str, **arguments: object) -> str:
    """Return the error message of the tool."""
    answer = await client.call_tool(tool, arguments)
    assert isinstance(answer, CallToolResult)
    assert answer.is_error, answer.content
    return text_of(answer)


def text_of(answer: CallToolResult) -> str:
    [content] = answer.content
    assert content.type == "text"
    return content.text


async def rpc(api: Api, method: str, params: object = None, *, id: object = 1, **more: Any) -> httpx.Response:
    """Send one message without the client, and without a key unless one is named."""
    message = {"jsonrpc": "2.0", "method": method} | ({} if id is None else {"id": id})
    return await post(api, message if params is None else message | {"params": params}, **more)


async def post(api: Api, body: object, **more: Any) -> httpx.Response:
    headers = {"Accept": "application/json", "Content-Type": "application/json"} | more.pop("headers", {})
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await api.call("POST", PATH, headers=headers, key=more.pop("key", None), content=content, **more)


def source(number: int = 1, **changes: Any) -> TrendSource:
    return TrendSource(
        **{
            "url": f"https://news.example.org/{number}",
            "title": f"Report {number} on heat pumps",
            "publisher": f"Paper {number}",
            "category": TrendCategory.NEWS,
            "published_at": MOMENT - timedelta(hours=number),
            "found_at": MOMENT,
            "excerpt": "Sales of heat pumps grow.",
        }
        | changes
    )


def trend(slug: str = "heat-pump-sales", **changes: Any) -> Trend:
    return Trend(
        **{
            "slug": TrendSlug(slug),
            "niche_key": "home-energy",
            "title": f"Heat pump sales grow ({slug})",
            "summary": "Several papers report growing sales.",
            "category": TrendCategory.NEWS,
            "language": Language.EN,
            "score": 71.25,
            "sources": (source(1), source(2)),
            "history": (),
            "first_seen_at": MOMENT - timedelta(days=1),
            "last_seen_at": MOMENT,
            "updated_at": MOMENT,
        }
        | changes
    )


async def add_trend(api: Api, made: Trend, texts: dict[str, str] | None = None) -> None:
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Trends].save(made)
        await tx[Trends].save_texts(made.slug, [TrendText(url, text) for url, text in (texts or {}).items()])


async def add_article(api: Api, tenant_id: TenantId | None = None, **changes: Any) -> str:
    """A public article, unless the changes say something else; its id."""
    made = builders.full_article(
        **{"tenant_id": tenant_id or api.house.caller.tenant_id, "job_id": None, "revision": 0} | changes
    )
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(made)
    return made.id
