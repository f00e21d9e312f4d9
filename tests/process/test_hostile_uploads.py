"""Uploads that are made to bring the service down: each ends within its limits, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

import psutil
import pytest

from contentgen_adapters.documents.uploads import ProcessUploadReader
from contentgen_adapters.shared.processes.pool import Limits, ProcessPool
from contentgen_core.errors import UnreadableFile
from contentgen_core.model.ids import TenantId
from tests.support import bombs

LIMITS = Limits(cpu=1.0, memory=400_000_000, processes=2)
BOMBER, OTHER = TenantId("bomber"), TenantId("other")
SOON = 10.0
"""Seconds within which a bomb has burst, on a busy machine too."""


@pytest.fixture
async def reader() -> AsyncIterator[ProcessUploadReader]:
    async with aclosing(ProcessPool()) as pool:
        yield ProcessUploadReader(pool, LIMITS)


@pytest.mark.parametrize(
    ("bomb", "name", "size"),
    [
        (bombs.pdf_of_one_page, "pages.pdf", 20_000),
        (bombs.pdf_of_operators, "operators.pdf", 80_000),
        (bombs.docx, "bomb.docx", 200_000),
        (bombs.html, "page.html", 4_000_000),
    ],
    ids=lambda value: value.__name__ if callable(value) else None,
)
async def test_a_bomb_is_refused_in_time_and_others_are_read_meanwhile(
    reader: ProcessUploadReader, bomb: Callable[[], bytes], name: str, size: int
) -> None:
    content = bomb()
    assert len(content) <= size
    await reader.read(b"The first file starts a process.", "first.txt", OTHER)
    before, began = psutil.Process().memory_info().rss, time.monotonic()
    hostile = [asyncio.create_task(reader.read(content, name, BOMBER)) for _ in range(3)]
    await asyncio.sleep(0.1)
    read = await reader.read(b"A heat pump moves warmth.", "small.txt", OTHER)
    assert read.text == "A heat pump moves warmth."
    assert not all(task.done() for task in hostile), "it was read while the bombs were at work"
    for outcome in await asyncio.gather(*hostile, return_exceptions=True):
        assert isinstance(outcome, UnreadableFile)
        assert str(outcome).startswith(f"{name}: the file ")
    assert time.monotonic() - began < len(hostile) * SOON
    assert psutil.Process().memory_info().rss - before < 60_000_000


async def test_a_table_of_quotes_is_read_at_once(reader: ProcessUploadReader) -> None:
    assert "x: " in (await reader.read(bombs.csv(), "table.csv", BOMBER)).text
