"""Circuit breakers that all processes share."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.circuit import Circuit


class Circuits(Protocol):
    """The circuits of the installation, by name. One that was never saved is closed."""

    async def get(self, name: str) -> Circuit: ...

    async def hold(self, name: str) -> Circuit:
        """Return the circuit, locked until the transaction ends."""
        ...

    async def save(self, circuit: Circuit) -> None:
        """Store a circuit that this transaction holds."""
        ...

    async def open(self) -> list[Circuit]:
        """Return the open circuits, by name."""
        ...

    async def to_notice(self) -> list[Circuit]:
        """Return the circuits that opened or closed since the operator was told (`noticed`), by name, locked until the
        transaction ends. Those that another transaction holds are left out."""
        ...
