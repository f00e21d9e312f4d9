"""The port `SourceSplitter` in processes. Apart from `splitting`, which these processes import: logging would make them
start half as long again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
import structlog

from contentgen_adapters.documents.splitting import LIMITS, Part, Splitting, passage_of
from contentgen_adapters.shared.processes.pool import Limits, NotParsed, Parser, PoolBusy, ProcessPool
from contentgen_core.errors import Unavailable
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.ports.documents import Unsplit

_IMPORTS: Final = "imports"
"""The key of what is split for imports: tenants' ids are others."""
_PARTS: Final = msgspec.msgpack.Decoder(list[Part])

_log = structlog.get_logger(__name__)


class ProcessSourceSplitter:
    """Split sources in processes. `parser`: the pool that splits; its answers are decoded in a thread. `at_once`: how
    many processes work for imports.
    """

    def __init__(
        self,
        pool: ProcessPool,
        parser: Parser[list[Splitting], list[msgspec.Raw]],
        at_once: int,
        limits: Limits = LIMITS,
    ):
        self._pool, self._parser, self._limits = pool, parser, limits
        self.at_once = at_once

    async def passages(self, sources: Sequence[Unsplit]) -> list[list[Passage]]:
        job = [Splitting(source.document, source.text) for source in sources]
        try:
            parts = await self._pool.run_twice(self._parser, job, _IMPORTS, self._limits)
        except PoolBusy as error:
            raise Unavailable(f"The sources were not split: {error}.") from error
        except NotParsed as error:
            _log.warning("sources are split in this process", reason=f"one of them {error}")
            raise Unavailable(f"The sources were not split: one of them {error}.") from error
        return await asyncio.to_thread(_group_by_source, [source.document for source in sources], parts)


def _group_by_source(documents: Sequence[KbDocument], parts: Sequence[msgspec.Raw]) -> list[list[Passage]]:
    return [
        [passage_of(document, index, part) for index, part in enumerate(_PARTS.decode(raw))]
        for document, raw in zip(documents, parts, strict=True)
    ]
