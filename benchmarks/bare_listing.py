"""The reference of the list benchmark: a Litestar handler over one pooled query of 20 rows, and nothing else.

`python -m benchmarks.bare_listing PORT CONNINFO`. The same server, settings, loop, driver, columns and rows as the
product; no key, no limit, no total, no access log, no metrics, no domain model between row and answer."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import msgspec
import uvicorn
from litestar import Litestar, get
from litestar.params import FromQuery
from psycopg_pool import AsyncConnectionPool

from contentgen_adapters.postgres.repositories.article_rows import SUMMARY_COLUMNS

NAMES: Final = tuple(name.strip().partition("::")[0] for name in SUMMARY_COLUMNS.split(","))
TYPES: Final[dict[str, Any]] = {
    **dict.fromkeys(("keywords", "coverage_missing"), list[str] | None),
    **dict.fromkeys(("has_seo", "is_public", "is_free_generation", "coverage_provisional"), bool),
    **dict.fromkeys(("created_at", "updated_at", "scheduled_for", "published_at"), datetime | None),
    **dict.fromkeys(("word_count", "progress"), int),
    "coverage_score": float | None,
}
Row: Final = msgspec.defstruct("Row", [(name, TYPES.get(name, str | None)) for name in NAMES], rename="camel")
QUERY: Final = f"SELECT {SUMMARY_COLUMNS} FROM articles WHERE tenant_id = %s ORDER BY created_at DESC, id DESC LIMIT 20"


class Rows(msgspec.Struct):
    articles: list[Any]


def application(conninfo: str) -> Litestar:
    pool = AsyncConnectionPool(
        conninfo, open=False, min_size=2, max_size=10, kwargs={"autocommit": True, "prepare_threshold": 3}
    )

    @asynccontextmanager
    async def opened(_: Litestar) -> AsyncIterator[None]:
        async with pool:
            yield

    @get("/health")
    async def health() -> str:
        return "ok"

    @get("/articles")
    async def articles(tenant: FromQuery[str]) -> Rows:
        async with pool.connection() as connection:
            cursor = await connection.execute(QUERY, (tenant,), binary=True)
            return Rows([Row(*row) for row in await cursor.fetchall()])

    return Litestar([health, articles], lifespan=[opened], openapi_config=None, logging_config=None)


if __name__ == "__main__":
    uvicorn.run(
        application(sys.argv[2]),
        port=int(sys.argv[1]),
        loop="uvloop",
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        proxy_headers=False,
    )
