"""Comparing two units of work: a state machine applies the same steps to both and compares the results."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import timedelta
from typing import ClassVar, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from contentgen_core.errors import ContentgenError
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT, SequentialIds

Factory = Callable[[], AbstractAsyncContextManager[UnitOfWork]]
T = TypeVar("T")
M = TypeVar("M", bound="ComparingMachine")


class RolledBack(Exception):
    """Raised by a rule to leave a transaction without its changes."""


class ComparingMachine(RuleBasedStateMachine):
    """The base of state machines over two units of work. Each factory opens a fresh, empty one, for every example, in
    an event loop that lives as long as the example. There are two tenants, and a clock that only moves forward."""

    factories: ClassVar[tuple[Factory, Factory]]

    def __init__(self) -> None:
        super().__init__()
        self._ids = SequentialIds()
        self._now = MOMENT
        self._runner = asyncio.Runner()
        self._open = AsyncExitStack()
        self._pair = self._runner.run(self._enter())
        self._tenants = [builders.tenant(id=TenantId(self._ids.new())) for _ in range(2)]

    async def _enter(self) -> list[UnitOfWork]:
        return [await self._open.enter_async_context(factory()) for factory in self.factories]

    def teardown(self) -> None:
        self._runner.run(self._open.aclose())
        self._runner.close()

    def on_both(self, do: Callable[[Transaction], Awaitable[T]]) -> T | None:
        """Apply `do` in a transaction of each; both must return, or raise, the same. Returns the result; None when both
        raised."""
        answers = [self._runner.run(_outcome(unit_of_work, do)) for unit_of_work in self._pair]
        (answer, refusal), (other_answer, other_refusal) = answers
        assert refusal == other_refusal
        assert answer == other_answer
        return answer

    @initialize()
    def two_tenants(self) -> None:
        async def do(tx: Transaction) -> None:
            for tenant in self._tenants:
                await tx[Tenants].add(tenant)

        self.on_both(do)

    @rule(seconds=st.integers(0, 40))
    def time_passes(self, seconds: int) -> None:
        self._now += timedelta(seconds=seconds)

    def _other(self, tenant_id: TenantId) -> TenantId:
        return next(tenant.id for tenant in self._tenants if tenant.id != tenant_id)


def compared(machine: type[M], reference: Factory, subject: Factory) -> type[M]:
    """The machine that compares `subject` with `reference`. Its `TestCase` is the test to collect."""
    return type(f"Compared{machine.__name__}", (machine,), {"factories": (reference, subject)})


async def _outcome(
    unit_of_work: UnitOfWork, do: Callable[[Transaction], Awaitable[T]]
) -> tuple[T | None, type[Exception] | None]:
    try:
        async with unit_of_work() as tx:
            answer = await do(tx)
    except (ContentgenError, RolledBack) as refusal:
        return None, type(refusal)
    return answer, None
