"""Signing with the installation's key, which is made at its first use, and the keys that verify what was signed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from attrs import evolve

from contentgen_core.errors import AlreadyExists, NotConfigured
from contentgen_core.model.signing_key import SigningKey
from contentgen_core.ports.repositories.signing_keys import SigningKeys
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.sealing import SecretBox, SecretUnreadable
from contentgen_core.ports.signing import DocumentSigner
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

PURPOSE: Final = "signing key of the installation"


@use_case
class SignDocuments:
    """The one place where private keys are decrypted."""

    unit_of_work: UnitOfWork
    box: SecretBox
    signer: DocumentSigner
    clock: Clock

    async def __call__(self, document: Mapping[str, Any]) -> bytes:
        """The signed file of a document of JSON's types. Raises NotConfigured where the key cannot be opened."""
        key = await self._current_key()

        def signed() -> bytes:
            return self.signer.signed(document, key.id, self._decrypt_key(key))

        try:
            return await asyncio.to_thread(signed)
        except SecretUnreadable as error:
            message = "The key that evidence files are signed with cannot be opened."
            raise NotConfigured(message, "CONTENTGEN_SEALING_KEYS") from error

    async def keys(self) -> list[SigningKey]:
        """The present one, made where there is none, then those before it."""
        await self._current_key()
        async with self.unit_of_work() as tx:
            return await tx[SigningKeys].all()

    async def renew(self) -> SigningKey:
        """Sign with a new key from now on. The private key of the former one is deleted, its public key stays listed.
        Raises ConcurrentChange when another process does the same."""
        made = await asyncio.to_thread(self._create_key)
        async with self.unit_of_work() as tx:
            present = await tx[SigningKeys].present()
            if present is not None:
                await tx[SigningKeys].save(present.retired(made.created_at))
            await tx[SigningKeys].add(made)
        return made

    def resealed(self, key: SigningKey) -> SigningKey:
        """The key with its private part under the newest sealing key; itself where it is. Raises SecretUnreadable."""
        if self.box.current(key.sealed):
            return key
        return evolve(key, sealed=self.box.seal(self._decrypt_key(key), PURPOSE))

    async def _current_key(self) -> SigningKey:
        async with self.unit_of_work() as tx:
            present = await tx[SigningKeys].present()
        if present is not None:
            return present
        made = await asyncio.to_thread(self._create_key)
        with suppress(AlreadyExists):  # another process was first
            async with self.unit_of_work() as tx:
                await tx[SigningKeys].add(made)
        async with self.unit_of_work() as tx:
            present = await tx[SigningKeys].present()
        assert present is not None, "a present key is only ever replaced by another"
        return present

    def _create_key(self) -> SigningKey:
        made = self.signer.new_key()
        return SigningKey(made.id, made.public, self.clock.now(), self.box.seal(made.secret, PURPOSE))

    def _decrypt_key(self, key: SigningKey) -> str:
        """Raises SecretUnreadable."""
        return self.box.open(key.sealed, PURPOSE)
