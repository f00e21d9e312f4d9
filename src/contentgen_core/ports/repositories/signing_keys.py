"""The installation's signing keys."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.signing_key import SigningKey


class SigningKeys(Protocol):
    """One is present at a time; retired ones stay."""

    async def add(self, key: SigningKey) -> None:
        """Raises AlreadyExists while one is present."""
        ...

    async def present(self) -> SigningKey | None:
        """The one that is not retired."""
        ...

    async def all(self) -> list[SigningKey]:
        """The present one, then those that were retired last; at most 1,000."""
        ...

    async def save(self, key: SigningKey) -> None:
        """Store a present key's sealed text, or that it is retired. Raises ConcurrentChange where it is retired by
        now."""
        ...
