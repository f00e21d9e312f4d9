"""Run each benchmark in a process of its own, so that none measures what another left in memory."""

from __future__ import annotations

import logging
import os
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context

import structlog

from benchmarks.configuration import VARIABLE
from benchmarks.report import Figure


def run_alone(name: str, embeddings: str) -> list[Figure]:
    """Return the figures of the benchmark of that name, with an embedder. Raises the benchmark's own errors."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        return processes.submit(_run, name, embeddings).result()


def _run(name: str, embeddings: str) -> list[Figure]:
    os.environ[VARIABLE] = embeddings
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    figures: list[Figure] = import_module(f"benchmarks.{name}").run()
    return figures
