"""Circuit breakers that all processes share."""

from __future__ import annotations

from typing import Final

from attrs import astuple

from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.circuit import OPENS_AFTER, Circuit
from contentgen_core.ports.repositories.circuits import Circuits

_SELECT: Final = "SELECT name, provider, failures, reason, since, trial_at, noticed FROM circuits"


@repository(Circuits)
class PostgresCircuits:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, name: str) -> Circuit:
        rows = await self._session.read(f"{_SELECT} WHERE name = %s", (name,))
        return Circuit(*rows[0]) if rows else Circuit(name)

    async def hold(self, name: str) -> Circuit:
        await self._session.write("INSERT INTO circuits (name) VALUES (%s) ON CONFLICT (name) DO NOTHING", (name,))
        rows = await self._session.write(f"{_SELECT} WHERE name = %s FOR UPDATE", (name,))
        return Circuit(*rows[0])

    async def save(self, circuit: Circuit) -> None:
        await self._session.change(
            "UPDATE circuits SET provider = %s, failures = %s, reason = %s, since = %s, trial_at = %s, noticed = %s"
            " WHERE name = %s",
            (*astuple(circuit)[1:], circuit.name),
        )

    async def open(self) -> list[Circuit]:
        rows = await self._session.read(f"{_SELECT} WHERE failures >= %s ORDER BY name", (OPENS_AFTER,))
        return [Circuit(*row) for row in rows]

    async def to_notice(self) -> list[Circuit]:
        rows = await self._session.write(
            f"{_SELECT} WHERE (failures >= %s) <> noticed ORDER BY name FOR UPDATE SKIP LOCKED", (OPENS_AFTER,)
        )
        return [Circuit(*row) for row in rows]
