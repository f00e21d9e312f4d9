"""Measure `contentgen serve` on all cores: how long reads take while articles are written, many articles in flight, and
what an article costs with one process that does jobs and with more.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Final

import psutil  # type: ignore[import-untyped]
from tests.support.model_server import ModelServer

from benchmarks.bare_cores import cpu_seconds_on
from benchmarks.in_flight import ideal_seconds
from benchmarks.processes import ONE_PROCESS, Program, data_directory
from benchmarks.report import Figure, at_least, at_most
from benchmarks.steady_reads import reads
from benchmarks.writers import MOST_OF_A_TENANT, Writer, filled, serving

DESCRIPTION: Final = "serve on all cores: reads while writing, 200 articles in flight, articles a core"

IDLE_SECONDS: Final = 10.0
WRITTEN: Final = 50
WRITTEN_CALL_SECONDS: Final = 0.5
IN_FLIGHT: Final = 200
IN_FLIGHT_CALL_SECONDS: Final = 1.0
OF_A_CORE: Final = 200
WARM_UP: Final = 32
PROCESSES: Final = (1, 2, 4, 8)
"""That do jobs."""

READS_TARGET: Final = 3.0
IN_FLIGHT_TARGET: Final = 45.0  # percent of the ideal
CORE_TARGET: Final = 1.1


def run() -> list[Figure]:
    with data_directory() as folder, ModelServer() as model:
        busy, crowd, *others = asyncio.run(filled(folder, (2 + len(PROCESSES)) * MOST_OF_A_TENANT))
        return [
            *_reads_while_writing(folder, model, busy),
            _in_flight(folder, model, crowd),
            *_of_a_core(folder, model, others),
        ]


def _reads_while_writing(folder: Path, model: ModelServer, writer: Writer) -> list[Figure]:
    figures = []
    for name, options in (("all cores", ()), ("one process", ONE_PROCESS)):
        with serving(folder, model, *options, places=WRITTEN) as program:
            model.delay = WRITTEN_CALL_SECONDS
            with reads(program.port, writer.key) as idle:
                time.sleep(IDLE_SECONDS)
            with reads(program.port, writer.key) as busy:
                writer.write(program, WRITTEN)
        figures.append((name, _p99(idle), _p99(busy)))
    (_, idle_p99, busy_p99), (_, alone_idle, alone_busy) = figures
    return [
        at_most(
            f"p99 of GET /articles while {WRITTEN} articles are written, {WRITTEN_CALL_SECONDS:g} s a call",
            busy_p99 / idle_p99,
            READS_TARGET,
            " ×",
            product=f"{busy_p99 * 1e3:.1f} ms",
            reference=f"{idle_p99 * 1e3:.1f} ms (the same service, idle)",
        ),
        Figure(
            "the same in one process (--workers 1 --job-workers 0)",
            f"{alone_busy * 1e3:.1f} ms",
            f"{alone_idle * 1e3:.1f} ms",
            f"{alone_busy / alone_idle:.3g} ×",
        ),
    ]


def _p99(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=100)[-1]


def _in_flight(folder: Path, model: ModelServer, writer: Writer) -> Figure:
    with serving(folder, model, places=IN_FLIGHT) as program:
        model.delay = IN_FLIGHT_CALL_SECONDS
        cpu, begun = program.all_cpu_seconds(), time.perf_counter()
        writer.write(program, IN_FLIGHT)
        seconds, cpu = time.perf_counter() - begun, program.all_cpu_seconds() - cpu
    ideal = ideal_seconds(IN_FLIGHT_CALL_SECONDS)
    return at_least(
        f"{IN_FLIGHT} standard articles asked for at once over HTTP, {IN_FLIGHT_CALL_SECONDS:g} s a call",
        100 * ideal / seconds,
        IN_FLIGHT_TARGET,
        " %",
        product=f"{seconds:.1f} s, {1e3 * cpu / IN_FLIGHT:.0f} ms of CPU an article",
        reference=f"{ideal:g} s (no work but the model's)",
    )


def _of_a_core(folder: Path, model: ModelServer, writers: Sequence[Writer]) -> list[Figure]:
    """With one process that does jobs and with more, each pinned to a core where there are as many cores, else sharing
    those there are: that shows what the processes cost each other, not what more cores would do to memory."""
    model.delay = 0.0
    cores = sorted(os.sched_getaffinity(0))
    (one_rate, one_cpu), *more = [
        _rate(folder, model, writer, cores, count) for writer, count in zip(writers, PROCESSES, strict=True)
    ]
    bare_one, bare_all = cpu_seconds_on(cores[:1]), cpu_seconds_on(cores[: PROCESSES[-1]])
    figures = []
    for count, (rate, cpu) in zip(PROCESSES[1:], more, strict=True):
        used = min(count, len(cores))
        figures += [
            at_most(
                f"CPU of an article with {count} processes that do jobs, on {used} cores",
                cpu / one_cpu,
                CORE_TARGET,
                " ×",
                product=f"{cpu * 1e3:.0f} ms",
                reference=f"{one_cpu * 1e3:.0f} ms (one process on one core); "
                f"bare Python that fills dictionaries takes {bare_all / bare_one:.2f} × as much on all cores at once",
            ),
            at_most(
                f"articles an hour and core on 1 core, against {count} processes on {used} (all that runs is on them)",
                one_rate / (rate / used),
                CORE_TARGET,
                " ×",
                product=f"{3600 * rate / used:,.0f}",
                reference=f"{3600 * one_rate:,.0f}",
            ),
        ]
    return figures


def _rate(
    folder: Path, model: ModelServer, writer: Writer, cores: Sequence[int], processes: int
) -> tuple[float, float]:
    """Articles a second, and CPU seconds an article of all processes of the service, its database included, with so
    many processes that do jobs and at most as many cores."""
    options = ("--workers", "1", "--job-workers", str(processes))
    with serving(folder, model, *options) as program, _pinned(program, cores[:processes]):
        writer.write(program, WARM_UP * processes)
        cpu, begun = program.all_cpu_seconds(), time.perf_counter()
        writer.write(program, OF_A_CORE)
        return OF_A_CORE / (time.perf_counter() - begun), (program.all_cpu_seconds() - cpu) / OF_A_CORE


@contextmanager
def _pinned(program: Program, cores: Sequence[int]) -> Iterator[None]:
    """Run all threads of service, database and this process on `cores` only; ours are moved back afterwards."""
    before = os.sched_getaffinity(0)
    for process in (psutil.Process(), program.process, *program.process.children(recursive=True)):
        for thread in process.threads():
            os.sched_setaffinity(thread.id, cores)
    try:
        yield
    finally:
        for thread in psutil.Process().threads():
            os.sched_setaffinity(thread.id, before)
