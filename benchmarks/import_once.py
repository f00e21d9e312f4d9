"""One import in a process of its own, so that its memory can be told: `python -m benchmarks.import_once DIR FILE`.

Prints what it did as JSON. The folder's database is its own; the passages stay there for the reference."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Final

import psutil  # type: ignore[import-untyped]
import structlog

from benchmarks.configuration import embeddings
from benchmarks.processes import database_cpu_seconds
from contentgen_adapters.shared.processes import worker
from contentgen_core.model.knowledge import KbScope
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings
from contentgen_http.processes.garbage_collection import freeze_loaded_objects
from contentgen_http.services.open_services import open_services

NICHE: Final = "home-energy"


async def imported(settings: Settings, conninfo: str, file: Path) -> dict[str, float]:
    """Seconds to store and to index, passages, seconds of CPU here and in PostgreSQL, and the peak of this process's
    memory in MiB."""
    async with open_services(settings, conninfo) as services:
        await services.upkeep.catalogue()
        await freeze_loaded_objects(services.ports.index)  # loads LanceDB, which no import can do without
        begun, own, theirs = time.perf_counter(), _cpu_seconds(), database_cpu_seconds(conninfo)
        report = await services.knowledge.import_sources(KbScope(NICHE), services.ports.documents.read(file))
        stored = time.perf_counter()
        await services.knowledge.apply_index_changes.drain("benchmark")
        indexed = time.perf_counter()
        own, theirs = _cpu_seconds() - own, database_cpu_seconds(conninfo) - theirs
        async with services.ports.unit_of_work() as tx:
            assert await tx[Knowledge].pending_changes() == 0
    return {
        "passages": report.passages,
        "store_seconds": stored - begun,
        "index_seconds": indexed - stored,
        "cpu_seconds": own,
        "database_cpu_seconds": theirs,
        "peak_mib": peak_mib(),
    }


def _cpu_seconds() -> float:
    """User and system time of this process and of those that it started to take texts apart, which have its module."""
    ours = psutil.Process()
    helpers = [p for p in ours.children(recursive=True) if worker.__name__ in p.cmdline()]
    times = [process.cpu_times() for process in (ours, *helpers)]
    return float(sum(t.user + t.system for t in times))


def peak_mib() -> float:
    """The most this program ever held. (What `getrusage` tells includes the process that started it.)"""
    status = Path("/proc/self/status").read_text("ascii")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:"))


def main(folder: Path, file: Path) -> None:
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))  # what is printed is read
    settings = Settings(embeddings=embeddings(), data_dir=folder)
    with database(settings) as db:
        db.migrate()
        print(json.dumps(asyncio.run(imported(settings, db.conninfo, file))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
