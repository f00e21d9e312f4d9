"""The port `SearchExportReader`: a table, or an archive of tables."""

from __future__ import annotations

import asyncio
import zipfile
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final

import msgspec

from contentgen_adapters.search_exports.table import read_table
from contentgen_adapters.shared.processes.pool import Limits, NotParsed, Parser, PoolBusy, ProcessPool
from contentgen_core.errors import Unavailable, UnreadableFile
from contentgen_core.model.ids import TenantId
from contentgen_core.model.search_report import MAX_EXPORT_BYTES, MAX_ROWS, Period, SearchExport

MAX_FILES: Final = 50
MAX_UNPACKED: Final = 5 * MAX_EXPORT_BYTES
LIMITS: Final = Limits(cpu=30.0)
_ZIP: Final = b"PK\x03\x04"
_TABLES: Final = frozenset({".csv", ".tsv", ".txt"})
_NOT_ONE: Final = (
    "no table of queries or pages. It needs a column that names them and one of clicks or visits, as Search Console, "
    "Matomo and Plausible export them."
)


class File(msgspec.Struct, frozen=True):
    """A file as it came."""

    content: bytes
    name: str


class Reading(msgspec.Struct, frozen=True):
    """The result of reading a file: its tables, or the reason why it cannot be read."""

    export: SearchExport | None = None
    fault: str = ""


def read_file(file: File) -> Reading:
    """CPU-bound."""
    try:
        return Reading(read_export(file.content, file.name))
    except UnreadableFile as error:
        return Reading(fault=error.detail)


READING: Final = Parser(read_file, msgspec.msgpack.Decoder(Reading), File(b"Top queries,Clicks\na,1\n", "first.csv"))


def read_export(content: bytes, name: str) -> SearchExport:
    """The tables of a file. Raises UnreadableFile."""
    files = _unpack(content, name) if content.startswith(_ZIP) else [(name, content)]
    tables, unused, periods = [], [], list[Period]()
    for file, part in files:
        table, period = read_table(part, file)
        if table is not None:
            tables.append(table)
        elif len(files) > 1:
            unused.append(file)
        if period is not None:
            periods.append(period)
    if not tables:
        raise UnreadableFile(f"{name}: {_NOT_ONE}")
    if sum(table.rows for table in tables) > MAX_ROWS:
        raise UnreadableFile(f"{name}: the tables have more than {MAX_ROWS:,} rows. Split it.")
    whole = Period(min(p.starts_on for p in periods), max(p.ends_on for p in periods)) if periods else None
    return SearchExport(tuple(tables), whole, tuple(unused))


def _unpack(content: bytes, name: str) -> list[tuple[str, bytes]]:
    """The tables in an archive, by name. Raises UnreadableFile."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            parts = [part for part in archive.infolist() if _is_table(part)]
            if any(part.flag_bits & 1 for part in parts):
                raise UnreadableFile(f"{name}: the archive is password-protected.")
            if len(parts) > MAX_FILES or sum(part.file_size for part in parts) > MAX_UNPACKED:
                most = f"{MAX_FILES} tables of {MAX_UNPACKED // 1024 // 1024} MB in all"
                raise UnreadableFile(f"{name}: more than {most} in the archive.")
            return [(PurePosixPath(part.filename).name, archive.read(part)) for part in parts]
    except UnreadableFile:
        raise
    except Exception as exc:  # zipfile raises anything for a damaged archive
        raise UnreadableFile(f"{name}: the archive is damaged.") from exc


def _is_table(part: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(part.filename)
    hidden = path.name.startswith(".") or "__MACOSX" in path.parts
    return not part.is_dir() and not hidden and path.suffix.lower() in _TABLES


class ThreadSearchExports:
    """Reads exports in threads of this process: they must come from somebody who is trusted."""

    async def read(self, content: bytes, file_name: str, tenant_id: TenantId) -> SearchExport:
        return await asyncio.to_thread(read_export, content, file_name)


class ProcessSearchExports:
    """Reads exports in processes, which end when they exceed the limits."""

    def __init__(self, pool: ProcessPool, limits: Limits = LIMITS) -> None:
        self._pool, self._limits = pool, limits

    async def read(self, content: bytes, file_name: str, tenant_id: TenantId) -> SearchExport:
        file = File(content, file_name)
        try:
            reading = await self._pool.run_twice(READING, file, tenant_id, self._limits)
        except NotParsed as error:
            raise UnreadableFile(f"{file_name}: the file {error}. Split it.") from error
        except PoolBusy as error:
            raise Unavailable(f"The file was not read: {error}. Try again.", retry_after=10) from error
        if reading.export is None:
            raise UnreadableFile(reading.fault)
        return reading.export
