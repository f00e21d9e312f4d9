"""A long PDF is read by two processes, with the outcome of one."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

import pytest
from fpdf import FPDF
from pypdf import PdfReader, PdfWriter

from contentgen_adapters.documents.uploads import ProcessUploadReader, ThreadUploadReader
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_core.errors import UnreadableFile
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.documents import UploadReader
from tests.support.worker_processes import second_processes

PAGES: Final = 150
OWNER: Final = TenantId("owner")


@pytest.fixture(scope="module")
def book() -> bytes:
    document = FPDF()
    document.set_title("A book")
    document.set_font("helvetica", size=10)
    for page in range(PAGES):
        document.add_page()
        document.multi_cell(0, 5, "".join(f"The pump {page * 50 + n} moves warmth to room {n}. " for n in range(50)))
    return bytes(document.output())


def encrypted(book: bytes) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(book)))
    writer.encrypt(user_password="", owner_password="owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.fixture
async def reader() -> AsyncIterator[ProcessUploadReader]:
    async with aclosing(ProcessPool()) as pool:
        yield ProcessUploadReader(pool)


async def outcome(reader: UploadReader, content: bytes) -> tuple[str, str]:
    try:
        read = await reader.read(content, "book.pdf", OWNER)
    except UnreadableFile as error:
        return "refused", error.detail
    return read.title, read.text


async def test_two_processes_read_what_one_reads(reader: ProcessUploadReader, book: bytes) -> None:
    reading = asyncio.create_task(outcome(reader, book))
    at_once = 0
    while not reading.done():
        at_once = max(at_once, len(second_processes()))
        await asyncio.sleep(0.01)
    assert at_once == 1
    assert await reading == await outcome(ThreadUploadReader(), book)


@pytest.mark.parametrize("change", ["encrypted", "cut", "page", "font", "offsets"])
async def test_a_damaged_or_encrypted_one_has_the_same_outcome(
    reader: ProcessUploadReader, book: bytes, change: str
) -> None:
    middle = book.index(b"/Contents", len(book) // 2)
    content = {
        "encrypted": lambda: encrypted(book),
        "cut": lambda: book[: len(book) // 2],
        "page": lambda: book[:middle] + book[middle:].replace(b"/Contents", b"/Contents 0 R /C", 1),
        "font": lambda: book.replace(b"/Helvetica", b"/Hel"),
        "offsets": lambda: book[:200] + b" " * 7 + book[200:],
    }[change]()
    assert await outcome(reader, content) == await outcome(ThreadUploadReader(), content)
