"""Measure how soon an installation answers again, how much memory the idle service uses, and what short commands
cost.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.processes import CONTENTGEN, data_directory, environment, memory, service
from benchmarks.report import Figure, at_most

DESCRIPTION: Final = "seconds from start to /health and /ready on existing data, memory when idle, CPU of commands"

ROUNDS: Final = 3
HEALTH_TARGET: Final = 1.0  # seconds
READY_TARGET: Final = 3.0  # seconds
MEMORY_TARGET: Final = 250.0  # MiB
HELP_TARGET: Final = 0.3  # seconds of CPU
WRITE_TARGET: Final = 2.0  # seconds of CPU
SETTLE_SECONDS: Final = 20.0
FILES: Final = 20
TOPIC: Final = "Choosing a heat pump for an older house"

_BARE: Final = (sys.executable, "-c", "import litestar, uvicorn")


def run() -> list[Figure]:
    alive, ready, idle = [], [], []
    with data_directory() as folder:
        with service(folder, demo=True):  # whose data the starts that are measured find
            pass
        for _ in range(ROUNDS):
            with service(folder, all_cores=True) as program:
                alive.append(program.started_in)
                ready.append(program.ready_in)
                time.sleep(SETTLE_SECONDS)
                idle.append(memory(program))
    with data_directory() as folder:
        sources = _sources(folder)
        bare, asked, written = [], [], []
        for _ in range(ROUNDS):
            bare.append(_took(*_BARE))
            asked.append(_took(CONTENTGEN, "--help"))
            written.append(_took(CONTENTGEN, "write", TOPIC, "--kb", str(sources), "-o", str(folder / "article.md")))
    bare_seconds, bare_cpu = (median(values) for values in zip(*bare, strict=True))
    interpreter = "bare interpreter that imports litestar and uvicorn"
    return [
        _seconds("/health, on existing data", median(alive), HEALTH_TARGET, bare_seconds, interpreter),
        _seconds("/ready, on existing data", median(ready), READY_TARGET, bare_seconds, interpreter),
        at_most(
            "memory of the idle service, all of its processes",
            median(idle),
            MEMORY_TARGET,
            " MiB",
            product=f"{median(idle):.0f} MiB, what they share counted once",
            reference="(PostgreSQL's processes are not counted)",
        ),
        _cpu("contentgen --help", median(cpu for _, cpu in asked), HELP_TARGET, bare_cpu, interpreter),
        _cpu(
            f"contentgen write, an article from {FILES} files",
            median(cpu for _, cpu in written),
            WRITE_TARGET,
            bare_cpu,
            interpreter,
        ),
    ]


def _sources(folder: Path) -> Path:
    """A folder of files from the demo's sources."""
    sources = folder / "sources"
    sources.mkdir()
    demo = resources.files("contentgen_http").joinpath("demo")
    lines = [
        line
        for niche in ("home-energy", "cybersecurite-pme")
        for line in demo.joinpath(f"{niche}.jsonl").read_text("utf-8").splitlines()
    ]
    for line in lines[:FILES]:
        source = json.loads(line)
        (sources / f"{source['id']}.md").write_text(f"# {source['title']}\n\n{source['text']}\n", "utf-8")
    return sources


def _took(*command: str) -> tuple[float, float]:
    """The seconds of a command, and those of CPU of it and what it started."""
    before, begun = os.times(), time.perf_counter()
    subprocess.run(command, check=True, env=environment(), stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - begun, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, cpu


def _seconds(until: str, value: float, target: float, bare: float, interpreter: str) -> Figure:
    what, product = f"seconds from start to {until}", f"{value:.2f} s ({value / bare:.1f} ×)"
    return at_most(what, value, target, " s", product=product, reference=f"{bare:.2f} s ({interpreter})")


def _cpu(command: str, value: float, target: float, bare: float, interpreter: str) -> Figure:
    product, reference = f"{value:.2f} s ({value / bare:.1f} ×)", f"{bare:.2f} s ({interpreter})"
    return at_most(f"CPU of {command}", value, target, " s", product=product, reference=reference)
