"""Counting the tokens of calls that brought nothing: they are paid all the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import reduce

from contentgen_core.concurrency import retry_overtaken
from contentgen_core.errors import ContentgenError
from contentgen_core.model.article import Usage
from contentgen_core.ports.lost_usage import collect_lost_usage
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.budgets.keep_budgets import Payer, spend


@asynccontextmanager
async def count_lost_calls(
    unit_of_work: UnitOfWork,
    clock: Clock,
    payer: Payer,
    store: Callable[[Transaction, Usage], Awaitable[None]] | None = None,
) -> AsyncIterator[None]:
    """Add what calls within the block lose to what the payer spent: once, at its end, however it ends. `store`: adds it
    to what the calls were for, too."""
    with collect_lost_usage() as lost:
        try:
            yield
        finally:
            if lost:
                total = reduce(Usage.plus, lost)

                async def transaction() -> None:
                    async with unit_of_work() as tx:
                        if store is not None:
                            await store(tx, total)
                        await spend(tx, payer, total, clock.now())

                with suppress(ContentgenError):  # the figures must not hide how the work ended
                    await retry_overtaken(transaction)
