"""A collection on disk: a folder with docs.jsonl, queries.jsonl, qrels.tsv and meta.json (its language)."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Final

import msgspec
from attrs import frozen

from contentgen_core.model.vocabulary import Language

SETTING: Final = "CONTENTGEN_BENCH_DATA"
RETRIEVAL: Final = "retrieval"
"""The folder of the retrieval collections within the data."""


class Document(msgspec.Struct, frozen=True):
    id: str
    title: str
    text: str


class Query(msgspec.Struct, frozen=True):
    id: str
    text: str


class _Meta(msgspec.Struct, frozen=True):
    lang: str


@frozen
class Collection:
    """`judged`: for each query the grades of its judged documents, by id; every query in it has one above 0."""

    name: str
    language: Language
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    judged: dict[str, dict[str, int]]


def names(data: Path) -> list[str]:
    """The retrieval collections that are there. Raises FileNotFoundError when the folder is not."""
    return sorted(folder.name for folder in (data / RETRIEVAL).iterdir() if (folder / "meta.json").is_file())


def load(data: Path, name: str) -> Collection:
    """Raises FileNotFoundError for a file that is missing, ValueError (msgspec's too) for one that cannot be read."""
    folder = data / RETRIEVAL / name
    judged: dict[str, dict[str, int]] = {}
    with (folder / "qrels.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            judged.setdefault(row["qid"], {})[row["docid"]] = int(row["grade"])
    judged = {query: grades for query, grades in judged.items() if max(grades.values()) > 0}
    return Collection(
        name=name,
        language=Language(msgspec.json.decode((folder / "meta.json").read_bytes(), type=_Meta).lang),
        documents=_rows(folder / "docs.jsonl", Document),
        queries=tuple(query for query in _rows(folder / "queries.jsonl", Query) if query.id in judged),
        judged=judged,
    )


def _rows(path: Path, row: type[msgspec.Struct]) -> tuple:  # type: ignore[type-arg]
    return tuple(msgspec.json.Decoder(row).decode_lines(path.read_bytes()))
