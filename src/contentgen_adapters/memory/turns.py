"""Whose turn it is to do what one process does for all."""

from __future__ import annotations

from datetime import datetime

from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import Turn


class MemoryTurns:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def take(self, work: str, worker: str, now: datetime, until: datetime) -> bool:
        await self._session.writing()
        turn = self._session.turns.get(work)
        if turn is not None and turn.worker != worker and turn.until > now:
            return False
        self._session.turns.put(work, Turn(worker, until))
        return True

    async def put_off(self, work: str, worker: str, until: datetime) -> None:
        await self._session.writing()
        turn = self._session.turns.get(work)
        if turn is not None and turn.worker == worker:
            self._session.turns.put(work, Turn(None, until))
