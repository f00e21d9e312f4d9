"""The model is called over connections of its own, as many times at once as the settings say."""

from __future__ import annotations

import asyncio
import json

import pytest

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.model.vocabulary import Language
from contentgen_grounded.bootstrap import providers
from contentgen_grounded.bootstrap.ports import local_ports
from contentgen_grounded.settings import Settings

_TEXT = json.dumps({"text": "A short text."})
_ANSWER = json.dumps({"choices": [{"message": {"content": _TEXT}, "finish_reason": "stop"}]}).encode()


class SlowModel:
    """An OpenAI-compatible server that answers when so many calls are under way at once, or after some seconds."""

    def __init__(self, expected: int) -> None:
        self.most = self._under_way = 0
        self._expected = expected
        self._all_there = asyncio.Event()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(length)
        self._under_way += 1
        self.most = max(self.most, self._under_way)
        if self._under_way >= self._expected:
            self._all_there.set()
        try:
            async with asyncio.timeout(5):
                await self._all_there.wait()
        except TimeoutError:
            pass
        self._under_way -= 1
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(_ANSWER), _ANSWER)
        )
        await writer.drain()
        writer.close()


@pytest.mark.parametrize("at_once", [1, 16, 64])
async def test_the_model_gets_as_many_calls_at_once_as_the_settings_say(at_once: int) -> None:
    calls = max(4, 2 * at_once)
    model = SlowModel(at_once)
    server = await asyncio.start_server(model, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    ports = local_ports(MemoryUnitOfWork(), b"x" * 32)
    settings = Settings(model_calls=at_once, content_model="openai", openai_base_url=f"http://127.0.0.1:{port}/v1")
    async with server, providers.with_chosen_adapters(settings, ports) as chosen:
        answers = await asyncio.gather(
            *(chosen.model.summarise(f"A long text, number {n}.", Language.EN, 50) for n in range(calls))
        )
    assert [answer.value for answer in answers] == ["A short text."] * calls
    assert model.most == at_once
