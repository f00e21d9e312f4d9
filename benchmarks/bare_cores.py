"""Measure how much a machine's cores slow each other down: the CPU time of bare Python on one of them, and on all at
the same time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from statistics import mean
from typing import Final

ROUNDS: Final = 20
WORDS: Final = 200_000

_everybody: Barrier


def cpu_seconds_on(cores: Sequence[int]) -> float:
    """CPU seconds of the same work in a process on each of these cores, all at the same time: their mean."""
    context = get_context("spawn")
    everybody = context.Barrier(len(cores))
    with ProcessPoolExecutor(len(cores), context, initializer=_meet, initargs=(everybody,)) as processes:
        return mean(processes.map(_worked, cores))


def _meet(everybody: Barrier) -> None:
    global _everybody  # all that a pool can hand to its processes
    _everybody = everybody


def _worked(core: int) -> float:
    """Fills dictionaries beyond a core's own cache, as reading texts does."""
    os.sched_setaffinity(0, {core})
    _everybody.wait()
    begun = time.process_time()
    for turn in range(ROUNDS):
        counts: dict[str, int] = {}
        for number in range(WORDS):
            word = f"{(number * 7919 + turn) % WORDS}"
            counts[word] = counts.get(word, 0) + 1
    return time.process_time() - begun
