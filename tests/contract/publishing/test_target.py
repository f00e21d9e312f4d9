"""Reads of a target that asks to wait."""

from __future__ import annotations

import httpx
import pytest

from contentgen_adapters.publishing.target import Target
from contentgen_adapters.shared.http import make_client
from contentgen_core.ports.publishing import PublishFailed, Refusal


@pytest.mark.parametrize("status", [429, 503])
async def test_a_target_that_asks_to_wait_for_long_is_asked_once(status: int) -> None:
    """Whoever waits within the call holds a place that another target could have."""
    calls = 0

    def answer(_: httpx.Request) -> httpx.Response:
        nonlocal calls
        calls += 1
        return httpx.Response(status, headers={"Retry-After": "3"})

    async with make_client(transport=httpx.MockTransport(answer)) as client:
        with pytest.raises(PublishFailed) as failure:
            await Target("blog", client, "https://blog.example.org").get("/posts/1")
    assert (calls, failure.value.retry_after) == (1, 3.0)
    assert failure.value.refusal is (Refusal.LIMITED if status == 429 else Refusal.TRANSIENT)
