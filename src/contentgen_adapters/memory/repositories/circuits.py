"""Circuit breakers that all processes share."""

from __future__ import annotations

from typing import Final

from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.circuit import Circuit
from contentgen_core.ports.repositories.circuits import Circuits

CIRCUITS: Final = TableOf[str, Circuit]("circuits")


@repository(Circuits)
class MemoryCircuits:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, name: str) -> Circuit:
        return self._session[CIRCUITS].get(name) or Circuit(name)

    async def hold(self, name: str) -> Circuit:
        await self._session.writing()
        return await self.get(name)

    async def save(self, circuit: Circuit) -> None:
        await self._session.writing()
        self._session[CIRCUITS].put(circuit.name, circuit)

    async def open(self) -> list[Circuit]:
        return [circuit for circuit in self._sorted() if circuit.is_open]

    async def to_notice(self) -> list[Circuit]:
        await self._session.writing()
        return [circuit for circuit in self._sorted() if circuit.is_open != circuit.noticed]

    def _sorted(self) -> list[Circuit]:
        return sorted(self._session[CIRCUITS].rows(), key=lambda circuit: circuit.name)
