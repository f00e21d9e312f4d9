"""Facts about the installation as a whole."""

from __future__ import annotations

from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.ports.repositories.installation import Installation


@repository(Installation)
class PostgresInstallation:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, name: str) -> str | None:
        rows = await self._session.read("SELECT value FROM installation WHERE name = %s", (name,))
        return str(rows[0][0]) if rows else None

    async def get_or_put(self, name: str, value: str) -> str:
        # An insertion that meets another one waits for its end, and then sees what it left.
        await self._session.write(
            "INSERT INTO installation (name, value) VALUES (%s, %s) ON CONFLICT (name) DO NOTHING", (name, value)
        )
        found = await self.find(name)
        assert found is not None
        return found

    async def put(self, name: str, value: str) -> None:
        await self._session.write(
            "INSERT INTO installation (name, value) VALUES (%s, %s)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )
