"""Notify the operator of providers that went away or came back, once each from all processes together."""

from __future__ import annotations

from attrs import evolve

from contentgen_core.model.circuit import Circuit
from contentgen_core.ports.repositories.circuits import Circuits
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case


@use_case
class NoticeOutages:
    unit_of_work: UnitOfWork

    async def __call__(self) -> list[Circuit]:
        """Return the circuits that opened or closed since the last call in any process."""
        async with self.unit_of_work() as tx:
            changed = await tx[Circuits].to_notice()
            for circuit in changed:
                await tx[Circuits].save(evolve(circuit, noticed=circuit.is_open))
            return changed
