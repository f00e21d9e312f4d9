"""Run an index in a process of its own that reads commands line by line: `python -m tests.support.index_process
PLACE`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from attrs import frozen

from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.lance.location import storage_options
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing.passage_search import DIMENSION, MODEL, VIEW, entry, put

RETRY_POLICY: Final = 60.0


@frozen
class IndexProcess:
    process: asyncio.subprocess.Process

    async def ask(self, do: str, *arguments: Any) -> Any:
        """Send a command and return the answer of the process, once it has done it."""
        self.tell(do, *arguments)
        return await self.answer()

    def tell(self, do: str, *arguments: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([do, *arguments]).encode() + b"\n")

    async def answer(self) -> Any:
        assert self.process.stdout is not None
        async with asyncio.timeout(RETRY_POLICY):
            line = await self.process.stdout.readline()
        assert line, "the process ended"
        return json.loads(line)

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def index_processes(place: str, number: int) -> AsyncIterator[list[IndexProcess]]:
    """Start so many processes, each with the index open."""
    started = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__, place), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        for _ in range(number)
    ]
    processes = [IndexProcess(process) for process in started]
    try:
        for process in processes:
            assert await process.answer() == "open"
        yield processes
    finally:
        for child in started:
            if child.returncode is None:
                child.kill()
            await child.wait()


async def _serve(place: str) -> None:
    index = await LanceIndex.open(place, MODEL, DIMENSION, storage_options(place, os.environ))
    _say("open")
    while line := await asyncio.to_thread(sys.stdin.readline):
        match json.loads(line):
            case ["add", documents]:
                await put(index, [entry("pump", id=document) for document in documents])
                _say(len(documents))
            case ["add each", documents]:
                for document in documents:
                    await put(index, [entry("pump", id=document)])
                    _say(document)
            case ["remove", documents]:
                await index.remove([DocumentId(document) for document in documents])
                _say(len(documents))
            case ["optimize"]:
                await index.optimize()
                _say("fit")
            case ["find"]:
                hits = await index.search(VIEW, {Language.EN: ["pump"]}, None, 1_000)
                _say(sorted(hit.ref.document_id for hit in hits))


def _say(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1]))
