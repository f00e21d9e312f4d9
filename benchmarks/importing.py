"""Measure an import from a JSONL file to passages in PostgreSQL and LanceDB: speed, and memory as the file grows."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import lancedb
import psycopg
from attrs import frozen

from benchmarks.corpus import Corpus, write_jsonl
from benchmarks.processes import data_directory, environment
from benchmarks.report import Figure, at_least, at_most
from contentgen_adapters.lance.layout import WORDS
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings

DESCRIPTION: Final = "kb import: passages a second into PostgreSQL and LanceDB, memory as the file grows"

DOCUMENTS: Final = 500  # of the smaller file; the larger one has four times as many
PASSAGES: Final = 5  # of each document
TARGET_RATE: Final = 3_000.0
TARGET_RATIO: Final = 3.0
TARGET_GROWTH: Final = 64.0  # MiB


@frozen
class Import:
    passages: int
    store_seconds: float
    index_seconds: float
    cpu_seconds: float
    database_cpu_seconds: float
    peak_mib: float

    @property
    def rate(self) -> float:
        return self.passages / (self.store_seconds + self.index_seconds)


def run() -> list[Figure]:
    small = _import(DOCUMENTS)[0]
    large, bare_rate = _import(4 * DOCUMENTS, reference=True)
    assert bare_rate is not None
    growth = large.peak_mib - small.peak_mib
    shares = f"store {large.passages / large.store_seconds:,.0f}/s, index {large.passages / large.index_seconds:,.0f}/s"
    return [
        at_least(
            f"passages a second, {large.passages:,} of 100-120 words",
            large.rate,
            TARGET_RATE,
            "/s",
            product=f"{large.rate:,.0f}/s ({shares})",
            reference="",
        ),
        at_most(
            "the same against storing ready-made rows",
            bare_rate / large.rate,
            TARGET_RATIO,
            " ×",
            product=f"{1e6 / large.rate:.0f} µs a passage",
            reference=f"{1e6 / bare_rate:.0f} µs (bare COPY and bare LanceDB add of the same rows)",
        ),
        Figure(
            "CPU a passage",
            f"{1e6 * large.cpu_seconds / large.passages:.0f} µs",
            f"{1e6 * large.database_cpu_seconds / large.passages:.0f} µs more in PostgreSQL",
            f"{1e6 * (large.cpu_seconds + large.database_cpu_seconds) / large.passages:.0f} µs",
            "(information)",
        ),
        at_most(
            f"growth of peak memory from {DOCUMENTS:,} to {4 * DOCUMENTS:,} documents",
            growth,
            TARGET_GROWTH,
            " MiB",
            product=f"{large.peak_mib:.0f} MiB",
            reference=f"{small.peak_mib:.0f} MiB",
        ),
    ]


def _import(documents: int, *, reference: bool = False) -> tuple[Import, float | None]:
    """An import into an empty installation, and how many ready-made rows a second the same places take."""
    with data_directory() as folder:
        file, data = folder / "sources.jsonl", folder / "data"
        write_jsonl(file, Corpus(seed=4).documents(documents, PASSAGES))
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.import_once", str(data), str(file)],
            check=True,
            stdout=subprocess.PIPE,
            env=environment(),
        )
        imported = Import(**json.loads(done.stdout))
        return imported, _bare_rate(data) if reference else None


def _bare_rate(data: Path) -> float:
    """Rows a second: the stored passages copied into a like table, then the indexed ones added to a like table."""
    with database(Settings(data_dir=data)) as db, psycopg.connect(db.conninfo) as connection:
        rows = connection.execute("SELECT * FROM kb_passages").fetchall()
        connection.execute("CREATE TABLE bare (LIKE kb_passages INCLUDING ALL)")
        connection.commit()
        begun = time.perf_counter()
        with connection.cursor().copy("COPY bare FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        connection.commit()
        seconds = time.perf_counter() - begun
    indexed: Any = lancedb.connect(str(data / "index")).open_table(WORDS).to_arrow()
    assert len(indexed) == len(rows)
    table = lancedb.connect(str(data / "bare")).create_table("bare", schema=indexed.schema)
    begun = time.perf_counter()
    table.add(indexed)
    seconds += time.perf_counter() - begun
    return len(rows) / seconds
