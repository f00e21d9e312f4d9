"""What stand-ins for servers behind httpx.MockTransport have in common."""

from __future__ import annotations

import asyncio

import httpx


class StandIn:
    """Counts who asks, and how many did so at the same time. `failures` come before the answers."""

    def __init__(self, *failures: httpx.Response | Exception) -> None:
        self.failures = list(failures)
        self.requests: list[httpx.Request] = []
        self.open = self.most_open = 0

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.open += 1
        self.most_open = max(self.open, self.most_open)
        await asyncio.sleep(0.001)
        self.open -= 1
        if self.failures:
            failure = self.failures.pop(0)
            if isinstance(failure, Exception):
                raise failure
            return failure
        return self.answer(request)

    def answer(self, request: httpx.Request) -> httpx.Response:
        raise NotImplementedError
