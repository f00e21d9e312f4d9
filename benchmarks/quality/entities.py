"""Measure how many of the strongest entities of a knowledge base are names or noun phrases: judged by reading, kept in
entity_verdicts.tsv.
"""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from benchmarks.quality.collections import RETRIEVAL, SUBJECTS, Document, rows
from benchmarks.quality.product import ANALYSIS, NICHE, VIEW
from benchmarks.quality.report import Table
from contentgen_adapters.entities.extractor import RuleExtractor
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.runtime import SystemClock, Uuid7Ids
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_adapters.text.language import LangidDetector
from contentgen_core.model.entity import EntityType
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument
from contentgen_core.use_cases.knowledge.import_sources import ImportSources

READ: Final = 30
"""The candidates of each kind that were read."""
ALL: Final = 100_000
COLLECTIONS: Final = (
    (SUBJECTS, "piaf-fr", Language.FR),
    (RETRIEVAL, "scifact", Language.EN),
    (SUBJECTS, "freshwiki-en", Language.EN),
)
VERDICTS: Final = Path(__file__).with_name("entity_verdicts.tsv")
_GOOD: Final = "1"


def run(data: Path) -> list[Table]:
    verdicts = _verdicts()
    table, unread = [], []
    for folder, collection, language in COLLECTIONS:
        documents: tuple[Document, ...] = rows(data / folder / collection / "docs.jsonl", Document)
        found = asyncio.run(_strongest(documents, language))
        cells = [collection]
        several = [name for name, type in found if " " in name and type is EntityType.CONCEPT]
        for kind in ([name for name, _ in found], several, [name for name in several if name == name.lower()]):
            best = kind[:READ]
            unread += [f"{collection}\t{entity}" for entity in best if (collection, entity) not in verdicts]
            read = [verdicts[collection, entity] for entity in best if (collection, entity) in verdicts]
            cells.append(f"{sum(read) / max(1, len(read)):.2f} of {len(read)}")
        table.append([*cells, str(len(found))])
    title = f"Share of names and noun phrases among the {READ} strongest entities"
    note = "Not read yet:\n" + "\n".join(dict.fromkeys(unread)) if unread else ""
    columns = ["collection", "all", "several words, no type", "of those, no capitals", "entities"]
    return [Table(title, columns, table, note)]


async def _strongest(documents: Iterable[Document], language: Language) -> list[tuple[str, EntityType]]:
    unit_of_work, clock = MemoryUnitOfWork(), SystemClock()
    chunk = ChunkDocument(MarkdownChunker(ANALYSIS), ANALYSIS, RuleExtractor(ANALYSIS))
    importing = ImportSources(unit_of_work, chunk, LangidDetector(), clock, Uuid7Ids(clock))
    await importing(KbScope(NICHE), (SourceText(d.id, d.title, d.text, language=language) for d in documents))
    async with unit_of_work() as tx:
        page = await tx[Overview].strongest(VIEW, ALL)
    return [(entity.name, entity.type) for entity in page.entities]


def _verdicts() -> dict[tuple[str, str], bool]:
    """Return for (collection, entity) whether it is a name or noun phrase."""
    with VERDICTS.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row["collection"], row["entity"]): row["good"] == _GOOD for row in reader}
