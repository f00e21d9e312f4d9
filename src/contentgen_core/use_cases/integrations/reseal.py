"""`contentgen secrets rotate`: encrypt every stored secret under the newest key."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import IntegrationId
from contentgen_core.model.integration import Integration
from contentgen_core.ports.publishing import PublishFailed
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.integrations.sealing_keys import AgreeOnSealingKeys

PAGE: Final = 100


@frozen
class Resealed:
    """`unreadable`: integrations whose secrets no available key decrypts; their credentials have to be entered
    again."""

    resealed: int
    current: int
    unreadable: tuple[IntegrationId, ...]


@frozen
class ResealSecrets:
    unit_of_work: UnitOfWork
    connect: Connect
    keys: AgreeOnSealingKeys

    async def __call__(self) -> Resealed:
        """Idempotent, and safe while the service runs: an integration that is changed meanwhile is encrypted under the
        newest key too."""
        anew = current = 0
        unreadable: list[IntegrationId] = []
        last: IntegrationId | None = None
        while page := await self._page(last):
            for integration in page:
                last = integration.id
                if not integration.sealed or self.connect.box.current(integration.sealed):
                    current += 1
                    continue
                try:
                    secrets = await asyncio.to_thread(self.connect.secrets, integration)
                except PublishFailed:
                    unreadable.append(integration.id)
                    continue
                with suppress(ConcurrentChange, NotFound):
                    async with self.unit_of_work() as tx:
                        sealed = self.connect.sealed(integration.tenant_id, secrets)
                        await tx.integrations.save(evolve(integration, sealed=sealed))
                anew += 1
        await self.keys.accept()  # once everything that can be is sealed under the newest
        return Resealed(anew, current, tuple(unreadable))

    async def _page(self, last: IntegrationId | None) -> list[Integration]:
        async with self.unit_of_work() as tx:
            return list(await tx.integrations.after(last, PAGE))
