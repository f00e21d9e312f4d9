"""The installation's signing keys."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from typing import Final

from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.errors import ConcurrentChange
from contentgen_core.model.signing_key import SigningKey
from contentgen_core.ports.repositories.signing_keys import SigningKeys

MAX_LISTED: Final = 1_000
_KEY: Final = "id, public, created_at, sealed, retired_at"


@repository(SigningKeys)
class PostgresSigningKeys:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, key: SigningKey) -> None:
        await self._session.write(
            f"INSERT INTO signing_keys ({_KEY}) VALUES (%s, %s, %s, %s, %s)",
            (key.id, key.public, key.created_at, key.sealed, key.retired_at),
        )

    async def present(self) -> SigningKey | None:
        rows = await self._session.read(f"SELECT {_KEY} FROM signing_keys WHERE retired_at IS NULL")
        return SigningKey(*rows[0]) if rows else None

    async def all(self) -> list[SigningKey]:
        rows = await self._session.read(
            f"SELECT {_KEY} FROM signing_keys ORDER BY retired_at DESC, id DESC LIMIT %s", (MAX_LISTED,)
        )
        return [SigningKey(*row) for row in rows]

    async def save(self, key: SigningKey) -> None:
        changed = await self._session.change(
            "UPDATE signing_keys SET sealed = %s, retired_at = %s WHERE id = %s AND retired_at IS NULL",
            (key.sealed, key.retired_at, key.id),
        )
        if not changed:
            raise ConcurrentChange.of("signing key")
