"""The state machine finds two units of work alike that are, and tells apart two that are not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date

import pytest
from attrs import evolve
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from contentgen_adapters.memory.common_tables import NICHES
from contentgen_adapters.memory.repositories.agent_events import MemoryAgentEvents
from contentgen_adapters.memory.repositories.articles import MemoryArticles
from contentgen_adapters.memory.repositories.jobs import MemoryJobs
from contentgen_adapters.memory.repositories.niches import MemoryNiches
from contentgen_adapters.memory.repositories.quotas import MemoryQuotas
from contentgen_adapters.memory.unit_of_work import MemoryTransaction, MemoryUnitOfWork
from contentgen_core.model.agent_event import AgentEvent, AgentEventKind
from contentgen_core.model.article import Article
from contentgen_core.model.ids import TenantId
from contentgen_core.model.job import Job
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Quota
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.unit_of_work import UnitOfWork
from tests.contract.store.comparing import ComparingMachine, Factory
from tests.contract.store.state_machine import unit_of_work_machine
from tests.contract.store.tenancy_machine import tenancy_machine


@asynccontextmanager
async def memory() -> AsyncIterator[UnitOfWork]:
    yield MemoryUnitOfWork()


TestMemoryIsAlikeMemory = unit_of_work_machine(memory, memory).TestCase
TestMemoryIsAlikeMemory.settings = settings(max_examples=30, stateful_step_count=40, deadline=None)


TestMemoryIsAlikeMemoryInTenancies = tenancy_machine(memory, memory).TestCase
TestMemoryIsAlikeMemoryInTenancies.settings = settings(max_examples=20, stateful_step_count=40, deadline=None)


class QuotaWithoutEnd(MemoryQuotas):
    async def consume(
        self, tenant_id: TenantId, quota: Quota, window: date, limit: int | None, amount: int = 1
    ) -> bool:
        return await super().consume(tenant_id, quota, window, None, amount)


class LastWriterWins(MemoryArticles):
    async def save(self, article: Article) -> Article:
        stored = await self.get(article.tenant_id, article.id)
        return await super().save(evolve(article, revision=stored.revision))


class EverybodyHolds(MemoryJobs):
    async def fence(self, job: Job) -> bool:
        await super().fence(job)
        return True


class PositionsWithGaps(MemoryAgentEvents):
    async def append(self, event: AgentEvent) -> AgentEvent:
        if event.kind is AgentEventKind.AGENT_DELETED:
            await super().append(event)
        return await super().append(event)


class EverybodysNiches(MemoryNiches):
    async def get(self, tenant_id: TenantId, id_or_key: str) -> Niche:
        for niche in self._session[NICHES].rows():
            if niche.id == id_or_key:
                return niche
        return await super().get(tenant_id, id_or_key)


def with_events(tx: MemoryTransaction) -> None:
    tx._repositories[AgentEvents] = PositionsWithGaps(tx[AgentEvents]._session)


def with_niches(tx: MemoryTransaction) -> None:
    tx._repositories[Niches] = EverybodysNiches(tx[Niches]._session)


def with_quotas(tx: MemoryTransaction) -> None:
    tx._repositories[Quotas] = QuotaWithoutEnd(tx[Quotas]._session)


def with_articles(tx: MemoryTransaction) -> None:
    tx._repositories[Articles] = LastWriterWins(tx[Articles]._session)


def with_jobs(tx: MemoryTransaction) -> None:
    tx._repositories[Jobs] = EverybodyHolds(tx[Jobs]._session)


def broken(change: Callable[[MemoryTransaction], None]) -> Factory:
    class Broken(MemoryUnitOfWork):
        @asynccontextmanager
        async def _transaction(self) -> AsyncIterator[MemoryTransaction]:
            async with super()._transaction() as tx:
                change(tx)
                yield tx

    @asynccontextmanager
    async def opened() -> AsyncIterator[UnitOfWork]:
        yield Broken()

    return opened


@pytest.mark.parametrize(
    ("machine", "change"),
    [
        (unit_of_work_machine, with_quotas),
        (unit_of_work_machine, with_articles),
        (unit_of_work_machine, with_jobs),
        (tenancy_machine, with_events),
        (tenancy_machine, with_niches),
    ],
)
def test_the_machine_finds_a_difference(
    machine: Callable[[Factory, Factory], type[ComparingMachine]], change: Callable[[MemoryTransaction], None]
) -> None:
    search = settings(
        # Hypothesis also draws constants from whatever modules are loaded: what ran before moves the search.
        max_examples=3_000,
        stateful_step_count=40,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        print_blob=False,
    )
    with pytest.raises(AssertionError):
        run_state_machine_as_test(machine(memory, broken(change)), settings=search)
