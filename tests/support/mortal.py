"""Processes that die between transactions, and leave a job to another process."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import timedelta

from attrs import evolve

from contentgen_adapters.memory.publishing import MemoryTargets
from contentgen_adapters.web_search.catalog import SETTINGS
from contentgen_core.model.job import Job
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.ports.web_search import ConfiguredWebSearches
from contentgen_core.services import CoreServices
from contentgen_core.testing.runtime import MOMENT, SequentialIds
from contentgen_grounded.bootstrap.memory import memory_ports
from tests.support.house import SECRET, House


class Died(BaseException):
    """The process is gone: nothing after this line happens."""


class Mortal:
    """A unit of work whose process dies instead of beginning its transaction number `last` + 1."""

    def __init__(self, inner: UnitOfWork, last: int) -> None:
        self.inner, self.left = inner, last

    def __call__(self) -> AbstractAsyncContextManager[Transaction]:
        if self.left <= 0:
            raise Died
        self.left -= 1
        return self.inner()


async def died_after(house: House, transactions: int, job: Job) -> bool:
    """Let another process work on a job that dies after so many transactions. Whether it died."""
    ports = evolve(
        memory_ports(SECRET),
        unit_of_work=Mortal(house.services.ports.unit_of_work, transactions),
        index=house.services.ports.index,
        model=house.model,
        pages=house.web,
        searches=ConfiguredWebSearches(house.web, None, SETTINGS),
        targets=MemoryTargets(house.target),
        clock=house.clock,
        ids=SequentialIds(MOMENT + timedelta(hours=1)),
    )
    process = CoreServices.compose(ports)
    try:
        await process.jobs.of(job.kind)(job)
    except (Died, BaseExceptionGroup):
        return True
    return False
