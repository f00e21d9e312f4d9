"""Which embedder a benchmark runs with: hashed vectors, or what the service takes by default."""

from __future__ import annotations

import os
from typing import Final, Literal

import psutil  # type: ignore[import-untyped]

from contentgen_adapters.embeddings.semantic import program
from contentgen_adapters.embeddings.semantic.weights import MODEL
from contentgen_grounded.bootstrap.embedding import taken_by_auto

VARIABLE: Final = "BENCH_EMBEDDINGS"
HASHED: Final = "hashed"
DEFAULT: Final = "auto"
"""Of the settings; a test compares them."""
WITH_BOTH: Final = frozenset(
    {"generation", "in_flight", "importing", "startup", "enriching", "documents", "storage", "soak"}
)
"""Benchmarks whose figures depend on the embedder, and which `make bench` runs with hashed vectors and by default."""


HASHED_ALONE: Final = frozenset({"searching", "searching_scale", "conflicts", "similar_articles", "growth"})
"""Benchmarks whose passages are stored with vectors that are ready-made, of the hashed embedder."""
BY_MEANING: Final = frozenset({"meaning", "searching_by_meaning"})
"""Benchmarks that bring the model of meaning themselves."""
Choice = Literal["hashed", "auto"]


def embeddings() -> Choice:
    """Return the embedder of this run, as CONTENTGEN_EMBEDDINGS names it."""
    return DEFAULT if os.environ.get(VARIABLE) == DEFAULT else HASHED


def described(name: str) -> str:
    """Return what a table says of an embedder."""
    if name == HASHED:
        return "`CONTENTGEN_EMBEDDINGS=hashed`"
    taken = taken_by_auto()
    return f"the default settings (`CONTENTGEN_EMBEDDINGS={DEFAULT}`: {MODEL if taken == 'semantic' else taken})"


def embedder_cpu_seconds() -> float:
    """Return the user and system time of the processes of this one that embed."""
    found = [p for p in psutil.Process().children(recursive=True) if program.__name__ in p.cmdline()]
    times = [process.cpu_times() for process in found]
    return float(sum(t.user + t.system for t in times))
