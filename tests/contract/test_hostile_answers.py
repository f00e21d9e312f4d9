"""Answers of other services that are packed to fill the memory."""

from __future__ import annotations

import psutil
import pytest

from contentgen_adapters.shared.http import Peer, RetryPolicy, make_client, send
from contentgen_core.errors import ProviderFailed
from tests.support import web_server
from tests.support.web_server import WebServer


@pytest.mark.parametrize(("layers", "encoding"), [(1, "gzip"), (2, "gzip, gzip"), (3, "gzip, gzip, gzip")])
async def test_a_packed_bomb_is_not_unpacked(layers: int, encoding: str) -> None:
    with WebServer() as server:
        url = server.put("/answer", web_server.bomb(layers), "application/json", content_encoding=encoding)
        async with make_client() as client:
            before = psutil.Process().memory_info().rss
            with pytest.raises(ProviderFailed, match=r"larger than|cannot be unpacked"):
                await send(client, client.build_request("GET", url), peer=Peer("target"), retry_policy=RetryPolicy())
            assert psutil.Process().memory_info().rss - before < 60_000_000
