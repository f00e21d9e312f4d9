"""The unit of work in memory: what it holds lives as long as the object."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar

from contentgen_adapters.memory import repositories
from contentgen_adapters.memory.aggregates import MemoryRecords
from contentgen_adapters.memory.repositories.agent_events import MemoryWakeUps
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session, WriteTurn
from contentgen_adapters.memory.tables import Store
from contentgen_adapters.shared import stored
from contentgen_adapters.shared.repositories import import_modules

import_modules(repositories)
import_modules(stored)
repository.add_stored(MemoryRecords)

R = TypeVar("R")


class MemoryTransaction:
    """Repositories are made when first asked for: most transactions use one or two."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._repositories: dict[type, Any] = {}

    def __getitem__(self, port: type[R]) -> R:
        if port not in self._repositories:
            self._repositories[port] = repository.make(port, self.session)
        found: R = self._repositories[port]
        return found


class MemoryUnitOfWork:
    """For one event loop. Transactions may overlap freely, with one exception: a task that has written in one
    transaction must leave it before it writes in another."""

    def __init__(self) -> None:
        self._store = Store()
        self._turn = WriteTurn()
        self.agent_event_wake_ups = MemoryWakeUps()

    def __call__(self) -> AbstractAsyncContextManager[MemoryTransaction]:
        return self._transaction()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[MemoryTransaction]:
        session = Session(self._store, self._turn)
        try:
            yield MemoryTransaction(session)
            session.commit()
            self.agent_event_wake_ups.tell(session.to_tell)
        finally:
            session.end()
