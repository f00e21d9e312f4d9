"""The ports `DocumentSplitter` and `SourceSplitter` in processes that can be ended."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
import structlog
from attrs import evolve

from contentgen_adapters.shared.processes.pool import Limits, NotParsed, Parser, PoolBusy, ProcessPool
from contentgen_core.errors import Unavailable, UnreadableFile
from contentgen_core.model.entity import EntityMention
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import Unsplit

_IMPORTS: Final = "imports"
"""The key of what is split for imports: tenants' ids are others."""

_log = structlog.get_logger(__name__)

LIMITS: Final = Limits(cpu=60.0, memory=2 * 1024 * 1024 * 1024, answer=128 * 1024 * 1024)


class Splitting(msgspec.Struct, frozen=True):
    """A text to split, with the document that it is of. `detects`: whose language is to be told."""

    document: KbDocument
    text: str
    detects: bool = False


class Part(msgspec.Struct, frozen=True):
    """A passage without its document, which would come back with each."""

    text: str
    content_hash: str
    heading: str
    terms: tuple[str, ...]
    head_terms: tuple[str, ...]
    entities: tuple[EntityMention, ...]

    @classmethod
    def of(cls, passage: Passage) -> Part:
        return cls(
            passage.text, passage.content_hash, passage.heading, passage.terms, passage.head_terms, passage.entities
        )


class Taken(msgspec.Struct, frozen=True):
    """What a source was taken apart to."""

    language: Language
    parts: list[Part]


_TAKEN: Final = msgspec.msgpack.Decoder(Taken)
_PART: Final = msgspec.msgpack.Decoder(Part)
_AT_ONCE: Final = 50  # parts decoded before others have their turn: those of 5 million characters take half a second


class ProcessSplitter:
    """`parser`: splits, in a process; its answer's parts are decoded here."""

    def __init__(self, pool: ProcessPool, parser: Parser[Splitting, list[msgspec.Raw]], limits: Limits = LIMITS):
        self._pool, self._parser, self._limits = pool, parser, limits

    async def passages(self, document: KbDocument, text: str, tenant_id: TenantId) -> list[Passage]:
        job = Splitting(document, text)
        try:
            parts = await self._pool.run_twice(self._parser, job, tenant_id, self._limits)
        except NotParsed as error:
            raise UnreadableFile(f"{document.title}: the text {error}. Split it.") from error
        except PoolBusy as error:
            raise Unavailable(f"The text was not split: {error}. Try again.", retry_after=10) from error
        passages = []
        for index, part in enumerate(parts):
            passages.append(_passage(document, index, _PART.decode(part)))
            if index % _AT_ONCE == 0:
                await asyncio.sleep(0)
        return passages


class ProcessSourceSplitter:
    """`parser`: splits, in a process; its answer's sources are decoded in a thread. `at_once`: how many processes work
    for imports."""

    def __init__(
        self,
        pool: ProcessPool,
        parser: Parser[list[Splitting], list[msgspec.Raw]],
        at_once: int,
        limits: Limits = LIMITS,
    ):
        self._pool, self._parser, self._limits = pool, parser, limits
        self.at_once = at_once

    async def passages(self, sources: Sequence[Unsplit]) -> list[tuple[KbDocument, list[Passage]]]:
        job = [Splitting(source.document, source.text, source.detects) for source in sources]
        try:
            taken = await self._pool.run_twice(self._parser, job, _IMPORTS, self._limits)
        except PoolBusy as error:
            raise Unavailable(f"The sources were not split: {error}.") from error
        except NotParsed as error:
            _log.warning("sources are split in this process", reason=f"one of them {error}")
            raise Unavailable(f"The sources were not split: one of them {error}.") from error
        return await asyncio.to_thread(_of_sources, [source.document for source in sources], taken)


def _of_sources(
    documents: Sequence[KbDocument], taken: Sequence[msgspec.Raw]
) -> list[tuple[KbDocument, list[Passage]]]:
    found = []
    for document, raw in zip(documents, taken, strict=True):
        told = _TAKEN.decode(raw)
        owner = document if document.language is told.language else evolve(document, language=told.language)
        found.append((owner, [_passage(owner, index, part) for index, part in enumerate(told.parts)]))
    return found


def _passage(document: KbDocument, index: int, part: Part) -> Passage:
    return Passage(
        document=document,
        chunk_index=index,
        text=part.text,
        content_hash=part.content_hash,
        heading=part.heading,
        terms=part.terms,
        head_terms=part.head_terms,
        entities=part.entities,
    )
