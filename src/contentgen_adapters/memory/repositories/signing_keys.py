"""The installation's signing keys."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists, ConcurrentChange
from contentgen_core.model.ids import SigningKeyId
from contentgen_core.model.signing_key import SigningKey
from contentgen_core.ports.repositories.signing_keys import SigningKeys

SIGNING_KEYS: Final = TableOf[SigningKeyId, SigningKey]("signing_keys")

MAX_LISTED: Final = 1_000
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


@repository(SigningKeys)
class MemorySigningKeys:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, key: SigningKey) -> None:
        await self._session.writing()
        if await self.present() is not None:
            raise AlreadyExists("There is a present signing key already.")
        self._session[SIGNING_KEYS].put(key.id, key)

    async def present(self) -> SigningKey | None:
        return next((key for key in self._session[SIGNING_KEYS].rows() if key.retired_at is None), None)

    async def all(self) -> list[SigningKey]:
        keys = sorted(
            self._session[SIGNING_KEYS].rows(), key=lambda key: (key.retired_at or _NEVER, key.id), reverse=True
        )
        return keys[:MAX_LISTED]

    async def save(self, key: SigningKey) -> None:
        await self._session.writing()
        stored = self._session[SIGNING_KEYS].get(key.id)
        if stored is None or stored.retired_at is not None:
            raise ConcurrentChange.of("signing key")
        self._session[SIGNING_KEYS].put(key.id, key)
