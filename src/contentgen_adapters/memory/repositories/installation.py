"""Facts about the installation as a whole."""

from __future__ import annotations

from typing import Final

from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.ports.repositories.installation import Installation

INSTALLATION: Final = TableOf[str, str]("installation")


@repository(Installation)
class MemoryInstallation:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, name: str) -> str | None:
        return self._session[INSTALLATION].get(name)

    async def get_or_put(self, name: str, value: str) -> str:
        await self._session.writing()
        known = self._session[INSTALLATION].get(name)
        if known is None:
            self._session[INSTALLATION].put(name, value)
        return value if known is None else known

    async def put(self, name: str, value: str) -> None:
        await self._session.writing()
        self._session[INSTALLATION].put(name, value)
