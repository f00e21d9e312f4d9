"""Measure what a request costs when several processes answer on one address, against one process."""

from __future__ import annotations

import asyncio
from statistics import median
from typing import Final

from tests.support.redis_server import RedisServer

from benchmarks.configuration import embeddings
from benchmarks.listing import ARTICLES, REQUESTS, ROUNDS, TENANTS, WARM_UP, filled
from benchmarks.load import generate, request
from benchmarks.processes import Program, data_directory, service, settle
from benchmarks.report import Figure, at_most
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings

DESCRIPTION: Final = "GET /articles from 4 processes on one address: CPU of all of them against one"

PROCESSES: Final = 4
TARGET: Final = 1.15


def run() -> list[Figure]:
    with data_directory() as folder, RedisServer() as redis:
        settings = Settings(embeddings=embeddings(), data_dir=folder)
        with database(settings) as db:
            db.migrate()
            readers = asyncio.run(filled(settings, db.conninfo))
            requests = [request("/articles", x_api_key=reader.key) for reader in readers]
            shared = {"CONTENTGEN_REDIS_URL": redis.url}
            with (
                service(folder, settings=shared) as one,
                service(folder, "--workers", str(PROCESSES), settings=shared) as several,
                service(folder) as alone,
            ):
                return _measured(one, several, alone, requests)


def _measured(one: Program, several: Program, alone: Program, requests: list[str]) -> list[Figure]:
    programs = (one, several, alone)
    for program in programs:
        settle(program)
        generate(program.port, requests, WARM_UP * (PROCESSES if program is several else 1))
    rounds = [[_round(program, requests) for program in programs] for _ in range(ROUNDS)]
    costs = [median(cpu for cpu, _ in measured) for measured in zip(*rounds, strict=True)]
    rates = [median(rate for _, rate in measured) for measured in zip(*rounds, strict=True)]
    ratio = median(several[0] / one[0] for one, several, _ in rounds)
    return [
        at_most(
            f"CPU a request of {PROCESSES} processes ({TENANTS} tenants, {ARTICLES} articles a page, limits in Redis)",
            ratio,
            TARGET,
            " ×",
            product=f"{costs[1] * 1e6:.0f} µs",
            reference=f"{costs[0] * 1e6:.0f} µs (one process with the same settings)",
        ),
        Figure(
            "the same, requests a second (load, database and Redis on the same cores)",
            f"{rates[1]:,.0f}",
            f"{rates[0]:,.0f}",
        ),
        Figure(
            "one process, limits in Redis against limits of its own",
            f"{costs[0] * 1e6:.0f} µs",
            f"{costs[2] * 1e6:.0f} µs",
        ),
    ]


def _round(program: Program, requests: list[str]) -> tuple[float, float]:
    """CPU seconds of all processes a request, requests a second."""
    before = program.all_cpu_seconds()
    load = generate(program.port, requests, REQUESTS)
    return (program.all_cpu_seconds() - before) / load.answers, load.answers / load.seconds
