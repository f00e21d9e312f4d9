"""Outgoing parts of an instance that sends nothing, such as a restored copy beside the live service.

What a job would send stays queued, since no job runs. What a request would send is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from attrs import frozen

from contentgen_core.errors import HeldBack
from contentgen_core.model.ids import TenantId
from contentgen_core.model.index_now import IndexNowSite
from contentgen_core.model.publishing_target import Post, ProviderInfo, PublishOptionField, RemotePost
from contentgen_core.model.webhook import DeliveryAttempt, WebhookMessage
from contentgen_core.ports.mail import Mail, Mailer
from contentgen_core.ports.publishing import Publisher, PublishingTargets
from contentgen_core.ports.webhooks import WebhookSender

_PUBLISHED: Final = "sent to targets"


@frozen
class HeldMailer:
    """A mailer that sends nothing and says of mails that wait what the one behind it says."""

    mailer: Mailer

    @property
    def delivers(self) -> bool:
        return self.mailer.delivers

    async def send(self, mail: Mail) -> None:
        """Raises HeldBack."""
        raise HeldBack("mailed")


@frozen
class HeldPublisher:
    """A connection that reads and changes nothing. A test is a change, too: some targets are sent a message."""

    publisher: Publisher

    async def test(self) -> str:
        """Raises HeldBack, as all that changes something."""
        raise HeldBack(_PUBLISHED)

    async def find(self, post: Post) -> RemotePost | None:
        return await self.publisher.find(post)

    async def create(self, post: Post) -> RemotePost:
        raise HeldBack(_PUBLISHED)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        raise HeldBack(_PUBLISHED)

    async def unpublish(self, remote_id: str) -> None:
        raise HeldBack(_PUBLISHED)

    async def delete(self, remote_id: str) -> None:
        raise HeldBack(_PUBLISHED)

    async def read(self, remote_id: str) -> RemotePost | None:
        return await self.publisher.read(remote_id)

    async def options(self) -> Sequence[PublishOptionField]:
        return await self.publisher.options()


@frozen
class HeldTargets:
    """Targets that are read alone."""

    targets: PublishingTargets

    def all(self) -> Sequence[ProviderInfo]:
        return self.targets.all()

    def get(self, provider: str) -> ProviderInfo:
        return self.targets.get(provider)

    def connect(
        self, provider: str, credentials: Mapping[str, Any], settings: Mapping[str, Any], tenant_id: TenantId
    ) -> Publisher:
        return HeldPublisher(self.targets.connect(provider, credentials, settings, tenant_id))


@frozen
class HeldWebhooks:
    """Webhooks that are checked and not called."""

    sender: WebhookSender

    def new_secret(self) -> str:
        return self.sender.new_secret()

    async def check(self, url: str) -> None:
        await self.sender.check(url)

    async def send(self, url: str, message: WebhookMessage, secrets: Sequence[str], at: datetime) -> DeliveryAttempt:
        """Raises HeldBack."""
        raise HeldBack("sent to webhooks")


@frozen
class HeldIndexNow:
    """An IndexNow client that tells search engines nothing."""

    async def submit(self, site: IndexNowSite, addresses: Sequence[str]) -> None:
        """Raises HeldBack."""
        raise HeldBack("told to search engines")
