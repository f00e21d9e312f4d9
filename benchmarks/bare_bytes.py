"""The reference of the benchmark of public reads: a Litestar handler that returns bytes, and nothing else.

`python -m benchmarks.bare_bytes PORT PATH FILE`: what the file holds, at that path. The same server, settings and loop
as the product; no cache, no ETag, no request id, no access log, no metrics."""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn
from litestar import Litestar, Response, get


def application(path: str, body: bytes) -> Litestar:
    @get("/health")
    async def health() -> str:
        return "ok"

    @get(path)
    async def answer() -> Response[bytes]:
        return Response(body, media_type="application/json")

    return Litestar([health, answer], openapi_config=None, logging_config=None)


if __name__ == "__main__":
    uvicorn.run(
        application(sys.argv[2], Path(sys.argv[3]).read_bytes()),
        port=int(sys.argv[1]),
        loop="uvloop",
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        proxy_headers=False,
    )
