"""`contentgen secrets rotate`: encrypt every stored secret under the newest key."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import IntegrationId, SearchDemandId, SigningKeyId, SyncedSourceId, WebhookEndpointId
from contentgen_core.model.integration import Integration
from contentgen_core.model.search_demand import SearchDemand
from contentgen_core.model.synced_source import SyncedSource
from contentgen_core.model.webhook import WebhookEndpoint
from contentgen_core.ports.publishing import PublishFailed
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.search_demands import SearchDemands
from contentgen_core.ports.repositories.signing_keys import SigningKeys
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.repositories.webhooks import WebhookEndpoints
from contentgen_core.ports.sealing import SecretUnreadable
from contentgen_core.ports.source_reading import SourceUnavailable
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.integrations.sealing_keys import AgreeOnSealingKeys
from contentgen_core.use_cases.search_queries.console import resealed
from contentgen_core.use_cases.signing import SignDocuments
from contentgen_core.use_cases.synced_sources.secrets import SourceSecrets
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.secrets import WebhookSecrets

PAGE: Final = 100
TRIES: Final = 10


@frozen
class Resealed:
    """`unreadable`: what has secrets that no available key decrypts: those of integrations, sources and search demands
    have to be entered again, those of webhooks rotated, the signing key renewed."""

    resealed: int
    current: int
    unreadable: tuple[IntegrationId | SyncedSourceId | SearchDemandId | WebhookEndpointId | SigningKeyId, ...]


@use_case
class ResealSecrets:
    unit_of_work: UnitOfWork
    connect: Connect
    source_secrets: SourceSecrets
    webhooks: WebhookSecrets
    sign: SignDocuments
    keys: AgreeOnSealingKeys

    async def __call__(self) -> Resealed:
        """Idempotent, and safe while the service runs: what is changed meanwhile is encrypted under the newest key
        too."""
        parts = [
            await self._integrations(),
            await self._sources(),
            await self._demands(),
            await self._webhooks(),
            await self._signing_key(),
        ]
        await self.keys.accept()  # once everything that can be is sealed under the newest
        return Resealed(
            sum(part.resealed for part in parts),
            sum(part.current for part in parts),
            tuple(id for part in parts for id in part.unreadable),
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
                        await tx[Integrations].save(evolve(integration, sealed=sealed))
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
                        await tx[WebhookEndpoints].save(resealed)
                anew += 1
        return Resealed(anew, current, tuple(unreadable))

    async def _sources(self) -> Resealed:
        anew = current = 0
        unreadable: list[SyncedSourceId] = []
        last: SyncedSourceId | None = None
        while True:
            async with self.unit_of_work() as tx:
                page = await tx[SyncedSources].after(last, PAGE)
            if not page:
                return Resealed(anew, current, tuple(unreadable))
            last = page[-1].id
            for source in page:
                try:
                    resealed = await self._reseal(source)
                except SourceUnavailable:
                    unreadable.append(source.id)
                    continue
                anew, current = anew + resealed, current + (not resealed)

    async def _reseal(self, source: SyncedSource) -> bool:
        """Whether it was sealed anew. A sync under way changes its source, too: it is tried again then. Raises
        SourceUnavailable."""
        for _ in range(TRIES):
            if not source.sealed or self.connect.box.current(source.sealed):
                return False
            secrets = await asyncio.to_thread(self.source_secrets.opened, source)
            sealed = await asyncio.to_thread(self.source_secrets.sealed, source.tenant_id, secrets)
            try:
                async with self.unit_of_work() as tx:
                    await tx[SyncedSources].save(evolve(source, sealed=sealed))
            except NotFound:
                return False
            except ConcurrentChange:
                async with self.unit_of_work() as tx:
                    source = await tx[SyncedSources].get(source.tenant_id, source.id)
                continue
            return True
        raise ConcurrentChange.of("source")

    async def _demands(self) -> Resealed:
        """The key files of Search Console."""
        anew = current = 0
        unreadable: list[SearchDemandId] = []
        last: SearchDemandId | None = None
        while True:
            async with self.unit_of_work() as tx:
                page = await tx[SearchDemands].after(last, PAGE)
            if not page:
                return Resealed(anew, current, tuple(unreadable))
            last = page[-1].id
            for demand in page:
                try:
                    done = await self._reseal_demand(demand)
                except SecretUnreadable:
                    unreadable.append(demand.id)
                    continue
                anew, current = anew + done, current + (not done)

    async def _reseal_demand(self, demand: SearchDemand) -> bool:
        """Whether it was sealed anew. A look under way changes it, too: it is tried again then. Raises
        SecretUnreadable."""
        for _ in range(TRIES):
            sealed = await asyncio.to_thread(resealed, demand, self.connect.box)
            if sealed == demand:
                return False
            try:
                async with self.unit_of_work() as tx:
                    await tx[SearchDemands].save(sealed)
            except NotFound:
                return False
            except ConcurrentChange:
                async with self.unit_of_work() as tx:
                    demand = await tx[SearchDemands].get(demand.tenant_id, demand.id)
                continue
            return True
        raise ConcurrentChange.of("search demand")

    async def _signing_key(self) -> Resealed:
        async with self.unit_of_work() as tx:
            key = await tx[SigningKeys].present()
        if key is None:
            return Resealed(0, 0, ())
        try:
            resealed = await asyncio.to_thread(self.sign.resealed, key)
        except SecretUnreadable:
            return Resealed(0, 0, (key.id,))
        if resealed == key:
            return Resealed(0, 1, ())
        with suppress(ConcurrentChange):  # it was retired meanwhile, and its private part deleted
            async with self.unit_of_work() as tx:
                await tx[SigningKeys].save(resealed)
        return Resealed(1, 0, ())

    async def _page(self, last: IntegrationId | None) -> list[Integration]:
        async with self.unit_of_work() as tx:
            return list(await tx[Integrations].after(last, PAGE))

    async def _page_of_webhooks(self, last: WebhookEndpointId | None) -> list[WebhookEndpoint]:
        async with self.unit_of_work() as tx:
            return list(await tx[WebhookEndpoints].after(last, PAGE))
