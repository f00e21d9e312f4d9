"""Webhooks over memory, with a clock and receivers that the test holds."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve, field

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.memory.webhook_sender import MemoryWebhookSender
from contentgen_adapters.sealing import FernetBox
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.webhook import WebhookEndpoint, WebhookEvent, WebhookEventType, WebhookMessage
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.repositories.webhooks import WebhookMessages
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import ManualClock, SequentialIds
from contentgen_core.use_cases.host_places import HostPlaces
from contentgen_core.use_cases.webhooks.deliver import DeliverWebhooks
from contentgen_core.use_cases.webhooks.manage_webhooks import ManageWebhooks, NewWebhook
from contentgen_core.use_cases.webhooks.secrets import WebhookSecrets

KEY = "a key of the tests, of 32 characters and more"
GENERATED = WebhookEventType.ARTICLE_GENERATED


@define
class Hooks:
    """`sender.sent` has all requests, `sender.answer` decides their answers."""

    unit_of_work: UnitOfWork = field(factory=MemoryUnitOfWork)
    sender: MemoryWebhookSender = field(factory=MemoryWebhookSender)
    clock: ManualClock = field(factory=ManualClock)
    ids: SequentialIds = field(factory=SequentialIds)
    keys: list[str] = field(factory=lambda: [KEY])
    places: HostPlaces = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.places = HostPlaces(self.clock)

    @property
    def secrets(self) -> WebhookSecrets:
        return WebhookSecrets(FernetBox(lambda: self.keys))

    @property
    def endpoints(self) -> ManageWebhooks:
        return ManageWebhooks(self.unit_of_work, self.sender, self.secrets, self.clock, self.ids)

    @property
    def deliver(self) -> DeliverWebhooks:
        return DeliverWebhooks(self.unit_of_work, self.sender, self.secrets, self.clock, self.ids, self.places)

    async def tenant(self) -> Caller:
        tenant = builders.tenant()
        user = builders.user(tenant_id=tenant.id, email="owner@example.org")
        async with self.unit_of_work() as tx:
            await tx[Tenants].add(tenant)
            await tx[Users].add(user)
        return builders.caller(tenant_id=tenant.id, user_id=user.id)

    async def endpoint(self, caller: Caller, url: str = "https://hooks.example.org/a") -> WebhookEndpoint:
        made, _ = await self.endpoints.create(NewWebhook(caller, "Our receiver", url))
        return made

    async def record(self, tenant_id: TenantId, number: int = 0) -> WebhookMessage:
        event = WebhookEvent(tenant_id, GENERATED, self.clock.now(), {"articleId": f"article {number}"})
        async with self.unit_of_work() as tx:
            await tx[WebhookMessages].record(event)
        return WebhookMessage.of(event)

    async def work(self, worker: str = "w", died: Callable[[], bool] = lambda: False) -> int:
        """Send what is due, once; how much there was. `died`: whether the worker dies after the next request."""
        claimed = await self.deliver.claim(worker, 100)
        for delivery in claimed:
            if died():
                dead = evolve(self.deliver, unit_of_work=_Dead(self.unit_of_work))
                try:
                    await dead.attempt(delivery)
                except ConnectionError:
                    return len(claimed)
            await self.deliver.attempt(delivery)
        return len(claimed)


@define
class _Dead:
    """Reads once, and dies before it stores what came of it."""

    inner: UnitOfWork
    opened: int = 0

    def __call__(self):  # type: ignore[no-untyped-def]
        self.opened += 1
        if self.opened > 1:
            raise ConnectionError
        return self.inner()
