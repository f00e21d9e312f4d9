"""`contentgen secrets rotate`: encrypt every stored secret under the newest key."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import IntegrationId, WebhookEndpointId
from contentgen_core.model.integration import Integration
from contentgen_core.model.webhook import WebhookEndpoint
from contentgen_core.ports.publishing import PublishFailed
from contentgen_core.ports.sealing import SecretUnreadable
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.integrations.sealing_keys import AgreeOnSealingKeys
from contentgen_core.use_cases.webhooks.secrets import WebhookSecrets

PAGE: Final = 100


@frozen
class Resealed:
    """`unreadable`: integrations and webhooks whose secrets no available key decrypts: the credentials of the former
    have to be entered again, the secrets of the latter to be rotated."""

    resealed: int
    current: int
    unreadable: tuple[IntegrationId | WebhookEndpointId, ...]


@frozen
class ResealSecrets:
    unit_of_work: UnitOfWork
    connect: Connect
    webhooks: WebhookSecrets
    keys: AgreeOnSealingKeys

    async def __call__(self) -> Resealed:
        """Idempotent, and safe while the service runs: what is changed meanwhile is encrypted under the newest key
        too."""
        integrations, webhooks = await self._integrations(), await self._webhooks()
        await self.keys.accept()  # once everything that can be is sealed under the newest
        return Resealed(
            integrations.resealed + webhooks.resealed,
            integrations.current + webhooks.current,
            integrations.unreadable + webhooks.unreadable,
        )

    async def _integrations(self) -> Resealed:
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
        return Resealed(anew, current, tuple(unreadable))

    async def _webhooks(self) -> Resealed:
        anew = current = 0
        unreadable: list[WebhookEndpointId] = []
        last: WebhookEndpointId | None = None
        while page := await self._page_of_webhooks(last):
            for endpoint in page:
                last = endpoint.id
                try:
                    resealed = await asyncio.to_thread(self.webhooks.resealed, endpoint)
                except SecretUnreadable:
                    unreadable.append(endpoint.id)
                    continue
                if resealed == endpoint:
                    current += 1
                    continue
                with suppress(ConcurrentChange, NotFound):
                    async with self.unit_of_work() as tx:
                        await tx.webhook_endpoints.save(resealed)
                anew += 1
        return Resealed(anew, current, tuple(unreadable))

    async def _page(self, last: IntegrationId | None) -> list[Integration]:
        async with self.unit_of_work() as tx:
            return list(await tx.integrations.after(last, PAGE))

    async def _page_of_webhooks(self, last: WebhookEndpointId | None) -> list[WebhookEndpoint]:
        async with self.unit_of_work() as tx:
            return list(await tx.webhook_endpoints.after(last, PAGE))
