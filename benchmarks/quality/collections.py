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
SUBJECTS: Final = "articles"
"""The folder of the paragraphs that are sorted by subject."""
MIN_PARAGRAPHS: Final = 3


class Document(msgspec.Struct, frozen=True):
    id: str
    title: str
    text: str


class Query(msgspec.Struct, frozen=True):
    id: str
    text: str


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph of a collection. `group`: the id of its subject, which is never imported."""

    id: str
    title: str
    text: str
    group: str


class _Meta(msgspec.Struct, frozen=True):
    lang: str


@frozen
class Collection:
    """A collection with judgements. `judged`: for each query the grades of its judged documents, by id; every query in
    it has one above 0.
    """

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
        documents=rows(folder / "docs.jsonl", Document),
        queries=tuple(query for query in rows(folder / "queries.jsonl", Query) if query.id in judged),
        judged=judged,
    )


def long_questions(data: Path) -> list[Collection]:
    """Return long questions for each knowledge base that has subjects: the longest of a subject's first four paragraphs
    asks for its others, in subjects of MIN_PARAGRAPHS or more. The folder's name ends in its language.
    """
    folder = data / SUBJECTS
    return [_long_questions(path.parent) for path in sorted(folder.glob("*/docs.jsonl"))]


def _long_questions(folder: Path) -> Collection:
    paragraphs: tuple[Paragraph, ...] = rows(folder / "docs.jsonl", Paragraph)
    subjects: dict[str, list[Paragraph]] = {}
    for paragraph in paragraphs:
        subjects.setdefault(paragraph.group, []).append(paragraph)
    large = {subject: own for subject, own in subjects.items() if len(own) >= MIN_PARAGRAPHS}
    asking = {subject: max(own[:4], key=lambda p: len(p.text)) for subject, own in large.items()}
    asked = {paragraph.id for paragraph in asking.values()}
    return Collection(
        name=f"{folder.name}, paragraphs",
        language=Language(folder.name.rpartition("-")[2]),
        documents=tuple(Document(p.id, p.title, p.text) for p in paragraphs if p.id not in asked),
        queries=tuple(Query(subject, paragraph.text) for subject, paragraph in asking.items()),
        judged={subject: {p.id: 1 for p in own if p.id not in asked} for subject, own in large.items()},
    )


def rows(path: Path, row: type[msgspec.Struct]) -> tuple:  # type: ignore[type-arg]
    return tuple(msgspec.json.Decoder(row).decode_lines(path.read_bytes()))
