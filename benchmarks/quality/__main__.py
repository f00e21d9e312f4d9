"""`python -m benchmarks.quality [NAME…]` measures quality on the collections that CONTENTGEN_BENCH_DATA names."""

from __future__ import annotations

import argparse
import os
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from benchmarks.quality.collections import SETTING
from benchmarks.quality.report import show, write

NAMES: Final = (
    "retrieval",
    "coverage",
    "answerability",
    "grounding",
    "known_subjects",
    "human_claims",
    "exchanged_facts",
    "conflicts",
    "leaflets",
    "model_path",
    "field_topics",
    "field_passages",
    "niches",
    "entities",
)
APART: Final = ("articles", "summedits")
"""Measured when asked for: they need what `make bench-articles` and `make bench-summedits` install."""
WITHOUT_COLLECTIONS: Final = frozenset(
    ("known_subjects", "exchanged_facts", "field_topics", "field_passages", "leaflets", "niches")
)
"""Measured on texts of their own and of the demonstration."""


def main(arguments: list[str]) -> int:
    there = [name for name in NAMES if find_spec(f"benchmarks.quality.{name}")]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"of {', '.join((*there, *APART))}; without one all but {' and '.join(APART)}",
    )
    parser.add_argument("--keep-page", action="store_true", help="show the tables, leave docs/quality.md as it is")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in (*there, *APART)]
    if unknown:
        parser.error(f"nothing is measured as {', '.join(unknown)}; there are {', '.join(there)}")
    data = Path(os.environ.get(SETTING, ""))
    names = chosen.names or there
    if not WITHOUT_COLLECTIONS.issuperset(names) and (SETTING not in os.environ or not data.is_dir()):
        parser.error(
            f"set {SETTING} to the folder of the collections: retrieval/NAME/ with docs.jsonl, queries.jsonl, "
            "qrels.tsv and meta.json, coverage-nomiracl/, grounding/, grounding-claims/, grounding-summedits/, and "
            "articles/NAME/ with docs.jsonl for long questions"
        )
    for name in names:
        begun = time.perf_counter()
        tables = import_module(f"benchmarks.quality.{name}").run(data)
        show(tables)
        print(f"{name}: {time.perf_counter() - begun:.0f} s", file=sys.stderr)
        if not chosen.keep_page:
            write(name, tables)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
