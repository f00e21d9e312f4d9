"""A receiver of webhooks that takes its time, in a process of its own: `python -m benchmarks.slow_target PORT`.

Answers each message after so many seconds as its address says (`/hook/1.0`), as many at once as come, or CAPACITY at
once while others wait (`/queue/1.0`), and tells at `/most` how many were under way together."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import uvicorn
from litestar import Litestar, Request, get, post
from litestar.params import FromPath

CAPACITY: Final = 8
_free = asyncio.Semaphore(CAPACITY)


class Counted:
    now = most = 0


@get("/health")
async def health() -> str:
    return "fine"


@get("/most")
async def most() -> dict[str, int]:
    """Since it was last asked."""
    most, Counted.most = Counted.most, 0
    return {"most": most}


@post("/hook/{seconds:str}", status_code=200)
async def hook(request: Request[Any, Any, Any], seconds: FromPath[str]) -> dict[str, str]:
    sent = await request.json()
    with counted():
        await asyncio.sleep(float(seconds))
    return _post(sent)


@post("/queue/{seconds:str}", status_code=200)
async def queue(request: Request[Any, Any, Any], seconds: FromPath[str]) -> dict[str, str]:
    sent = await request.json()
    with counted():
        async with _free:
            await asyncio.sleep(float(seconds))
    return _post(sent)


@contextmanager
def counted() -> Iterator[None]:
    Counted.now += 1
    Counted.most = max(Counted.most, Counted.now)
    try:
        yield
    finally:
        Counted.now -= 1


def _post(sent: dict[str, Any]) -> dict[str, str]:
    slug = sent.get("data", {}).get("slug", "test")
    return {"id": slug, "url": f"https://example.com/{slug}"}


if __name__ == "__main__":
    uvicorn.run(
        Litestar([health, most, hook, queue], openapi_config=None, logging_config=None),
        port=int(sys.argv[1]),
        loop="uvloop",
        log_config=None,
        access_log=False,
        lifespan="on",
    )
