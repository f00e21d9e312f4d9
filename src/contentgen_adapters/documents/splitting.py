"""The port `DocumentSplitter` in processes that can be ended."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec

from contentgen_adapters.shared.processes.pool import Limits, NotParsed, Parser, PoolBusy, ProcessPool
from contentgen_core.errors import Unavailable, UnreadableFile
from contentgen_core.model.entity import EntityMention
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbDocument, Passage

LIMITS: Final = Limits(cpu=60.0, memory=2 * 1024 * 1024 * 1024, answer=128 * 1024 * 1024)


class Splitting(msgspec.Struct, frozen=True):
    """A text to split, with the document that it belongs to."""

    document: KbDocument
    text: str


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


_PART: Final = msgspec.msgpack.Decoder(Part)
_AT_ONCE: Final = 50  # parts decoded before others have their turn: those of 5 million characters take half a second


class ProcessSplitter:
    """Split texts in a process. `parser`: the pool that splits; the parts of its answer are decoded here."""

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
            passages.append(passage_of(document, index, _PART.decode(part)))
            if index % _AT_ONCE == 0:
                await asyncio.sleep(0)
        return passages


def passage_of(document: KbDocument, index: int, part: Part) -> Passage:
    """The passage at this place of the document."""
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
