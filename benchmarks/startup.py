"""How soon an existing installation answers again, and what the idle service holds in memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.processes import Program, data_directory, environment, service
from benchmarks.report import Figure, at_most

DESCRIPTION: Final = "contentgen serve on existing data: seconds to /health, memory when idle"

STARTS: Final = 3
SECONDS_TARGET: Final = 4.0
RSS_TARGET: Final = 300.0  # MiB
READY_SECONDS: Final = 60.0
SETTLE_SECONDS: Final = 1.5

_BARE: Final = "import litestar, uvicorn"


def run() -> list[Figure]:
    with data_directory() as folder:
        make_demo(folder)
        seconds, idle, searched = [], [], []
        for _ in range(STARTS):
            with service(folder) as program:
                seconds.append(program.started_in)
                wait_until_ready(program)
                time.sleep(SETTLE_SECONDS)
                idle.append(program.rss_mib())
                _search(program, (folder / "demo.key").read_text().strip())
                time.sleep(SETTLE_SECONDS)
                searched.append(program.rss_mib())
        bare = median(_seconds_of(_BARE) for _ in range(STARTS))
    started = median(seconds)
    return [
        at_most(
            "seconds from start to /health, on existing data",
            started,
            SECONDS_TARGET,
            " s",
            product=f"{started:.2f} s ({started / bare:.1f} ×)",
            reference=f"{bare:.2f} s (bare interpreter that imports litestar and uvicorn)",
        ),
        _memory("resident memory once /ready is fine", median(idle)),
        _memory("resident memory after one search", median(searched)),
    ]


def make_demo(folder: Path) -> None:
    """A data directory with the demo's tenant and sources."""
    with service(folder, demo=True) as program:
        wait_until_ready(program)


def wait_until_ready(program: Program) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            program.get("/ready")
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return


def _search(program: Program, key: str) -> None:
    body = json.dumps({"agentKey": "home-energy-GB", "topic": "Choosing a heat pump for an older house"}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{program.port}/writer/check-kb-coverage",
        data=body,
        headers={"X-API-Key": key, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert json.load(answer)["coverage"]["sourcesFound"] > 0


def _memory(what: str, mib: float) -> Figure:
    reference = "(PostgreSQL's processes are not counted)"
    return at_most(what, mib, RSS_TARGET, " MiB", product=f"{mib:.0f} MiB", reference=reference)


def _seconds_of(program: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, env=environment())
    return time.perf_counter() - begun
