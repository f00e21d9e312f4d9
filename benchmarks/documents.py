"""A PDF of 300 pages, from its upload until a search finds it: time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

import fpdf

from benchmarks.corpus import Corpus
from benchmarks.processes import data_directory, environment
from benchmarks.report import Figure, at_most

DESCRIPTION: Final = "private documents: a PDF of 300 pages from upload to ready, against pypdf alone"

PAGES: Final = 300
WORDS: Final = 420  # of a page
ROUNDS: Final = 3
TARGET_RATIO: Final = 2.0
TARGET_MEMORY: Final = 400.0  # MiB


def run() -> list[Figure]:
    with data_directory() as folder:
        files = [folder / "leaflet.pdf", folder / "book.pdf"]
        for file, pages in zip(files, (1, PAGES), strict=True):
            _write(file, pages)
        ours, theirs = [], []
        for number in range(ROUNDS):
            theirs.append(_once("bare", files))
            ours.append(_once(str(folder / f"data-{number}"), files))
    seconds, bare = (median(one["seconds"] for one in runs) for runs in (ours, theirs))
    ratio = median(mine["seconds"] / other["seconds"] for mine, other in zip(ours, theirs, strict=True))
    peak, bare_peak = (max(one["peak_mib"] for one in runs) for runs in (ours, theirs))
    before = max(one["before_mib"] for one in ours)
    words, passages = int(ours[0]["words"]), int(ours[0]["passages"])
    return [
        at_most(
            f"a PDF of {PAGES} pages ({words:,} words, {passages:,} passages), from upload to ready",
            ratio,
            TARGET_RATIO,
            " ×",
            product=f"{seconds:.2f} s",
            reference=f"{bare:.2f} s (pypdf's extract_text of each page, nothing else)",
        ),
        at_most(
            "peak memory of the process meanwhile",
            peak,
            TARGET_MEMORY,
            " MiB",
            product=f"{peak:.0f} MiB",
            reference=f"{before:.0f} MiB before it; pypdf alone {bare_peak:.0f} MiB",
        ),
    ]


def _write(file: Path, pages: int) -> None:
    """A book as a word processor prints it: headings, justified paragraphs, a header and a page number on each page."""
    corpus, random = Corpus(seed=6), Random(6)

    class Book(fpdf.FPDF):
        def header(self) -> None:
            self.set_font("Helvetica", size=8)
            self.cell(0, 5, "A handbook of the benchmarks", new_x="LMARGIN", new_y="NEXT")

        def footer(self) -> None:
            self.set_y(-15)
            self.set_font("Helvetica", size=8)
            self.cell(0, 5, str(self.page_no()), align="C")

    book = Book()
    book.set_title("A handbook of the benchmarks")
    for _ in range(pages):
        theme = corpus.theme()
        book.add_page()
        book.set_font("Times", style="B", size=13)
        book.multi_cell(0, 7, corpus.heading(theme), new_x="LMARGIN", new_y="NEXT")
        left = WORDS
        while left > 0:
            words = min(left, random.randint(60, 140))
            book.set_font("Times", size=11)
            book.multi_cell(0, 5.2, corpus.passage(words, theme), align="J", new_x="LMARGIN", new_y="NEXT")
            book.ln(2)
            left -= words
    assert book.page_no() == pages
    book.output(str(file))


def _once(place: str, files: list[Path]) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.document_once", place, *map(str, files)],
        check=True,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    told: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return told
