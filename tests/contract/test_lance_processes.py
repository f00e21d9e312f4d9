"""Several processes on one index, in a folder and on S3-compatible storage."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.lance.location import storage_options
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing.passage_search import DIMENSION, MODEL, VIEW
from tests.support.index_process import index_processes
from tests.support.s3 import CREDENTIALS, s3_server


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with s3_server("knowledge") as address, pytest.MonkeyPatch.context() as patch:
        for name, value in {**CREDENTIALS, "AWS_ENDPOINT_URL": f"http://{address}"}.items():
            patch.setenv(name, value)
        yield "s3://knowledge"


@pytest.fixture(params=["folder", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "folder":
        return str(tmp_path / "index")
    return f"{request.getfixturevalue('bucket')}/{tmp_path.name}"


async def others_see(place: str) -> None:
    """Wait as long as a process may be behind: a second at an object store, not at all in a folder."""
    await asyncio.sleep(1.0 if place.startswith("s3://") else 0.0)


async def found(place: str) -> list[str]:
    """The documents of all that a freshly opened index finds, each as often as it is there."""
    index = await LanceIndex.open(place, MODEL, DIMENSION, storage_options(place, os.environ))
    await index.check()
    hits = await index.search(VIEW, {Language.EN: ["pump"]}, None, 1_000)
    await index.close()
    return sorted(hit.ref.document_id for hit in hits)


async def test_what_one_process_adds_or_removes_the_others_find_or_miss_at_once_or_within_a_second(place: str) -> None:
    async with index_processes(place, 2) as (writer, reader):
        assert await reader.ask("find") == []
        for number in range(3):
            await writer.ask("add", [f"d{number}"])
            assert f"d{number}" in await writer.ask("find")
            await others_see(place)
            assert await reader.ask("find") == [f"d{n}" for n in range(number + 1)]
        await writer.ask("optimize")
        await writer.ask("remove", ["d1"])
        await others_see(place)
        assert await reader.ask("find") == ["d0", "d2"]


async def test_writers_and_upkeep_of_several_processes_lose_nothing_and_readers_go_on(place: str) -> None:
    shared = [f"both-{n}" for n in range(20)]
    async with index_processes(place, 3) as (one, other, reader):
        await one.ask("add", ["old", *shared[:5]])
        for process, name in ((one, "one"), (other, "other")):
            for number in range(4):
                process.tell("add", [f"{name}-{number}-{n}" for n in range(10)])
                process.tell("add", shared)
                process.tell("remove", [f"{name}-{number}-0", "old"])
            process.tell("optimize")

        async def answers() -> int:
            return sum([await one.answer() != await other.answer() for _ in range(13)])

        writing = asyncio.create_task(answers())
        reads = 0
        while not writing.done():
            now = await reader.ask("find")
            assert len(now) == len(set(now))
            assert set(shared[:5]) <= set(now)
            reads += 1
        assert await writing == 0
        assert reads > 1
    left = [f"{name}-{number}-{n}" for name in ("one", "other") for number in range(4) for n in range(1, 10)]
    assert await found(place) == sorted([*shared, *left])


async def test_a_writer_that_is_killed_leaves_all_it_reported_and_others_write_on(place: str) -> None:
    many = [f"d{number:03}" for number in range(500)]
    async with index_processes(place, 2) as (doomed, heir):
        doomed.tell("add each", many)
        reported = [await doomed.answer() for _ in range(7)]
        await asyncio.sleep(0.02)  # in the middle of another
        await doomed.kill()
        await others_see(place)
        kept = await heir.ask("find")
        assert kept == many[: len(kept)]
        assert set(reported) <= set(kept)
        await heir.ask("add", many[:20])
        await heir.ask("optimize")
        assert await heir.ask("find") == many[: max(20, len(kept))]
    assert await found(place) == many[: max(20, len(kept))]
