"""The port `UploadReader` over the readers of files."""

from __future__ import annotations

import asyncio
import os.path
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from attrs import evolve

from contentgen_adapters.documents.catalog import FileReader, format_of_bytes
from contentgen_adapters.shared.processes.pool import Limits, NotParsed, Parser, PoolBusy, ProcessPool
from contentgen_core.errors import Unavailable, UnreadableFile
from contentgen_core.model.ids import TenantId
from contentgen_core.policies.text.file_titles import title_of_file
from contentgen_core.ports.documents import SourceText

MAX_CHARACTERS: Final = 5_000_000
LIMITS: Final = Limits(cpu=60.0, processes=2)
_LONGEST_SUFFIX: Final = 12


class Upload(msgspec.Struct, frozen=True):
    """A file as it came."""

    content: bytes
    name: str


class Reading(msgspec.Struct, frozen=True):
    """The result of reading an upload: its text, or the reason why it cannot be read, and whether it consists of
    scanned pages.
    """

    source: SourceText | None = None
    fault: str = ""
    is_scan: bool = False


def read_upload(upload: Upload) -> Reading:
    """The text of an upload. It is written to a temporary folder, under a fixed name, and read by the readers of files.
    CPU-bound; a hostile file can make it run for hours."""
    try:
        return Reading(_read(upload.content, upload.name))
    except UnreadableFile as error:
        return Reading(fault=str(error), is_scan=error.is_scan)


READING: Final = Parser(read_upload, msgspec.msgpack.Decoder(Reading), Upload(b"The first file.", "first.txt"))


class _ByFirstBytes:
    async def media_type(self, content: bytes, file_name: str) -> str:
        return format_of_bytes(file_name, content).media_type


class ThreadUploadReader(_ByFirstBytes):
    """Reads uploads in threads of this process: they must come from somebody who is trusted."""

    async def read(self, content: bytes, file_name: str, tenant_id: TenantId) -> SourceText:
        return await asyncio.to_thread(_read, content, file_name)


class ProcessUploadReader(_ByFirstBytes):
    """Reads uploads in processes, which end when they exceed the limits."""

    def __init__(self, pool: ProcessPool, limits: Limits = LIMITS) -> None:
        self._pool, self._limits = pool, limits

    async def read(self, content: bytes, file_name: str, tenant_id: TenantId) -> SourceText:
        upload = Upload(content, file_name)
        try:
            reading = await self._pool.run_twice(READING, upload, tenant_id, self._limits)
        except NotParsed as error:
            raise UnreadableFile(f"{file_name}: the file {error}. Split it, or save it in another format.") from error
        except PoolBusy as error:
            raise Unavailable(f"The file was not read: {error}. Try again.", retry_after=10) from error
        if reading.source is None:
            raise UnreadableFile(reading.fault, is_scan=reading.is_scan)
        return reading.source


def _read(content: bytes, file_name: str) -> SourceText:
    with TemporaryDirectory(prefix="contentgen-") as folder:
        path = _write_upload(Path(folder), content, file_name)
        try:
            sources = list(FileReader().read(path))
        except UnreadableFile as error:
            raise _with_file_name(error, path, file_name) from error
    if sum(len(source.text) for source in sources) > MAX_CHARACTERS:
        raise UnreadableFile(f"{file_name}: more than {MAX_CHARACTERS:,} characters of text. Split it.")
    if len(sources) == 1:
        found = sources[0]
        unnamed = found.title == title_of_file(path.name)
        return evolve(found, title=title_of_file(file_name)) if unnamed else found
    texts = (f"# {source.title}\n\n{source.text}" for source in sources)
    return SourceText(file_name, file_name, "\n\n".join(texts))


def _write_upload(folder: Path, content: bytes, file_name: str) -> Path:
    suffix = os.path.splitext(file_name)[1].lower()
    known = suffix if len(suffix) <= _LONGEST_SUFFIX and suffix[1:].isalnum() else ""
    path = folder / f"upload{known}"
    path.write_bytes(content)
    return path


def _with_file_name(error: UnreadableFile, path: Path, file_name: str) -> UnreadableFile:
    """The error with the caller's file name in place of the temporary path."""
    return UnreadableFile(str(error).replace(str(path), file_name), is_scan=error.is_scan)
