"""`python -m benchmarks.quality.graph_links FOLDER` measures which entities the graph joins, by passages and by the
bundled model. FOLDER holds `articles` of the collections: paragraphs whose subject is known and never imported."""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

from attrs import frozen

from benchmarks.quality.collections import SUBJECTS, Paragraph, rows
from benchmarks.quality.product import ANALYSIS, NICHE, VIEW
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.entities.extractor import RuleExtractor
from contentgen_adapters.entities.graphs import NetworkxTools
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.runtime import SystemClock, Uuid7Ids
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_adapters.text.language import LangidDetector
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.entity import Cooccurrences, JoinedBy, KbEntity
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.entity_graph import edges, nearness
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument
from contentgen_core.use_cases.knowledge.import_sources import ImportSources

NODES: Final = 100
STRONGEST: Final = 50
COLUMNS: Final = (
    *("collection", "joined by", "edges", f"the {STRONGEST} strongest", "by meaning alone", "between languages"),
    *("pairs within communities", "pairs of one subject in one community", "entities without an edge"),
)
COLLECTIONS: Final = {
    "piaf-fr": (("piaf-fr", Language.FR),),
    "xquad, de and en": (("xquad-de", Language.DE), ("xquad-en", Language.EN)),
    "freshwiki-en": (("freshwiki-en", Language.EN),),
    "xquad, en and es": (("xquad-en", Language.EN), ("xquad-es", Language.ES)),
    "xquad, de and es": (("xquad-de", Language.DE), ("xquad-es", Language.ES)),
}


@frozen
class Named:
    """The strongest entities of a collection. `subjects`: of each, the subject with most of the passages that name it;
    `languages`: of those passages.
    """

    entities: tuple[KbEntity, ...]
    cooccurrences: Cooccurrences
    subjects: tuple[str, ...]
    languages: tuple[frozenset[Language], ...]
    texts: Mapping[SourceRef, str]


async def named(data: Path, parts: Sequence[tuple[str, Language]]) -> Named:
    unit_of_work, clock = MemoryUnitOfWork(), SystemClock()
    chunk = ChunkDocument(MarkdownChunker(ANALYSIS), ANALYSIS, RuleExtractor(ANALYSIS))
    importing = ImportSources(unit_of_work, chunk, LangidDetector(), clock, Uuid7Ids(clock))
    subject: dict[str, str] = {}
    for name, language in parts:
        found: tuple[Paragraph, ...] = rows(data / SUBJECTS / name / "docs.jsonl", Paragraph)
        # the same article has the same number in each language of xquad
        subject |= {f"{name} {p.id}": p.group.partition("T")[2] if "xquad" in name else p.group for p in found}
        sources = (SourceText(f"{name} {p.id}", p.title, p.text, language=language) for p in found)
        await importing(KbScope(NICHE), sources)
    async with unit_of_work() as tx:
        entities = (await tx[Overview].strongest(VIEW, NODES)).entities
        cooccurrences = await tx[Overview].cooccurrences(VIEW, [entity.keys for entity in entities])
        passages = await tx[Knowledge].passages_of(await tx[Knowledge].all_documents(None, len(subject)))
    naming = tuple(tuple(p for p in passages if any(e.key in entity.keys for e in p.entities)) for entity in entities)
    return Named(
        entities,
        cooccurrences,
        tuple(Counter(subject[p.document.source_key] for p in held).most_common(1)[0][0] for held in naming),
        tuple(frozenset(p.document.language for p in held) for held in naming),
        {p.ref: p.text for held in naming for p in held},
    )


async def vectors_of(found: Named, embedder: SemanticEmbedder) -> dict[SourceRef, Vector]:
    refs = sorted({ref for naming in found.cooccurrences.naming for ref in naming}, key=str)
    return dict(zip(refs, await embedder.embed([found.texts[ref] for ref in refs], "passage"), strict=True))


def figures(found: Named, vectors: Mapping[SourceRef, Vector]) -> list[str]:
    """Count in the graph: its edges, and how many of them join entities of one subject; pairs within communities, and
    how many of them do; the strongest 50 edges; entities without an edge; edges of meaning alone, and those between
    entities without a common language.
    """
    chosen = edges(found.cooccurrences, nearness(found.cooccurrences.naming, vectors))
    nodes, subject = len(found.entities), found.subjects
    linked = {node for edge in chosen for node in (edge.source, edge.target)}
    parts = NetworkxTools().communities(nodes, [(e.source, e.target, e.strength) for e in chosen])
    together = [(i, j) for i, j in combinations(range(nodes), 2) if parts[i] == parts[j]]
    pairs = [(edge.source, edge.target) for edge in chosen]
    alone = [(edge.source, edge.target) for edge in chosen if edge.joined_by is JoinedBy.MEANING]
    across = [(i, j) for i, j in pairs if not found.languages[i] & found.languages[j]]
    of_subject = [(i, j) for i, j in combinations(range(nodes), 2) if subject[i] == subject[j]]

    def right(listed: Sequence[tuple[int, int]]) -> str:
        share = sum(subject[i] == subject[j] for i, j in listed) / len(listed) if listed else 0.0
        return f"{share:.2f} of {len(listed)}" if listed else "-"

    held = sum(parts[i] == parts[j] for i, j in of_subject) / max(1, len(of_subject))
    shares = [right(listed) for listed in (pairs, pairs[:STRONGEST], alone, across, together)]
    return [*shares, f"{held:.2f}", str(nodes - len(linked))]


async def report(data: Path) -> list[list[str]]:
    embedder = await SemanticEmbedder.open()
    table = []
    for name, parts in COLLECTIONS.items():
        found = await named(data, parts)
        vectors = await vectors_of(found, embedder)
        table += [[name, "passages", *figures(found, {})], [name, "and meaning", *figures(found, vectors)]]
    return table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.graph_links", description=__doc__)
    parser.add_argument("folder", type=Path)
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for row in asyncio.run(report(parser.parse_args().folder)):
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
