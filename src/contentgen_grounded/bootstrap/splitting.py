"""The entry points of a process that splits texts. It imports this module, and nothing that it does not need."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Final

import msgspec

from contentgen_adapters.documents.splitting import Part, Splitting
from contentgen_adapters.entities.extractor import RuleExtractor
from contentgen_adapters.shared.processes.pool import Parser
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument


def split(job: Splitting) -> list[msgspec.Raw]:
    """Split one text as `local_ports` does in a thread. CPU-bound."""
    encoder = msgspec.msgpack.Encoder()
    return [msgspec.Raw(encoder.encode(Part.of(passage))) for passage in _chunk()(job.document, job.text)]


def split_all(job: list[Splitting]) -> list[msgspec.Raw]:
    """Return the parts of each source, split as imports do in a thread. CPU-bound."""
    encoder, chunk = msgspec.msgpack.Encoder(), _chunk()
    return [msgspec.Raw(encoder.encode([Part.of(passage) for passage in chunk(s.document, s.text)])) for s in job]


@cache
def _chunk() -> ChunkDocument:
    analysis = IcuTextAnalysis()
    return ChunkDocument(MarkdownChunker(analysis), analysis, RuleExtractor(analysis))


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
_FIRST_TEXT: Final = Splitting(_FIRST, "Heat pumps move heat.")
SPLITTING: Final = Parser(split, _ANSWER, _FIRST_TEXT)
SPLITTING_MANY: Final = Parser(split_all, _ANSWER, [_FIRST_TEXT])
