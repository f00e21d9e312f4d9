"""Whether this process has the keys that the installation's secrets are sealed under."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from contentgen_core.errors import NotConfigured
from contentgen_core.ports.repositories.installation import Installation
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.sealing import SecretBox, SecretUnreadable
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.integrations.connect import purpose_of
from contentgen_core.use_cases.use_case import use_case

FACT: Final = "sealed"
PURPOSE: Final = "the installation"
LOOKED_AT: Final = 100
WRONG: Final = (
    "The keys of this process do not open what the service has sealed, the credentials of integrations among it. Every"
    " process needs the service's own, newest first; in one data folder, sealing.key has them. Where they are lost,"
    " `contentgen secrets accept-keys` starts anew with those at hand."
)


@use_case
class AgreeOnSealingKeys:
    """The database has a text sealed under the installation's keys, which every process has to be able to open."""

    unit_of_work: UnitOfWork
    box: SecretBox

    async def __call__(self) -> None:
        """Check the keys. Those of the first process that asks become the installation's, if they open what is stored.
        Raises NotConfigured, Unavailable."""
        async with self.unit_of_work() as tx:
            known = await tx[Installation].find(FACT)
            stored = [] if known is not None else await tx[Integrations].after(None, LOOKED_AT)
        sealed = [(one.sealed, purpose_of(one.tenant_id)) for one in stored if one.sealed]
        if sealed and not await asyncio.to_thread(self._opens_any, sealed):
            raise _wrong()
        if known is None:
            own = await self._sealed_fact()
            async with self.unit_of_work() as tx:
                known = await tx[Installation].get_or_put(FACT, own)
        if not await asyncio.to_thread(self._opens_any, [(known, PURPOSE)]):
            raise _wrong()

    async def accept(self) -> None:
        """Make this process's keys the installation's."""
        own = await self._sealed_fact()
        async with self.unit_of_work() as tx:
            await tx[Installation].put(FACT, own)

    async def _sealed_fact(self) -> str:
        return await asyncio.to_thread(self.box.seal, FACT, PURPOSE)

    def _opens_any(self, sealed: list[tuple[str, str]]) -> bool:
        for text, purpose in sealed:
            with suppress(SecretUnreadable):
                self.box.open(text, purpose)
                return True
        return False


def _wrong() -> NotConfigured:
    return NotConfigured(WRONG, "CONTENTGEN_SEALING_KEYS")
