"""The index on S3-compatible storage keeps the contract of an index in a folder."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest

from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.lance.location import storage_options
from contentgen_core.errors import Unavailable
from contentgen_core.ports.knowledge_base import PassageIndex
from contentgen_core.testing.passage_index import PassageIndexContract
from contentgen_core.testing.passage_search import DIMENSION, MODEL, Reopen, by_words, entry, put, refs
from tests.support.s3 import CREDENTIALS, s3_server


@pytest.fixture(scope="module")
def environ() -> Iterator[Mapping[str, str]]:
    with s3_server("knowledge") as address, pytest.MonkeyPatch.context() as patch:
        settings = {**CREDENTIALS, "AWS_ENDPOINT_URL": f"http://{address}"}
        for name, value in settings.items():
            patch.setenv(name, value)
        yield settings


@pytest.fixture
def place(request: pytest.FixtureRequest) -> str:
    return "s3://knowledge/" + "".join(c for c in request.node.name if c.isalnum())


class TestLanceIndexOnS3(PassageIndexContract):
    behind = 1.0  # what is promised; it is half of that

    @pytest.fixture
    async def index(self, reopen: Reopen) -> PassageIndex:
        return await reopen(MODEL, DIMENSION)

    @pytest.fixture
    def reopen(self, place: str, environ: Mapping[str, str]) -> Reopen:
        return lambda model, dimension: LanceIndex.open(place, model, dimension, storage_options(place, environ))


async def test_a_store_that_is_away_is_told_within_seconds(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    with s3_server("knowledge") as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{address}")  # another test's would come first
        options = storage_options(place, {"AWS_ENDPOINT_URL": f"http://{address}"})
        index = await LanceIndex.open(place, MODEL, DIMENSION, options)
        new = entry("pump")
        await put(index, [new])
        assert await by_words(index, "pump") == refs(new)
    await asyncio.sleep(2.0)  # until then a search may know all it needs
    attempts: list[Callable[[], Awaitable[object]]] = [
        lambda: by_words(index, "pump"),
        lambda: put(index, [entry("pump")]),
        lambda: LanceIndex.open(place, MODEL, DIMENSION, options),
        index.check,
    ]

    async def told(attempt: Callable[[], Awaitable[object]]) -> None:
        async with asyncio.timeout(60):
            with pytest.raises(Unavailable):
                await attempt()

    with kept_from_others(address):
        await asyncio.gather(*map(told, attempts))  # each tries again for some seconds


@contextmanager
def kept_from_others(address: str) -> Iterator[None]:
    """A port that nobody answers on; a store of another test must not get it meanwhile."""
    host, _, port = address.rpartition(":")
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind((host, int(port)))
        yield
