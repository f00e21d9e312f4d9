"""Tenants that have articles written over HTTP, by a service in processes of its own."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import frozen
from tests.support.model_server import ModelServer

from benchmarks.installation import NICHE, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import Program, service

PASSAGES: Final = 2_000
MOST_OF_A_TENANT: Final = 500
"""Articles: what a Business plan includes in a month."""
SECRET: Final = "the secret of the benchmarks, 32 bytes"
LIMIT_SECONDS: Final = 300.0


@frozen
class Writer:
    """A tenant that has articles written. `topics`: enough for all of them, each once."""

    key: str
    topics: Iterator[str]

    def write(self, program: Program, count: int) -> None:
        """Asks for so many articles and waits until all are written. Raises AssertionError where one is not."""
        for _ in range(count):
            body = json.dumps({"nicheId": NICHE, "topic": next(self.topics), "language": "en"})
            _answer(program, "POST", "/writer/generate", self.key, body)
        deadline = time.monotonic() + LIMIT_SECONDS
        while self._count(program, "generating"):
            assert time.monotonic() < deadline, f"not written within {LIMIT_SECONDS:g} s"
            time.sleep(0.25)
        assert not self._count(program, "failed")

    def _count(self, program: Program, status: str) -> int:
        total: int = json.loads(_answer(program, "GET", f"/articles?limit=1&status={status}", self.key))["total"]
        return total


async def filled(folder: Path, articles: int) -> list[Writer]:
    """Makes an installation with as many tenants as may have so many articles written in a month, all but the last one
    with MOST_OF_A_TENANT."""
    async with installation(folder, InstantModel(), PASSAGES) as here:
        topics, writers = here.corpus.topics(articles), []
        for start in range(0, articles, MOST_OF_A_TENANT):
            caller = await here.tenant()
            key = (await here.services.people.keys.create(caller, "Benchmark")).secret
            writers.append(Writer(key, iter(topics[start : start + MOST_OF_A_TENANT])))
        return writers


@contextmanager
def serving(folder: Path, model: ModelServer, *options: str, places: int | None = None) -> Iterator[Program]:
    """The service over that installation. `places`: articles at a time, if others than by default."""
    settings = model.environment | {"CONTENTGEN_SECRET_KEY": SECRET}
    if places is not None:
        settings["CONTENTGEN_GENERATIONS"] = str(places)
    with service(folder / "data", *options, settings=settings, all_cores=True) as program:
        time.sleep(2.0)  # until the other processes are there
        yield program


def _answer(program: Program, method: str, path: str, key: str, body: str | None = None) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=30)
    try:
        connection.request(method, path, body, {"X-API-Key": key, "Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        return content
    finally:
        connection.close()
