"""Detect a lost search index: deleted, damaged, or gone with its disk. It is rebuilt from the database; until then
searches are refused, since the index would miss documents that the database has."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from contentgen_core.errors import Unavailable
from contentgen_core.ports.knowledge_base import IndexCounts, PassageIndex
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.work_leases import WorkLeases
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

REBUILD: Final = "index rebuild"
"""Held, as a work lease, as long as the index lacks documents; by no process, since all share the rebuilding."""
HOLDER: Final = "every worker"
NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)
DOCUMENTS_AT_ONCE: Final = 2_000
LOOK_AGAIN_SECONDS: Final = 1.0
RETRY_SECONDS: Final = 15.0


def _being_rebuilt() -> Unavailable:
    return Unavailable(
        "The search index is being rebuilt from the database. Try again in a minute.", retry_after=RETRY_SECONDS
    )


async def require_whole(tx: Transaction) -> None:
    """Raises Unavailable while the index is being rebuilt."""
    if await tx[WorkLeases].holder(REBUILD) is not None:
        raise _being_rebuilt()


Short = Callable[[Transaction, IndexCounts], Awaitable[bool]]
"""Whether the database says that the index has to have more."""


async def _short_of_passages(tx: Transaction, counts: IndexCounts) -> bool:
    return await tx[Knowledge].more_indexed_than(counts.passages)


@use_case
class IndexLoss:
    unit_of_work: UnitOfWork
    index: PassageIndex

    async def require_not_empty(self) -> None:
        """Check, when a search found nothing, whether the index was lost. Raises Unavailable when it is empty and the
        database is not."""
        if await self.index.is_empty() and await self._documents_exist():
            raise _being_rebuilt()

    async def restore_if_lost(self, counts: IndexCounts | None) -> int:
        """Put all documents into the outbox if the index cannot be read, or is empty or short of passages that it was
        to show: its folder was deleted, its newest files were, or the database was restored without it. All processes
        then share the work, and a crash loses nothing. Returns the number of documents; 0 when nothing was lost.

        `counts`: of a moment ago, as `counts()` returns them. Raises StaleIndex, and Unavailable when the index cannot
        be written either."""
        if counts is None:
            await self.index.clear()
        elif await self.is_short(counts, _short_of_passages):
            async with self.unit_of_work() as tx:
                return await self.mark_all(tx)
        return await self.mark_if_empty()

    async def counts(self) -> IndexCounts | None:
        """Return what a newly started process would find in the index, since what this one has in memory may be gone
        from the disk; None if it cannot be read. A storage that is out of reach for a moment is read again, since
        rebuilding takes long. Raises StaleIndex."""
        with suppress(Unavailable):
            return await self.index.verify()
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
        with suppress(Unavailable):
            return await self.index.verify()
        return None

    async def is_short(self, counts: IndexCounts, short: Short) -> bool:
        """Whether rows of a readable index are gone: without its newest version, LanceDB's tables are as they were
        before. Asked twice, because documents may have been indexed between the count and the question. Raises
        StaleIndex, Unavailable."""
        return (
            await self._says(short, counts)
            and (again := await self.counts()) is not None
            and await self._says(short, again)
        )

    async def _says(self, short: Short, counts: IndexCounts) -> bool:
        async with self.unit_of_work() as tx:
            return await short(tx, counts)

    async def mark_if_empty(self) -> int:
        """Mark all documents for indexing if the readable index is empty, in one transaction, so that none is
        forgotten."""
        if not await self.index.is_empty():
            return 0
        async with self.unit_of_work() as tx:
            return await self.mark_all(tx) if await tx[Knowledge].any_indexed() else 0

    async def mark_all(self, tx: Transaction) -> int:
        """Put all documents into the outbox, and let nothing be searched for until it is empty. Their number."""
        await tx[WorkLeases].acquire(REBUILD, HOLDER, NEVER, NEVER)
        done, after = 0, None
        while documents := await tx[Knowledge].all_documents(after, DOCUMENTS_AT_ONCE):
            await tx[Knowledge].mark_changed(documents)
            done, after = done + len(documents), documents[-1]
        return done

    async def end_rebuild(self, tx: Transaction, now: datetime) -> None:
        """The index is whole again once nothing is left in the outbox."""
        if await tx[WorkLeases].holder(REBUILD) is not None and not await tx[Knowledge].pending_changes():
            await tx[WorkLeases].release_until(REBUILD, HOLDER, now)

    async def _documents_exist(self) -> bool:
        async with self.unit_of_work() as tx:
            return bool(await tx[Knowledge].all_documents(None, 1))
