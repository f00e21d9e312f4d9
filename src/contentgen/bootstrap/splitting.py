"""What a process that splits texts is made of, and how many split the sources of imports."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Final

import msgspec

from contentgen.cores import usable_cores
from contentgen_adapters.documents.splitting import Part, ProcessSourceSplitter, Splitting, Taken
from contentgen_adapters.entities.extractor import RuleExtractor
from contentgen_adapters.shared.processes.pool import PLACES, Parser, ProcessPool
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_adapters.text.language import LangidDetector
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceSplitter, Unsplit
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument
from contentgen_core.use_cases.knowledge.split_sources import taken_apart


def split(job: Splitting) -> list[msgspec.Raw]:
    """As `local_ports` splits in a thread. CPU-bound."""
    encoder = msgspec.msgpack.Encoder()
    return [msgspec.Raw(encoder.encode(Part.of(passage))) for passage in _chunk()(job.document, job.text)]


def take_apart(job: list[Splitting]) -> list[msgspec.Raw]:
    """As imports do in a thread: a `Taken` for each source. CPU-bound."""
    encoder, chunk, detector = msgspec.msgpack.Encoder(), _chunk(), _detector()
    taken = []
    for source in job:
        document, passages = taken_apart(Unsplit(source.document, source.text, source.detects), chunk, detector)
        taken.append(msgspec.Raw(encoder.encode(Taken(document.language, [Part.of(passage) for passage in passages]))))
    return taken


@cache
def _chunk() -> ChunkDocument:
    analysis = IcuTextAnalysis()
    return ChunkDocument(MarkdownChunker(analysis), analysis, RuleExtractor(analysis))


@cache
def _detector() -> LangidDetector:
    return LangidDetector()


_FIRST: Final = KbDocument(
    id=DocumentId("first"),
    scope=KbScope("first"),
    source_key="first",
    title="The first text",
    language=Language.EN,
    origin=Origin.DOCUMENT,
    content_hash="",
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
)
_ANSWER: Final = msgspec.msgpack.Decoder(list[msgspec.Raw])
SPLITTING: Final = Parser(split, _ANSWER, Splitting(_FIRST, "Heat pumps move heat."))
TAKING_APART: Final = Parser(take_apart, _ANSWER, [Splitting(_FIRST, "Heat pumps move heat.", detects=True)])


def source_splitter(pool: ProcessPool) -> SourceSplitter | None:
    """Splits large imports in as many processes of the pool as there are cores, but for one, on which this process
    splits as well, and for one place of the pool; None where that leaves none."""
    at_once = min(usable_cores(), PLACES) - 1
    return ProcessSourceSplitter(pool, TAKING_APART, at_once) if at_once else None
