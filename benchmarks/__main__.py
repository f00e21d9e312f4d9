"""Run all benchmarks or those named: `python -m benchmarks [NAME…]`; `--list` lists them."""

from __future__ import annotations

import argparse
import os
import sys
import time
from importlib import import_module
from typing import Final

from benchmarks.alone import run_alone
from benchmarks.configuration import BY_MEANING, DEFAULT, HASHED, HASHED_ALONE, WITH_BOTH
from benchmarks.report import Outcome, show, write

NAMES: Final = (
    "listing",
    "first_page",
    "generation",
    "in_flight",
    "publishing",
    "importing",
    "startup",
    "searching",
    "graph",
    "enriching",
    "documents",
    "streams",
    "bodies",
    "storage",
    "public_reads",
    "console",
    "searching_by_meaning",
)
ON_REQUEST: Final = (
    "searching_scale",
    "relaying",
    "several",
    "all_cores",
    "working",
    "meaning",
    "similar_articles",
    "conflicts",
    "prompt_tokens",
    "answers",
    "growth",
    "soak",
)
"""Only when named: they take long, or an extra."""
_SHARE: Final = f"GROWTH_SHARE={share} " if (share := os.environ.get("GROWTH_SHARE")) else ""
BOTH: Final = "both"
TABLES: Final = {
    ("searching_scale",): ("make bench-scale", "measured at scale"),
    ("growth",): (f"{_SHARE}python -m benchmarks growth", "measured as it grows"),
    ("relaying", "several", "all_cores", "working"): ("make bench-workers", "measured with workers"),
}
"""Tables of the documentation that a run of just these benchmarks changes."""


def measured(name: str, embeddings: str) -> Outcome:
    """Run a benchmark with an embedder, or with hashed vectors and then by default."""
    if name in HASHED_ALONE | BY_MEANING:
        fixed = HASHED if name in HASHED_ALONE else DEFAULT
        return Outcome(name, run_alone(name, fixed), fixed)
    if embeddings == BOTH:
        return Outcome(name, run_alone(name, HASHED), HASHED, run_alone(name, DEFAULT))
    return Outcome(name, run_alone(name, embeddings), embeddings)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="benchmarks to run; all but those on request without one"
    )
    parser.add_argument(
        "--embeddings",
        choices=(HASHED, DEFAULT, BOTH),
        help="hashed vectors, the default settings, or both; else both for those whose figures depend on it",
    )
    parser.add_argument("--list", action="store_true", help="say which there are")
    chosen = parser.parse_args(arguments)
    if chosen.list:
        for name in (*NAMES, *ON_REQUEST):
            print(f"{name:15} {import_module(f'benchmarks.{name}').DESCRIPTION}")
        return 0
    unknown = [name for name in chosen.names if name not in (*NAMES, *ON_REQUEST)]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join((*NAMES, *ON_REQUEST))}")
    outcomes = []
    for name in chosen.names or NAMES:
        begun = time.perf_counter()
        print(f"{name} …", file=sys.stderr, end=" ", flush=True)
        outcomes.append(measured(name, chosen.embeddings or (BOTH if name in WITH_BOTH else HASHED)))
        print(f"{time.perf_counter() - begun:.0f} s", file=sys.stderr)
    show(outcomes)
    if not chosen.names:  # the page shows one whole run, never lines of several
        write(outcomes, "make bench")
    elif table := TABLES.get(tuple(chosen.names)):
        write(outcomes, *table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
