"""Somebody without a key who reads what is public."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from contentgen_core.model.article import PublicCategory
from contentgen_core.model.trend import TrendCategory
from tests.support.changed import changed
from tests.support.house import House, open_house
from tests.support.http import Generous, client_of
from tests.support.prepared_app import create_app
from tests.support.public import a_public_article, a_trend, add_articles, add_trends

BASE = "https://articles.example.org"


class Public:
    """A visitor without a key, and the house whose service it reads."""

    def __init__(self, house: House, client: httpx.AsyncClient, limiter: Generous) -> None:
        self.house, self.client, self.limiter = house, client, limiter
        self.unit_of_work = house.services.ports.unit_of_work

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.client.get(path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    async def json(self, path: str) -> Any:
        answer = await self.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()


@asynccontextmanager
async def visited(public_url: str | None = BASE, limiter: Generous | None = None) -> AsyncIterator[Public]:
    limiter = limiter or Generous()
    async with open_house() as house:
        services = changed(house.services, ports={"rate_limiter": limiter}, options={"public_url": public_url})
        async with client_of(create_app(services)) as client:
            yield Public(house, client, limiter)


async def filled(public: Public) -> None:
    tenant = public.house.caller.tenant_id
    await add_trends(public.unit_of_work, a_trend("heat", 80), a_trend("noise", 40, category=TrendCategory.RESEARCH))
    await add_articles(
        public.unit_of_work,
        a_public_article(tenant),
        a_public_article(tenant, "radar-heat", public_category=PublicCategory.TREND_RADAR),
    )
